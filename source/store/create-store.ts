import {createStore} from 'zustand/vanilla';
import {createBulkSlice} from '../screens/bulk/slice.ts';
import {createCatalogueSlice} from '../screens/catalogue/slice.ts';
import {createCompareSlice} from '../screens/compare/slice.ts';
import type {DraftFormKind} from '../screens/drafts/form.ts';
import {createDraftsSlice} from '../screens/drafts/slice.ts';
import {createFilesSlice} from '../screens/edit/files-slice.ts';
import {createEditingForm} from '../screens/edit/form.ts';
import {createEditingSlice} from '../screens/edit/slice.ts';
import {createEmergencyForm} from '../screens/emergency/form.ts';
import {createEmergencySlice} from '../screens/emergency/slice.ts';
import {createJobsSlice} from '../screens/jobs/slice.ts';
import {createKeySlice} from '../screens/key/slice.ts';
import {createPeekSlice} from '../screens/keys/peek-slice.ts';
import {createKeysSlice} from '../screens/keys/slice.ts';
import type {ListScreenDefinition} from '../screens/list/screen.ts';
import {createManagedForm} from '../screens/managed/form.ts';
import {createManagedSlice} from '../screens/managed/slice.ts';
import {createMergeSlice} from '../screens/merge/slice.ts';
import {createMessagesSlice} from '../screens/messages/slice.ts';
import {createMetricsSlice} from '../screens/metrics/slice.ts';
import {createMigrationForm} from '../screens/migration/form.ts';
import {createMigrationSlice} from '../screens/migration/slice.ts';
import {createOwnCommandsSlice} from '../screens/own-commands/slice.ts';
import {createPlacesSlice} from '../screens/places/slice.ts';
import {createRenameSlice} from '../screens/rename/slice.ts';
import {createReviewSlice} from '../screens/review/slice.ts';
import {createRulesetDraftForm} from '../screens/ruleset-form/form.ts';
import {customRuleKind, rateLimitKind} from '../screens/ruleset-form/kind.ts';
import {createRulesetFormSlice} from '../screens/ruleset-form/slice.ts';
import {createConnectionSlice} from '../screens/shell/connection-slice.ts';
import {createDialogSlice} from '../screens/shell/dialog-slice.ts';
import {createNavigationSlice} from '../screens/shell/navigation-slice.ts';
import {createPathsSlice} from '../screens/shell/paths-slice.ts';
import {listScreens} from '../screens/shell/screen.ts';
import {createWorkSlice} from '../screens/shell/work-slice.ts';
import {createStatsSlice} from '../screens/stats/slice.ts';
import {createTransferSlice} from '../screens/transfer/slice.ts';
import {createTrashSlice} from '../screens/trash/slice.ts';
import {createValidationSlice} from '../screens/validation/slice.ts';
import {createWatchSlice} from '../screens/watch/slice.ts';
import {createWizardForm} from '../screens/wizard/form.ts';
import {createWizardSlice} from '../screens/wizard/slice.ts';
import {createVerdictSlice} from '../screens/write-flow/verdict-slice.ts';
import type {LedgeState, LedgeStore} from './ledge-store.ts';
import {screens} from './screens.ts';
import type {Ports, Slice} from './slice.ts';

/** Screens whose definitions create their part of the state. */
type ListScreenName = {
	[Name in keyof typeof screens]: (typeof screens)[Name] extends ListScreenDefinition ? Name : never;
}[keyof typeof screens];

/** Creates the store that the screens share, one per session. It does not depend on Ink. */
export function createLedgeStore(ports: Ports): LedgeStore {
	let formKinds: readonly DraftFormKind[] = [];
	const store = createStore<LedgeState>()((set, get) => {
		/** Creates the part of one feature, which changes no other. */
		function createPart<Name extends keyof LedgeState>(
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
		/** Creates the parts that the definitions of their screens create. */
		const createListParts = () =>
			Object.fromEntries(
				listScreens(screens).flatMap(([name, {createSlice}]) =>
					createSlice
						? [[name, createPart(name as ListScreenName, createSlice as Slice<LedgeState[ListScreenName]>)]]
						: [],
				),
			) as Pick<LedgeState, ListScreenName>;

		formKinds = [
			createEditingForm,
			createWizardForm,
			createRulesetDraftForm(customRuleKind),
			createRulesetDraftForm(rateLimitKind),
			createEmergencyForm,
			createMigrationForm,
			createManagedForm,
		].map(create => create(get, ports));
		return {
			...createListParts(),
			work: createPart('work', createWorkSlice),
			messages: createPart('messages', createMessagesSlice),
			verdict: createPart('verdict', createVerdictSlice),
			navigation: createPart('navigation', createNavigationSlice(screens)),
			dialog: createPart('dialog', createDialogSlice),
			drafts: createPart('drafts', createDraftsSlice(formKinds)),
			connection: createPart('connection', createConnectionSlice),
			metrics: createPart('metrics', createMetricsSlice),
			keys: createPart('keys', createKeysSlice),
			edits: createPart('edits', createEditingSlice),
			files: createPart('files', createFilesSlice),
			ownCommands: createPart('ownCommands', createOwnCommandsSlice),
			review: createPart('review', createReviewSlice),
			rename: createPart('rename', createRenameSlice),
			key: createPart('key', createKeySlice),
			peek: createPart('peek', createPeekSlice),
			watch: createPart('watch', createWatchSlice),
			bulk: createPart('bulk', createBulkSlice),
			paths: createPart('paths', createPathsSlice),
			jobs: createPart('jobs', createJobsSlice),
			compare: createPart('compare', createCompareSlice),
			stats: createPart('stats', createStatsSlice),
			transfer: createPart('transfer', createTransferSlice),
			trash: createPart('trash', createTrashSlice),
			customRule: createPart('customRule', createRulesetFormSlice(customRuleKind)),
			rateLimit: createPart('rateLimit', createRulesetFormSlice(rateLimitKind)),
			catalogue: createPart('catalogue', createCatalogueSlice),
			managed: createPart('managed', createManagedSlice),
			places: createPart('places', createPlacesSlice),
			merge: createPart('merge', createMergeSlice),
			wizard: createPart('wizard', createWizardSlice),
			emergency: createPart('emergency', createEmergencySlice),
			migration: createPart('migration', createMigrationSlice),
			validation: createPart('validation', createValidationSlice),
		};
	});
	// A dialog may be part of a form.
	const draftSources = [
		({dialog}: LedgeState) => dialog.current,
		...formKinds.map(form => form.getTrackedState),
	];
	store.subscribe((state, before) => {
		state.places.remember();
		if (draftSources.some(read => read(state) !== read(before))) state.drafts.noticeChange();
	});
	return store;
}
