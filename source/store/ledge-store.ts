import {createStore, type StoreApi} from 'zustand/vanilla';
import {type ActivitySlice, createActivitySlice} from '../screens/activity/slice.ts';
import {createBulkSlice} from '../screens/bulk/slice.ts';
import type {BulkSlice} from '../screens/bulk/state.ts';
import {type CatalogueSlice, createCatalogueSlice} from '../screens/catalogue/slice.ts';
import {type CompareSlice, createCompareSlice} from '../screens/compare/slice.ts';
import {type ContextsSlice, createContextsSlice} from '../screens/contexts/slice.ts';
import {createCustomRuleForm} from '../screens/custom-rule/form.ts';
import {type CustomRuleSlice, createCustomRuleSlice} from '../screens/custom-rule/slice.ts';
import {type CustomRulesSlice, createCustomRulesSlice} from '../screens/custom-rules/slice.ts';
import type {DraftForm} from '../screens/drafts/form.ts';
import {createDraftsSlice, type DraftsSlice} from '../screens/drafts/slice.ts';
import {createFilesSlice, type FilesSlice} from '../screens/edit/files-slice.ts';
import {createEditingForm} from '../screens/edit/form.ts';
import {createEditingSlice, type EditingSlice} from '../screens/edit/slice.ts';
import type {EmergencySlice} from '../screens/emergency/feature.ts';
import {createEmergencyForm} from '../screens/emergency/form.ts';
import {createEmergencySlice} from '../screens/emergency/slice.ts';
import {createEventsSlice, type EventsSlice} from '../screens/events/slice.ts';
import {createFirewallSlice, type FirewallSlice} from '../screens/firewall/slice.ts';
import {createJobsSlice, type JobsSlice} from '../screens/jobs/slice.ts';
import {createKeySlice, type KeySlice} from '../screens/key/slice.ts';
import {createPeekSlice, type PeekSlice} from '../screens/keys/peek-slice.ts';
import {createKeysSlice, type KeysSlice} from '../screens/keys/slice.ts';
import {createLeftBehindSlice, type LeftBehindSlice} from '../screens/left-behind/slice.ts';
import {createManagedForm} from '../screens/managed/form.ts';
import {createManagedSlice, type ManagedSlice} from '../screens/managed/slice.ts';
import {createMergeSlice, type MergeSlice} from '../screens/merge/slice.ts';
import {createMessagesSlice, type MessagesSlice} from '../screens/messages/slice.ts';
import {createMetricsSlice, type MetricsSlice} from '../screens/metrics/slice.ts';
import {createMigrationForm} from '../screens/migration/form.ts';
import {createMigrationSlice, type MigrationSlice} from '../screens/migration/slice.ts';
import {createNamespacesSlice, type NamespacesSlice} from '../screens/namespaces/slice.ts';
import {createPlacesSlice, type PlacesSlice} from '../screens/places/slice.ts';
import {createRateLimitsSlice, type RateLimitsSlice} from '../screens/rate-limits/slice.ts';
import {createRenameSlice, type RenameSlice} from '../screens/rename/slice.ts';
import {createReviewSlice} from '../screens/review/slice.ts';
import type {ReviewSlice} from '../screens/review/state.ts';
import {createSearchSlice, type SearchSlice} from '../screens/search/slice.ts';
import {type ConnectionSlice, createConnectionSlice} from '../screens/shell/connection-slice.ts';
import {createDialogSlice, type DialogSlice} from '../screens/shell/dialog-slice.ts';
import {createNavigationSlice, type NavigationSlice} from '../screens/shell/navigation-slice.ts';
import {createPathsSlice, type PathsSlice} from '../screens/shell/paths-slice.ts';
import {createWorkSlice, type WorkSlice} from '../screens/shell/work-slice.ts';
import {createStatsSlice, type StatsSlice} from '../screens/stats/slice.ts';
import {createTransferSlice, type TransferSlice} from '../screens/transfer/slice.ts';
import {createTrashSlice, type TrashSlice} from '../screens/trash/slice.ts';
import {createValidationSlice, type ValidationSlice} from '../screens/validation/slice.ts';
import {createVersionsSlice, type VersionsSlice} from '../screens/versions/slice.ts';
import {createWizardForm} from '../screens/wizard/form.ts';
import {createWizardSlice, type WizardSlice} from '../screens/wizard/slice.ts';
import {createZonesSlice, type ZonesSlice} from '../screens/zones/slice.ts';
import {screens} from './screens.ts';
import type {Ports} from './slice.ts';

