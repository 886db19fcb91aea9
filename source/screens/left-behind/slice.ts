import {type ChosenRule, type RecreationStep, recreationEdit} from '../../managed/recreation.ts';
import type {NotMigrated} from '../../migration/plan/plan.ts';
import {leftBehindOf, leftBehindWarnings} from '../../migration/report/left-behind.ts';
import {worldPlaceOf} from '../../session/place.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import type {Slice} from '../../store/slice.ts';
import type {OpenedZone} from '../firewall/slice.ts';
import {managedZoneOf} from '../managed/state.ts';
import {createReader, emptyList, type ListState, listOf} from '../shell/list.ts';

/** Something that the migration left behind, with its number in the report, from 1. */
export type LeftItem = {readonly item: number; readonly left: NotMigrated};

/** What the migration of a zone left behind, to be made again among the managed rules in force. */
type LeftBehindState = ListState<LeftItem> & {
	readonly zone: OpenedZone;
	/** When the backup was made that it is read from, RFC 3339. */
	readonly taken?: string | undefined;
	/** What of it cannot be listed, in sentences. */
	readonly warnings: readonly string[];
};

export type LeftBehindSlice = {
	readonly leftBehind: LeftBehindState | undefined;
	openLeftBehind(zone: OpenedZone): void;
	/** Reads it from the backup that is kept here, and the rules in force of the zone where they were not read. */
	loadLeftBehind(signal: AbortSignal): Promise<void>;
	moveInLeftBehind(by: number): void;
	filterLeftBehind(filter: string): void;
};

const items = listOf<LeftItem>(
	({item}) => String(item),
	({left: {what, id, setting}}) => [what, id, setting],
);

export const {visible: visibleItems} = items;

/** The item under the cursor. */
export const itemHere = ({leftBehind}: Pick<LedgeState, 'leftBehind'>): LeftItem | undefined =>
	leftBehind && items.selected(leftBehind);

/** What it takes to make an item again in the rules in force as they were changed here; `undefined` until they were read. */
export function stepOf(
	{left}: LeftItem,
	{managed}: Pick<LedgeState, 'managed'>,
	chosen?: readonly ChosenRule[],
): RecreationStep | undefined {
	if (!managed?.inForce) return undefined;
	return recreationEdit(
		left,
		{managed: managed.inForce.managed, configuration: managed.configuration},
		chosen,
	);
}

/** How far the rules in force are known, which tell what is recreated. */
export function inForceReading({managed}: Pick<LedgeState, 'managed'>): 'read' | 'reading' | 'not loaded' {
	if (managed?.inForce) return 'read';
	return managed?.reading === 'reading' ? 'reading' : 'not loaded';
}

/** Whether an item is recreated only by changes that are not sent. */
export const isPending = ({left}: LeftItem, {managed}: Pick<LedgeState, 'managed'>): boolean =>
	managed?.inForce !== undefined &&
	managed.edits.length > 0 &&
	recreationEdit(left, managed.inForce).kind !== 'recreated';

export const createLeftBehindSlice: Slice<LeftBehindSlice> = (set, get, {session}) => {
	const change = (part: Partial<LeftBehindState>) =>
		set(({leftBehind}) => (leftBehind ? {leftBehind: {...leftBehind, ...part}} : {}));
	const {read, forget} = createReader(() => get().leftBehind ?? emptyList, change);

	return {
		leftBehind: undefined,
		openLeftBehind(zone) {
			if (get().leftBehind?.zone.id === zone.id) return change({zone});
			forget();
			set({leftBehind: {...emptyList, zone, warnings: []}});
		},
		async loadLeftBehind(signal) {
			await read(
				signal,
				async () => {
					const {leftBehind} = get();
					if (!leftBehind) return undefined;
					const {id, name, label} = managedZoneOf(leftBehind.zone);
					const place = worldPlaceOf(session, await session.client());
					return leftBehindOf(session.env, {place, zone: {id, name}}, label);
				},
				found => {
					const {leftBehind} = get();
					if (!leftBehind || !found) return;
					const rows = found.items.map((left, index) => ({item: index + 1, left}));
					const warnings = leftBehindWarnings(found);
					const part = {rows, warnings, taken: found.taken, reading: 'read' as const, failure: undefined};
					change({...part, ...items.changed(leftBehind, part)});
				},
			);
			const {managed, leftBehind, loadManaged} = get();
			const isUnread = managed?.reading === 'unread' || managed?.reading === 'failed';
			if (isUnread && managed.zone.id === leftBehind?.zone.id) await loadManaged(signal);
		},
		moveInLeftBehind(by) {
			const {leftBehind} = get();
			if (leftBehind) change(items.moved(leftBehind, by));
		},
		filterLeftBehind(filter) {
			const {leftBehind} = get();
			if (leftBehind) change(items.changed(leftBehind, {filter}));
		},
	};
};
