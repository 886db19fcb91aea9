import {createStore, type StoreApi} from 'zustand/vanilla';
import {type AccountsSlice, createAccountsSlice} from './accounts-slice.ts';
import {type ActivitySlice, createActivitySlice} from './activity-slice.ts';
import {type BulkSlice, createBulkSlice} from './bulk-slice.ts';
import {type CompareSlice, createCompareSlice} from './compare-slice.ts';
import {type ConnectionSlice, createConnectionSlice} from './connection-slice.ts';
import {createDialogSlice, type DialogSlice} from './dialog-slice.ts';
import {createDraftsSlice, type DraftsSlice, hasOtherForms} from './drafts-slice.ts';
import {createEditingSlice, type EditingSlice} from './editing-slice.ts';
import {createEmergencySlice, type EmergencySlice} from './emergency-slice.ts';
import {createFirewallSlice, type FirewallSlice} from './firewall-slice.ts';
import {createJobsSlice, type JobsSlice} from './jobs-slice.ts';
import {createPeekSlice, type PeekSlice} from './key-peek-slice.ts';
import {createKeySlice, type KeySlice} from './key-slice.ts';
import {createKeysSlice, type KeysSlice} from './keys-slice.ts';
import {createMigrationSlice, type MigrationSlice} from './migration-slice.ts';
import {createNamespacesSlice, type NamespacesSlice} from './namespaces-slice.ts';
import {createNavigationSlice, type NavigationSlice} from './navigation-slice.ts';
import {createPathsSlice, type PathsSlice} from './paths-slice.ts';
import {createReviewSlice} from './review-slice.ts';
import type {ReviewSlice} from './review-state.ts';
import type {Ports} from './slice.ts';
import {createTransferSlice, type TransferSlice} from './transfer-slice.ts';
import {createWizardSlice, type WizardSlice} from './wizard-slice.ts';
import {createWorkSlice, type WorkSlice} from './work-slice.ts';
import {createZonesSlice, type ZonesSlice} from './zones-slice.ts';

export type LedgeState = WorkSlice &
	NavigationSlice &
	DialogSlice &
	DraftsSlice &
	ActivitySlice &
	ConnectionSlice &
	NamespacesSlice &
	KeysSlice &
	EditingSlice &
	ReviewSlice &
	KeySlice &
	PeekSlice &
	BulkSlice &
	PathsSlice &
	JobsSlice &
	CompareSlice &
	TransferSlice &
	ZonesSlice &
	AccountsSlice &
	FirewallSlice &
	WizardSlice &
	EmergencySlice &
	MigrationSlice;

export type LedgeStore = StoreApi<LedgeState>;

/** The one store that the screens share, made anew for each run. It knows nothing of Ink. */
export function createLedgeStore(ports: Ports): LedgeStore {
	const store = createStore<LedgeState>()((set, get) => ({
		...createWorkSlice(set, get, ports),
		...createNavigationSlice(set, get, ports),
		...createDialogSlice(set, get, ports),
		...createDraftsSlice(set, get, ports),
		...createActivitySlice(set, get, ports),
		...createConnectionSlice(set, get, ports),
		...createNamespacesSlice(set, get, ports),
		...createKeysSlice(set, get, ports),
		...createEditingSlice(set, get, ports),
		...createReviewSlice(set, get, ports),
		...createKeySlice(set, get, ports),
		...createPeekSlice(set, get, ports),
		...createBulkSlice(set, get, ports),
		...createPathsSlice(set, get, ports),
		...createJobsSlice(set, get, ports),
		...createCompareSlice(set, get, ports),
		...createTransferSlice(set, get, ports),
		...createZonesSlice(set, get, ports),
		...createAccountsSlice(set, get, ports),
		...createFirewallSlice(set, get, ports),
		...createWizardSlice(set, get, ports),
		...createEmergencySlice(set, get, ports),
		...createMigrationSlice(set, get, ports),
	}));
	store.subscribe((state, before) => {
		if (hasOtherForms(state, before)) state.formsChanged();
	});
	return store;
}
