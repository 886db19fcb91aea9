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
import type {Ports, Slice} from './slice.ts';

/** All of the state: an object for each feature, which alone changes it. */
export type LedgeState = {
	readonly work: WorkSlice;
	readonly messages: MessagesSlice;
	readonly navigation: NavigationSlice;
	readonly dialog: DialogSlice;
	readonly drafts: DraftsSlice;
	readonly activity: ActivitySlice;
	readonly connection: ConnectionSlice;
	readonly namespaces: NamespacesSlice;
	readonly metrics: MetricsSlice;
	readonly keys: KeysSlice;
	readonly edits: EditingSlice;
	readonly files: FilesSlice;
	readonly review: ReviewSlice;
	readonly rename: RenameSlice;
	readonly key: KeySlice;
	readonly peek: PeekSlice;
	readonly bulk: BulkSlice;
	readonly paths: PathsSlice;
	readonly jobs: JobsSlice;
	readonly compare: CompareSlice;
	readonly search: SearchSlice;
	readonly stats: StatsSlice;
	readonly transfer: TransferSlice;
	readonly trash: TrashSlice;
	readonly zones: ZonesSlice;
	readonly contexts: ContextsSlice;
	readonly firewall: FirewallSlice;
	readonly customRules: CustomRulesSlice;
	readonly customRule: CustomRuleSlice;
	readonly catalogue: CatalogueSlice;
	readonly managed: ManagedSlice;
	readonly leftBehind: LeftBehindSlice;
	readonly versions: VersionsSlice;
	readonly rateLimits: RateLimitsSlice;
	readonly places: PlacesSlice;
	readonly merge: MergeSlice;
	readonly wizard: WizardSlice;
	readonly emergency: EmergencySlice;
	readonly events: EventsSlice;
	readonly migration: MigrationSlice;
	readonly validation: ValidationSlice;
};

/** A part of the state, for what needs no more of it: of these features, these members. */
export type Has<Feature extends keyof LedgeState, Member extends string = 'data'> = {
	readonly [Name in Feature]: Pick<LedgeState[Name], Extract<Member, keyof LedgeState[Name]>>;
};

export type LedgeStore = StoreApi<LedgeState>;

/** The one store that the screens share, a new one for each run. It does not depend on Ink. */
export function createLedgeStore(ports: Ports): LedgeStore {
	let forms: readonly DraftForm[] = [];
	const store = createStore<LedgeState>()((set, get) => {
		/** Makes the part of one feature, which changes no other. */
		function part<Name extends keyof LedgeState>(
			name: Name,
			create: Slice<LedgeState[Name]>,
		): LedgeState[Name] {
			return create(
				change =>
					set(state => {
						const before = state[name];
						const after = typeof change === 'function' ? change(before) : change;
						return {[name]: {...before, ...after}};
					}),
				get,
				ports,
			);
		}
		forms = [
			createEditingForm,
			createWizardForm,
			createCustomRuleForm,
			createEmergencyForm,
			createMigrationForm,
			createManagedForm,
		].map(create => create(get, ports));
		return {
			work: part('work', createWorkSlice),
			messages: part('messages', createMessagesSlice),
			navigation: part('navigation', createNavigationSlice(screens)),
			dialog: part('dialog', createDialogSlice),
			drafts: part('drafts', createDraftsSlice(forms)),
			activity: part('activity', createActivitySlice),
			connection: part('connection', createConnectionSlice),
			namespaces: part('namespaces', createNamespacesSlice),
			metrics: part('metrics', createMetricsSlice),
			keys: part('keys', createKeysSlice),
			edits: part('edits', createEditingSlice),
			files: part('files', createFilesSlice),
			review: part('review', createReviewSlice),
			rename: part('rename', createRenameSlice),
			key: part('key', createKeySlice),
			peek: part('peek', createPeekSlice),
			bulk: part('bulk', createBulkSlice),
			paths: part('paths', createPathsSlice),
			jobs: part('jobs', createJobsSlice),
			compare: part('compare', createCompareSlice),
			search: part('search', createSearchSlice),
			stats: part('stats', createStatsSlice),
			transfer: part('transfer', createTransferSlice),
			trash: part('trash', createTrashSlice),
			zones: part('zones', createZonesSlice),
			contexts: part('contexts', createContextsSlice),
			firewall: part('firewall', createFirewallSlice),
			customRules: part('customRules', createCustomRulesSlice),
			customRule: part('customRule', createCustomRuleSlice),
			catalogue: part('catalogue', createCatalogueSlice),
			managed: part('managed', createManagedSlice),
			leftBehind: part('leftBehind', createLeftBehindSlice),
			versions: part('versions', createVersionsSlice),
			rateLimits: part('rateLimits', createRateLimitsSlice),
			places: part('places', createPlacesSlice),
			merge: part('merge', createMergeSlice),
			wizard: part('wizard', createWizardSlice),
			emergency: part('emergency', createEmergencySlice),
			events: part('events', createEventsSlice),
			migration: part('migration', createMigrationSlice),
			validation: part('validation', createValidationSlice),
		};
	});
	// A dialog may be a part of a form.
	const kept = [({dialog}: LedgeState) => dialog.current, ...forms.map(form => form.kept)];
	store.subscribe((state, before) => {
		state.places.remember();
		if (kept.some(read => read(state) !== read(before))) state.drafts.noticeChange();
	});
	return store;
}
