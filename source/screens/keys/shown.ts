import type {KeyRows} from '../../kv/key-index/rows.ts';
import {counted, grouped} from '../../text/figures.ts';
import type {KeysState} from './state.ts';

/** True if no other key can match the filter: all are listed and searched. */
export const isAllShown = ({listing, rows}: KeysState): boolean =>
	listing.state === 'complete' && rows.isDone;

/** Formats the number of listed keys: `390`, or `390+` if there may be more. */
const listedText = ({index, listing}: KeysState): string =>
	`${grouped(index.count)}${listing.state === 'complete' ? '' : '+'}`;

/** Formats how many keys match the filter: `150 of 390`. */
export const shownText = (keys: KeysState): string =>
	`${grouped(keys.rows.count)}${isAllShown(keys) ? '' : '+'} of ${listedText(keys)}`;

/** Label for the scope of a bulk action: "the 150 shown of 390", "all 390 keys". */
export function meantText(keys: KeysState): string {
	if (keys.filter === '') return `all ${listedText(keys)} keys`;
	return `the ${counted(keys.rows.count, 'key')} shown, of ${listedText(keys)}`;
}

/** Formats the sort order and its progress: "by expiry, of the 1,000 loaded". */
export function sortText({sort, arrangement, filter, listing, index, rows}: KeysState): string {
	if (sort === 'name') return arrangement === 'tree' && filter === '' ? 'by name, as a tree' : 'by name';
	if (listing.state !== 'complete') return `by expiry, of the ${grouped(index.count)} loaded`;
	if (rows.isDone) return 'by expiry';
	return filter === '' && rows.count < index.count
		? `by expiry, ${grouped(rows.count)} so far`
		: 'by expiry, sorting';
}

export function* shownNames(keys: KeysState): Generator<string> {
	for (const {from, to} of shownRanges(keys))
		for (let position = from; position < to; position++) yield keys.index.nameAt(position);
}

export function* selectedShownNames(keys: KeysState): Generator<string> {
	const {index} = keys;
	for (const {from, to} of shownRanges(keys))
		for (let position = from; position < to; position++)
			if (index.isSelected(position)) yield index.nameAt(position);
}

/** Counts the selected keys that the filter hides. */
export const hiddenSelected = (keys: KeysState): number =>
	shownRanges(keys).reduce(
		(left, {from, to}) => left - keys.index.selectedBetween(from, to),
		keys.index.selectedCount,
	);

/** Returns the shown keys, including those in closed groups, as few ranges. */
export function shownRanges({index, rows, filter}: KeysState): readonly ReturnType<KeyRows['positionsOf']>[] {
	// Without a filter, the rows cover all keys.
	if (filter === '') return [{from: 0, to: index.count}];
	const ranges: {from: number; to: number}[] = [];
	for (const {from, to} of byPosition(rows)) {
		const last = ranges.at(-1);
		if (last?.to === from) last.to = to;
		else ranges.push({from, to});
	}
	return ranges;
}

/** Lists the ranges of the rows, sorted by name. */
function byPosition(rows: KeyRows): readonly ReturnType<KeyRows['positionsOf']>[] {
	const ranges = Array.from({length: rows.count}, (_, row) => rows.positionsOf(row));
	return rows.arrangement === 'sorted' ? ranges.sort((one, other) => one.from - other.from) : ranges;
}
