import type {KeyRows} from '../../kv/key-index/rows.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import type {KeysState} from './state.ts';

/** True if all keys are listed and searched, so that no further key can match the filter. */
export const isShownComplete = ({listing, rows}: KeysState): boolean =>
	listing.state === 'complete' && rows.isDone;

/** Formats the number of listed keys: `390`, or `390+` if there may be more. */
const formatListedCount = ({index, listing}: KeysState): string =>
	`${formatInteger(index.count)}${listing.state === 'complete' ? '' : '+'}`;

/** Formats how many keys match the filter: `150 of 390`. */
export const formatShownCount = (keys: KeysState): string =>
	`${formatInteger(keys.rows.count)}${isShownComplete(keys) ? '' : '+'} of ${formatListedCount(keys)}`;

/** Label for the scope of a bulk action: "the 150 shown of 390", "all 390 keys". */
export function formatScope(keys: KeysState): string {
	if (keys.filter === '') return `all ${formatListedCount(keys)} keys`;
	return `the ${formatQuantity(keys.rows.count, 'key')} shown, of ${formatListedCount(keys)}`;
}

/** Formats the sort order and its progress: "by expiry, of the 1,000 loaded". */
export function formatKeySort({sort, arrangement, filter, listing, index, rows}: KeysState): string {
	if (sort === 'name') return arrangement === 'tree' && filter === '' ? 'by name, as a tree' : 'by name';
	if (listing.state !== 'complete') return `by expiration, of the ${formatInteger(index.count)} loaded`;
	if (rows.isDone) return 'by expiration';
	return filter === '' && rows.count < index.count
		? `by expiration, ${formatInteger(rows.count)} so far`
		: 'by expiration, sorting';
}

export function* listShownKeyNames(keys: KeysState): Generator<string> {
	for (const {from, to} of getShownRanges(keys))
		for (let position = from; position < to; position++) yield keys.index.getName(position);
}

export function* listSelectedShownNames(keys: KeysState): Generator<string> {
	const {index} = keys;
	for (const {from, to} of getShownRanges(keys))
		for (let position = from; position < to; position++)
			if (index.isSelected(position)) yield index.getName(position);
}

/** Counts the selected keys that the filter hides. */
export const countHiddenSelected = (keys: KeysState): number =>
	getShownRanges(keys).reduce(
		(hiddenCount, {from, to}) => hiddenCount - keys.index.countSelected(from, to),
		keys.index.selectedCount,
	);

/** Returns the shown keys, including those in closed groups, as a minimum of ranges. */
export function getShownRanges({
	index,
	rows,
	filter,
}: KeysState): readonly ReturnType<KeyRows['getPositions']>[] {
	// Without a filter, the rows cover all keys.
	if (filter === '') return [{from: 0, to: index.count}];
	const ranges: {from: number; to: number}[] = [];
	for (const {from, to} of listRangesByName(rows)) {
		const last = ranges.at(-1);
		if (last?.to === from) last.to = to;
		else ranges.push({from, to});
	}
	return ranges;
}

/** Lists the ranges of the rows, sorted by name. */
function listRangesByName(rows: KeyRows): readonly ReturnType<KeyRows['getPositions']>[] {
	const ranges = Array.from({length: rows.count}, (_, row) => rows.getPositions(row));
	return rows.arrangement === 'sorted' ? ranges.sort((one, other) => one.from - other.from) : ranges;
}