export type LedgeState = WorkSlice &
	MessagesSlice &
	NavigationSlice &
	DialogSlice &
	DraftsSlice &
	ActivitySlice &
	ConnectionSlice &
	NamespacesSlice &
	MetricsSlice &
	KeysSlice &
	EditingSlice &
	FilesSlice &
	ReviewSlice &
	RenameSlice &
	KeySlice &
	PeekSlice &
	BulkSlice &
	PathsSlice &
	JobsSlice &
	CompareSlice &
	SearchSlice &
	StatsSlice &
	TransferSlice &
	TrashSlice &
	ZonesSlice &
	ContextsSlice &
	FirewallSlice &
	CustomRulesSlice &
	CustomRuleSlice &
	CatalogueSlice &
	ManagedSlice &
	LeftBehindSlice &
	VersionsSlice &
	RateLimitsSlice &
	PlacesSlice &
	MergeSlice &
	WizardSlice &
	EmergencySlice &
	EventsSlice &
	MigrationSlice &
	ValidationSlice;

export type LedgeStore = StoreApi<LedgeState>;

/** The one store that the screens share, a new one for each run. It does not depend on Ink. */
export function createLedgeStore(ports: Ports): LedgeStore {
	let forms: readonly DraftForm[] = [];
	const store = createStore<LedgeState>()((set, get) => {
		forms = [
			createEditingForm,
			createWizardForm,
			createCustomRuleForm,
			createEmergencyForm,
			createMigrationForm,
			createManagedForm,
		].map(create => create(get, ports));
		return {
			...createWorkSlice(set, get, ports),
			...createMessagesSlice(set, get, ports),
			...createNavigationSlice(screens)(set, get, ports),
			...createDialogSlice(set, get, ports),
			...createDraftsSlice(forms)(set, get, ports),
			...createActivitySlice(set, get, ports),
			...createConnectionSlice(set, get, ports),
			...createNamespacesSlice(set, get, ports),
			...createMetricsSlice(set, get, ports),
			...createKeysSlice(set, get, ports),
			...createEditingSlice(set, get, ports),
			...createFilesSlice(set, get, ports),
			...createReviewSlice(set, get, ports),
			...createRenameSlice(set, get, ports),
			...createKeySlice(set, get, ports),
			...createPeekSlice(set, get, ports),
			...createBulkSlice(set, get, ports),
			...createPathsSlice(set, get, ports),
			...createJobsSlice(set, get, ports),
			...createCompareSlice(set, get, ports),
			...createSearchSlice(set, get, ports),
			...createStatsSlice(set, get, ports),
			...createTransferSlice(set, get, ports),
			...createTrashSlice(set, get, ports),
			...createZonesSlice(set, get, ports),
			...createContextsSlice(set, get, ports),
			...createFirewallSlice(set, get, ports),
			...createCustomRulesSlice(set, get, ports),
			...createCustomRuleSlice(set, get, ports),
			...createCatalogueSlice(set, get, ports),
			...createManagedSlice(set, get, ports),
			...createLeftBehindSlice(set, get, ports),
			...createVersionsSlice(set, get, ports),
			...createRateLimitsSlice(set, get, ports),
			...createPlacesSlice(set, get, ports),
			...createMergeSlice(set, get, ports),
			...createWizardSlice(set, get, ports),
			...createEmergencySlice(set, get, ports),
			...createEventsSlice(set, get, ports),
			...createMigrationSlice(set, get, ports),
			...createValidationSlice(set, get, ports),
		};
	});
	// A dialog may be a part of a form.
	const kept = [({dialog}: LedgeState) => dialog, ...forms.map(({kept}) => kept)];
	store.subscribe((state, before) => {
		state.placeSeen();
		if (kept.some(read => read(state) !== read(before))) state.formsChanged();
	});
	return store;
}
