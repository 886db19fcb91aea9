import {type ChosenRule, type RecreationStep, recreationEdit} from '../../managed/recreation.ts';
import type {NotMigrated} from '../../migration/plan/left-behind.ts';
import {leftBehindOf, leftBehindWarnings} from '../../migration/report/left-behind.ts';
import {worldPlaceOf} from '../../session/place.ts';
import type {Has} from '../../store/ledge-store.ts';
import type {Slice} from '../../store/slice.ts';
import type {OpenedZone} from '../firewall/state.ts';
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

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly leftBehind: LeftBehindSlice;
	}
}

type LeftBehindSlice = {
	readonly data: LeftBehindState | undefined;
	open(zone: OpenedZone): void;
	/** Reads it from the backup that is kept here, and the rules in force of the zone where they were not read. */
	load(signal: AbortSignal): Promise<void>;
	move(by: number): void;
	filter(filter: string): void;
};

const items = listOf<LeftItem>(
	({item}) => String(item),
	({left: {what, id, setting}}) => [what, id, setting],
);

export const {visible: visibleItems} = items;

/** The item under the cursor. */
export const itemHere = ({leftBehind: {data: leftBehind}}: Has<'leftBehind'>): LeftItem | undefined =>
	leftBehind && items.selected(leftBehind);

/** What it takes to make an item again in the rules in force as they were changed here; `undefined` until they were read. */
export function stepOf(
	{left}: LeftItem,
	{managed: {data: managed}}: Has<'managed'>,
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
export function inForceReading({
	managed: {data: managed},
}: Has<'managed'>): 'read' | 'reading' | 'not loaded' {
	if (managed?.inForce) return 'read';
	return managed?.reading === 'reading' ? 'reading' : 'not loaded';
}

/** Whether an item is recreated only by changes that are not sent. */
export const isPending = ({left}: LeftItem, {managed: {data: managed}}: Has<'managed'>): boolean =>
	managed?.inForce !== undefined &&
	managed.edits.length > 0 &&
	recreationEdit(left, managed.inForce).kind !== 'recreated';

export const createLeftBehindSlice: Slice<LeftBehindSlice> = (set, get, {session}) => {
	const change = (part: Partial<LeftBehindState>) =>
		set(({data: leftBehind}) => (leftBehind ? {data: {...leftBehind, ...part}} : {}));
	const {read, forget} = createReader(() => get().leftBehind.data ?? emptyList, change);

	return {
		data: undefined,
		open(zone) {
			if (get().leftBehind.data?.zone.id === zone.id) return change({zone});
			forget();
			set({data: {...emptyList, zone, warnings: []}});
		},
		async load(signal) {
			await read(
				signal,
				async () => {
					const leftBehind = get().leftBehind.data;
					if (!leftBehind) return undefined;
					const {id, name, label} = managedZoneOf(leftBehind.zone);
					const place = worldPlaceOf(session, await session.client());
					return leftBehindOf(session.env, {place, zone: {id, name}}, label);
				},
				found => {
					const leftBehind = get().leftBehind.data;
					if (!leftBehind || !found) return;
					const rows = found.items.map((left, index) => ({item: index + 1, left}));
					const warnings = leftBehindWarnings(found);
					const part = {rows, warnings, taken: found.taken, reading: 'read' as const, failure: undefined};
					change({...part, ...items.changed(leftBehind, part)});
				},
			);
			const {data: managed, load: loadManaged} = get().managed;
			const leftBehind = get().leftBehind.data;
			const isUnread = managed?.reading === 'unread' || managed?.reading === 'failed';
			if (isUnread && managed.zone.id === leftBehind?.zone.id) await loadManaged(signal);
		},
		move(by) {
			const leftBehind = get().leftBehind.data;
			if (leftBehind) change(items.moved(leftBehind, by));
		},
		filter(filter) {
			const leftBehind = get().leftBehind.data;
			if (leftBehind) change(items.changed(leftBehind, {filter}));
		},
	};
};
