import {parseKeyFilter} from '../../kv/key-index/key-filter.ts';
import type {PositionRange} from '../../kv/key-index/position-shift.ts';
import type {KeyRows} from '../../kv/key-index/rows.ts';
import {SortedRows} from '../../kv/key-index/sorted-rows.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import type {KeysState} from './state.ts';

/** True if a filter is set; a lone `^` is none. */
export const isFiltered = ({filter}: Pick<KeysState, 'filter'>): boolean =>
	parseKeyFilter(filter).kind !== 'none';

/** True if all keys are listed and searched, so that no further key can match the filter. */
export const isShownComplete = ({listing, rows}: KeysState): boolean =>
	listing.state === 'complete' && rows.isDone;

/** Counts the listed keys that match the filter; all listed keys without a filter. */
export function countShownKeys({filter, index, prefixKeys, rows}: KeysState): number {
	if (prefixKeys) return prefixKeys.count;
	return isFiltered({filter}) ? rows.count : index.count;
}

/** Formats the number of listed keys of the namespace: `390`, or `390+` if there may be more. */
export const formatListedCount = ({index}: KeysState): string =>
	`${formatInteger(index.count)}${index.complete ? '' : '+'}`;

/** Formats how many keys match the filter: `150 of 390`, or `12 keys, listed by prefix`. */
export function formatShownCount(keys: KeysState): string {
	const {prefixKeys, namespace} = keys;
	if (prefixKeys) {
		const source = namespace.where === 'local' ? 'prefix' : 'listed by prefix';
		const isUnknown = prefixKeys.count === 0 && !prefixKeys.isComplete;
		return isUnknown ? source : `${formatPrefixCount(prefixKeys)}, ${source}`;
	}
	return isFiltered(keys) ? `${formatMatchingKeyCount(keys)} of ${formatListedCount(keys)}` : '';
}

/** Formats the number of keys that match the filter: `150`, or `150+` if more may match. */
export const formatMatchingKeyCount = (keys: KeysState): string =>
	`${formatInteger(keys.rows.count)}${isShownComplete(keys) ? '' : '+'}`;

/** Formats the number of listed keys with a prefix: `1 key`, `1,000+ keys`. */
export const formatPrefixCount = ({count, isComplete}: NonNullable<KeysState['prefixKeys']>): string =>
	isComplete ? formatQuantity(count, 'key') : `${formatInteger(count)}+ keys`;

/** Label for the scope of a bulk action: "the 150 shown of 390", "all 390 keys", "all keys listed so far". */
export function formatScope(keys: KeysState): string {
	if (!isFiltered(keys))
		return keys.index.complete ? `all ${formatListedCount(keys)} keys` : 'all keys listed so far';
	const shownText = `the ${formatQuantity(countShownKeys(keys), 'key')} shown`;
	return keys.prefixKeys ? shownText : `${shownText}, of ${formatListedCount(keys)}`;
}

/**
 * Formats the sort order and its progress: "by expiration, of the 1,000 loaded", "by size, known for 3 of 9".
 */
export function formatKeySort(keys: KeysState): string {
	const {sort, arrangement, filter, listing, rows} = keys;
	const isTextFilter = parseKeyFilter(filter).kind === 'text';
	if (sort === 'name') return arrangement === 'tree' && !isTextFilter ? 'by name, as a tree' : 'by name';
	const order = sort === 'expiry' ? 'by expiration' : 'by size';
	if (hasUnknownSizes(keys) && rows instanceof SortedRows)
		return `${order}, known for ${formatInteger(rows.valuedCount)} of ${formatInteger(rows.count)}${listing.state === 'complete' ? '' : ' loaded'}`;
	const shownCount = countShownKeys(keys);
	if (listing.state !== 'complete')
		return `${order}, of the ${formatInteger(keys.prefixKeys ? shownCount : keys.index.count)} loaded`;
	if (rows.isDone) return order;
	return !isTextFilter && rows.count < shownCount
		? `${order}, ${formatInteger(rows.count)} so far`
		: `${order}, sorting`;
}

/** True if the keys are sorted by size and some sizes are unknown. */
export const hasUnknownSizes = ({sort, rows}: KeysState): boolean =>
	sort === 'size' && rows.isDone && rows instanceof SortedRows && rows.valuedCount < rows.count;

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

export const hasSelectedKeys = ({keys: {data: keys}}: StateWith<'keys', 'data'>): boolean =>
	keys !== undefined && keys.index.selectedCount > 0;

/** Puts the hint of an action on the selected keys before the others. */
export const putFirstIfSelected = (state: StateWith<'keys', 'data'>): 'first' | undefined =>
	hasSelectedKeys(state) ? 'first' : undefined;

/** Counts the selected keys that the filter hides. */
export const countHiddenSelected = (keys: KeysState): number =>
	getShownRanges(keys).reduce(
		(hiddenCount, {from, to}) => hiddenCount - keys.index.countSelected(from, to),
		keys.index.selectedCount,
	);

/** Returns the shown keys, including those in closed groups, as a minimum of ranges. */
export function getShownRanges({index, rows, filter, prefixKeys}: KeysState): readonly PositionRange[] {
	// The rows cover all keys, or all with the prefix.
	if (prefixKeys) return [{from: prefixKeys.from, to: prefixKeys.to}];
	if (!isFiltered({filter})) return [{from: 0, to: index.count}];
	return mergeRowPositions(rows, 0, rows.count);
}

/** Returns the keys of the rows from one to another, which is not included, as a minimum of ranges. */
export function getRowPositions({rows}: KeysState, from: number, to: number): readonly PositionRange[] {
	if (rows.arrangement === 'filtered' || rows.arrangement === 'sorted')
		return mergeRowPositions(rows, from, to);
	const last = rows.at(to - 1);
	const {from: lastFrom, to: lastTo} = rows.getPositions(to - 1);
	// The keys of an open group come in the rows after it.
	return [
		{
			from: rows.getPositions(from).from,
			to: last?.kind === 'group' && last.open ? lastFrom : lastTo,
		},
	];
}

/** Returns the keys of rows without groups as a minimum of ranges, sorted by name. */
function mergeRowPositions(rows: KeyRows, from: number, to: number): readonly PositionRange[] {
	const positions = Uint32Array.from({length: to - from}, (_, row) => rows.getPositions(from + row).from);
	if (rows.arrangement === 'sorted') positions.sort();
	const ranges: {from: number; to: number}[] = [];
	for (const position of positions) {
		const last = ranges.at(-1);
		if (last?.to === position) last.to++;
		else ranges.push({from: position, to: position + 1});
	}
	return ranges;
}
