import {type ChosenRule, planRecreation, type RecreationStep} from '../../managed/recreation.ts';
import type {UnmigratedSetting} from '../../migration/plan/not-migrated.ts';
import {listLeftBehindWarnings, readLeftBehindItems} from '../../migration/report/left-behind.ts';
import {getPlaceWithWorld} from '../../session/place.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import type {Slice} from '../../store/slice.ts';
import {declareList} from '../list/declared.ts';
import {mustLoad} from '../list/reading.ts';
import {createZoneList, type ZoneListSlice, type ZoneListState} from '../list/slice.ts';
import {type ManagedState, toManagedZone} from '../managed/state.ts';
import type {App} from '../shell/app.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';

/** A setting that the migration left behind. `itemNumber`: its number in the report, from 1. */
export type LeftItem = {readonly itemNumber: number; readonly leftover: UnmigratedSetting};

/** What the migration of a zone left behind, to recreate among the active managed rules. */
type LeftBehindState = ZoneListState<LeftItem, ZoneWithLabel> & {
	/** Time of the backup that it is read from, RFC 3339. */
	readonly taken?: string | undefined;
	/** What cannot be listed, in sentences. */
	readonly warnings: readonly string[];
	/** The rules that a person chose, by the number of the item. Kept while ledge runs. */
	readonly choices: ReadonlyMap<number, readonly ChosenRule[]>;
};

type LeftBehindSlice = ZoneListSlice<LeftBehindState> & {
	/** Remembers the rules that recreate an item, which show whether it is done. */
	choose(itemNumber: number, rules: readonly ChosenRule[]): void;
};

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly leftBehind: LeftBehindSlice;
	}
}

/** The list of items, searchable by what they were. */
export const leftBehindList = declareList({
	getSlice: state => state.leftBehind,
	screen: 'leftBehind',
	group: 'Left behind by the migration',
	id: 'left',
	rowLabel: 'item',
	getKey: ({itemNumber}: LeftItem) => String(itemNumber),
	getTexts: ({leftover: {what, id, setting}}) => [what, id, setting],
});

/** Returns how to recreate an item in the edited managed rules; undefined until these are read. */
export function getRecreationStep(
	item: LeftItem,
	{managed: {data: managed}, leftBehind: {data}}: StateWith<'managed' | 'leftBehind'>,
): RecreationStep | undefined {
	if (!managed?.activeRules) return undefined;
	const {
		activeRules: {catalogue},
		configuration,
	} = managed;
	return planItem(item, {catalogue, configuration}, data);
}

/** Plans an item: recreated if the chosen rules are set, else as without a choice. */
function planItem(
	{itemNumber, leftover}: LeftItem,
	rules: Parameters<typeof planRecreation>[1],
	leftBehind: LeftBehindState | undefined,
): RecreationStep {
	const chosenPlan = planRecreation(leftover, rules, leftBehind?.choices.get(itemNumber));
	return chosenPlan.kind === 'recreated' ? chosenPlan : planRecreation(leftover, rules);
}

/** Returns the loading state of the active rules, which show what is already recreated. */
export function getActiveRulesLoadState({
	managed: {data: managed},
}: StateWith<'managed'>): 'read' | 'reading' | 'not loaded' {
	if (managed?.activeRules) return 'read';
	return managed?.reading === 'reading' ? 'reading' : 'not loaded';
}

/** True if only unsent changes recreate the item. */
export const isUnsentRecreation = (
	item: LeftItem,
	{managed: {data: managed}, leftBehind: {data}}: StateWith<'managed' | 'leftBehind'>,
): boolean =>
	managed?.activeRules !== undefined &&
	managed.edits.length > 0 &&
	planItem(item, managed.activeRules, data).kind !== 'recreated';

const createItems = createZoneList(
	leftBehindList,
	{warnings: [], choices: new Map()},
	async (session, {zone}) => {
		const {id, name, label} = toManagedZone(zone);
		const place = getPlaceWithWorld(session, await session.client());
		const leftovers = await readLeftBehindItems(session.env, {place, zone: {id, name}}, label);
		const rows = leftovers.items.map((leftover, index) => ({itemNumber: index + 1, leftover}));
		return {rows, warnings: listLeftBehindWarnings(leftovers), taken: leftovers.taken};
	},
);

/** True if the active rules are not loaded, or were loaded before the migration was complete. */
const mustLoadActiveRules = (managed: ManagedState): boolean =>
	mustLoad(managed) || managed.activeRules?.readOnlyReason !== undefined;

/** Reads what was left behind from the local backup, and the active rules if necessary. */
export const createLeftBehindSlice: Slice<LeftBehindSlice> = (set, get, ports) => {
	const {load, ...list} = createItems(set, get, ports);
	return {
		...list,
		choose(itemNumber, rules) {
			const {data} = get().leftBehind;
			if (data) set({data: {...data, choices: new Map(data.choices).set(itemNumber, rules)}});
		},
		async load(signal) {
			await load(signal);
			const {data: managed, load: loadManaged} = get().managed;
			if (managed && mustLoadActiveRules(managed) && managed.zone.id === get().leftBehind.data?.zone.id)
				await loadManaged(signal);
		},
	};
};

/** Reads what was left behind, and the active rules if necessary. */
export function readLeftBehind({state}: App): void {
	const name = state().leftBehind.data?.zone.name ?? '';
	void state().work.run(`loading what the migration of ${name} left behind`, 'read', signal =>
		state().leftBehind.load(signal),
	);
}
