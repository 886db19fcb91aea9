import {Box, Text} from 'ink';
import {memo, type ReactElement, useEffect} from 'react';
import {getBodyRows} from '../../components/layout.ts';
import {List} from '../../components/list.tsx';
import {useTheme} from '../../components/theme.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {formatTimeLeft} from '../../kv/change/lifetime-input.ts';
import {getNoMatchAdvice, parseKeyFilter} from '../../kv/key-index/key-filter.ts';
import {TreeRows} from '../../kv/key-index/tree-rows.ts';
import {getUtf8Length, toEpochSeconds} from '../../kv/limits.ts';
import {formatLongDuration} from '../../kv/long-work.ts';
import type {KeyChange} from '../../kv/watch/changes.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {toDrawable} from '../../text/columns.ts';
import {cutEnd, cutMiddle, fitText} from '../../text/cut.ts';
import {formatInteger, formatQuantity, formatShortSize} from '../../text/figures.ts';
import {formatWatchStatus} from '../key/watch-status.ts';
import {Empty, formatNotLoaded} from '../shell/empty.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {getCurrentKeyName, getCurrentKeyRow} from './cursor-row.ts';
import {computePaneColumns, KeyPane} from './pane.tsx';
import {formatKeySort, formatMatchingKeyCount, isFiltered} from './shown-keys.ts';
import type {KeysState} from './state.ts';
import {getMeasuredKeyCount} from './work-time.ts';

/** What the columns depend on. `isTree`: groups have counts. */
type KeyListShape = {
	readonly columns: number;
	readonly hasSizes: boolean;
	readonly hasPane: boolean;
	readonly isTree: boolean;
};

/**
 * Computes the widths of the columns. The counts of the tree replace the expirations below 56 columns.
 * Metadata appears from 76 columns on, unless the pane shows it, and sizes from 96.
 */
function computeKeyListColumns({columns, hasSizes, hasPane, isTree}: KeyListShape) {
	const count = isTree ? 13 : 0;
	const expires = isTree && columns < 56 ? 0 : 14;
	const metadata = columns >= 76 && !hasPane ? Math.floor(columns * 0.28) : 0;
	const size = hasSizes && columns >= 96 ? 10 : 0;
	const name = columns - 5 - count - expires - size - metadata - (metadata > 0 ? 2 : 0);
	return {count, expires, metadata, size, name};
}

/** Right-aligns a figure before a gap. */
const fitFigure = (text: string, width: number): string =>
	width > 0 ? `${fitText(text, width - 2, 'right')}  ` : '';

/** The keys of a namespace. Scrolling a million keys is as fast as scrolling ten. */
export function Keys(): ReactElement {
	const keys = useLedge(state => state.keys.data);
	const opening = useLedge(state => state.keys.opening);
	const {columns: totalColumns, rows} = useLedge(state => state.navigation.viewport);
	const refreshKeys = useLedge(state => state.keys.refresh);
	const hasPreview = useLedge(({connection}) => connection.preferences?.defaults.preview?.value ?? true);
	const {dim, isSpoken} = useTheme();
	const marks = useLedge(state => state.watch.marks);
	const markSeen = useLedge(state => state.watch.markSeen);
	const isStale = keys?.isStale === true;
	const currentName = keys && getCurrentKeyName(keys);
	// A change counts as seen once the cursor leaves its row.
	useEffect(() => {
		if (currentName !== undefined) return () => markSeen(currentName);
		return undefined;
	}, [currentName, markSeen]);
	// The list is refreshed only while it is visible, because other screens may be using the namespace.
	useEffect(() => {
		if (isStale) void refreshKeys();
	}, [isStale, refreshKeys]);
	if (!keys) return <Empty failure={opening?.failure} />;
	if (keys.rows.count === 0) return <Empty {...describeEmptyKeyList(keys)} />;
	const {listColumns: columns, paneColumns} = computePaneColumns(totalColumns, isSpoken || !hasPreview);
	const hasSizes = !isSpoken;
	const hasPane = paneColumns > 0;
	const isTree = keys.rows instanceof TreeRows;
	const widths = computeKeyListColumns({columns, hasSizes, hasPane, isTree});
	const now = toEpochSeconds(Date.now());
	const changes = marks?.index === keys.index ? marks.kinds : noChanges;
	const list = (
		<>
			<Text {...dim} wrap="truncate">
				{`    ${fitText('NAME', widths.name)}${fitFigure('KEYS', widths.count)}${fitFigure('SIZE', widths.size)}${fitText('EXPIRES', widths.expires)}${widths.metadata > 0 ? '  METADATA' : ''}`}
			</Text>
			<List
				count={keys.rows.count}
				cursor={keys.cursor}
				height={getBodyRows(rows) - 1}
				isSelected={index =>
					keys.index.selectedCount > 0 && buildKeyLine(keys, index, now, false, noChanges).isSelected
				}
				renderRow={(index, isCurrent) => (
					<KeyLine
						{...buildKeyLine(keys, index, now, widths.size > 0, changes)}
						isCurrent={isCurrent}
						columns={columns}
						hasSizes={hasSizes}
						hasPane={hasPane}
						isTree={isTree}
					/>
				)}
			/>
		</>
	);
	if (paneColumns === 0) return list;
	return (
		<Box>
			<Box flexDirection="column" width={columns}>
				{list}
			</Box>
			<KeyPane columns={paneColumns} rows={getBodyRows(rows)} />
		</Box>
	);
}

/** The content of a row. All values are primitive, so that an unchanged row is not rendered again. */
type KeyRowTexts = {
	readonly depth: number;
	/** Undefined for a key. */
	readonly isOpen: boolean | undefined;
	readonly name: string;
	/** Number of keys of a group; empty for a key. */
	readonly count: string;
	/** When a key expires. */
	readonly detail: string;
	/** Abbreviated size; empty if unknown. */
	readonly size: string;
	readonly metadata: string;
	readonly isSelected: boolean;
	readonly expiresSoon: boolean;
	/** A change that was not looked at yet; of a group, that a key in it changed. */
	readonly change: ChangeKind | undefined;
};

type ChangeKind = KeyChange['kind'];

const noChanges: ReadonlyMap<string, ChangeKind> = new Map();

/** Expiries within this many seconds are highlighted. */
const soonSeconds = 300;

function buildKeyLine(
	{rows, index, sizes}: KeysState,
	rowIndex: number,
	now: number,
	hasSizes: boolean,
	changes: ReadonlyMap<string, ChangeKind>,
): KeyRowTexts {
	const row = rows.at(rowIndex);
	const emptyTexts = {
		depth: 0,
		isOpen: undefined,
		name: '',
		count: '',
		detail: '',
		size: '',
		metadata: '',
		isSelected: false,
		expiresSoon: false,
		change: undefined,
	};
	if (!row) return emptyTexts;
	const {depth, label} = row;
	if (row.kind === 'group') {
		const {from, to} = rows.getPositions(rowIndex);
		const isSelected = index.countSelected(from, to) === to - from;
		return {
			...emptyTexts,
			depth,
			isOpen: row.open,
			name: label,
			count: `${formatInteger(row.count)}${row.complete ? '' : '+'}`,
			isSelected,
			change: [...changes.keys()].some(name => name.startsWith(row.prefix)) ? 'changed' : undefined,
		};
	}
	const {position} = row;
	const expiration = index.getExpiration(position);
	const bytes = hasSizes ? sizes.getSize(index.getName(position)) : undefined;
	return {
		...emptyTexts,
		depth,
		name: label === '' ? index.getName(position) : label,
		detail: expiration === undefined ? '' : formatTimeLeft(expiration, now),
		size: bytes === undefined ? '' : formatShortSize(bytes),
		metadata: index.getMetadata(position) ?? '',
		isSelected: index.isSelected(position),
		expiresSoon: expiration !== undefined && expiration - now < soonSeconds,
		change: changes.get(index.getName(position)),
	};
}

/** The signs of diffs, in colours of the same meaning. A screen reader gets a word after the name. */
const changeSigns = {added: '+', changed: '~', deleted: '-'} as const;

const KeyLine = memo(
	({
		depth,
		isOpen,
		name,
		count,
		detail,
		size,
		metadata,
		isSelected,
		expiresSoon,
		change,
		isCurrent,
		columns,
		hasSizes,
		hasPane,
		isTree,
	}: KeyRowTexts & KeyListShape & {readonly isCurrent: boolean}): ReactElement => {
		const {cursorBar, selectionBar, dim, warning, good, danger, marks, isSpoken} = useTheme();
		const isBar = isCurrent || isSelected;
		const widths = computeKeyListColumns({columns, hasSizes, hasPane, isTree});
		const indent = Math.min(depth * 2, Math.floor(widths.name / 3));
		const foldMark = isOpen === undefined ? '' : `${isOpen ? marks.open : marks.closed} `;
		const word = isSpoken && change !== undefined ? ` (${change})` : '';
		const label = cutMiddle(toDrawable(name), widths.name - indent - foldMark.length - 1 - word.length);
		return (
			<Text wrap="truncate" {...(isCurrent ? cursorBar : isSelected ? selectionBar : {})}>
				{change === undefined || isSpoken ? (
					' '
				) : (
					<Text {...(isBar ? {} : {added: good, changed: warning, deleted: danger}[change])}>
						{changeSigns[change]}
					</Text>
				)}
				{`${isCurrent ? marks.current : ' '}${isSelected ? marks.selected : ' '} `}
				{fitText(`${' '.repeat(indent)}${foldMark}${label}${word}`, widths.name)}
				{widths.count + widths.size > 0 && (
					<Text {...(isBar ? {} : dim)}>{fitFigure(count, widths.count) + fitFigure(size, widths.size)}</Text>
				)}
				{widths.expires > 0 && (
					<Text {...(isBar ? {} : expiresSoon ? warning : dim)}>
						{fitText(
							expiresSoon ? `${detail} ${marks.warning}` : detail || (isOpen === undefined ? marks.none : ''),
							metadata === '' ? Math.max(1, detail.length + 2) : widths.expires,
						)}
					</Text>
				)}
				{widths.metadata > 0 && metadata !== '' ? `  ${cutEnd(toDrawable(metadata), widths.metadata)}` : ''}
			</Text>
		);
	},
);

function describeEmptyKeyList({listing, filter, rows, index}: KeysState) {
	const nameFilter = parseKeyFilter(filter);
	if (listing.state === 'failed') return {failure: listing.failure};
	if (listing.state === 'reading' || !rows.isDone) return {title: ''};
	// The listing was stopped, so there may be more keys.
	if (listing.state !== 'complete')
		return index.count === 0 || nameFilter.kind !== 'text'
			? {title: formatNotLoaded()}
			: {
					title: nameFilter.isInverse
						? `All ${formatQuantity(index.count, 'key')} listed so far have "${nameFilter.text}" in their names.`
						: `None of the ${formatQuantity(index.count, 'key')} listed so far has "${nameFilter.text}" in its name.`,
					next: `${nameKey('keys.all', 'ctrl-l')} lists all keys, esc clears the filter`,
				};
	if (nameFilter.kind === 'text')
		return {
			title: nameFilter.isInverse
				? `All keys have "${nameFilter.text}" in their names.`
				: `No name contains "${nameFilter.text}".`,
			next: `${getNoMatchAdvice(filter)}, then ${nameKey('keys.search-values', 'f')} searches the values, not the metadata`,
		};
	if (nameFilter.kind === 'prefix')
		return {title: `No key starts with "${nameFilter.prefix}".`, next: getNoMatchAdvice(filter)};
	return {
		title: 'No keys yet.',
		next: `press ${nameKey('edit.new', 'a')} to create one, ${nameKey('keys.bulk', 'B')} to load many from a file`,
	};
}

/**
 * Estimates the time to list all keys within the quota, for the measured number of keys or as an example:
 * "e.g. 10,000,000 keys take 37 min".
 */
function formatListingTime(
	{listing, index, prefixKeys, quota}: KeysState,
	measuredCount: number | undefined,
): readonly string[] {
	if (listing.state === 'complete' || prefixKeys || index.count < minKeysForTime) return [];
	const isMeasured = measuredCount !== undefined && measuredCount > index.count;
	const keyCount = isMeasured ? measuredCount : exampleKeyCount;
	const duration = formatLongDuration(keyCount, {content: 'names', quota});
	return duration === undefined
		? []
		: [`${isMeasured ? '' : 'e.g. '}${formatInteger(keyCount)} keys take ${duration}`];
}

/** Minimum number of listed keys before the estimate appears. */
const minKeysForTime = 100_000;
const exampleKeyCount = 10_000_000;

/** Status line: selection, full name under the cursor, progress of the listing. */
export function formatKeysStatus(
	state: StateWith<'keys'> & StateWith<'metrics', 'storeFigures'> & StateWith<'watch', 'active'>,
): string {
	const keys = state.keys.data;
	if (!keys) return '';
	const {index, prefixKeys} = keys;
	const row = getCurrentKeyRow(keys);
	const name = getCurrentKeyName(keys);
	const {selectedCount} = index;
	const progress = formatListingProgress(keys.listing, prefixKeys?.count ?? index.count);
	return [
		...formatWatchStatus(state, 'keys'),
		...formatListingTime(keys, getMeasuredKeyCount(state)),
		...(selectedCount > 0 ? [`${formatInteger(selectedCount)} selected`] : []),
		...(name === undefined ? [] : [name, `name ${formatQuantity(getUtf8Length(name), 'byte')}`]),
		...(row?.kind === 'group' ? [row.prefix] : []),
		row?.kind === 'group'
			? `${formatInteger(row.count)} of ${progress}`
			: isFiltered(keys) && !prefixKeys
				? `${formatMatchingKeyCount(keys)} of ${progress}`
				: progress,
		...(keys.sort === 'name' ? [] : [formatKeySort(keys)]),
		...(keys.isStale ? [`stale: ${nameKey('reload', 'ctrl-r')} refreshes`] : []),
	].join('  ');
}

/** Formats the number of listed keys: `390 keys`, `1,000+ keys, ctrl-l lists the rest`. */
function formatListingProgress(listing: KeysState['listing'], count: number): string {
	switch (listing.state) {
		case 'complete':
			return formatQuantity(count, 'key');
		case 'reading':
			return `${formatInteger(count)}+ keys, loading${listing.readsToEnd ? ' (esc stops)' : ''}`;
		case 'resting':
			return count === 0
				? 'not loaded'
				: `${formatInteger(count)}+ keys, ${nameKey('keys.all', 'ctrl-l')} lists the rest`;
		case 'failed':
			return count === 0
				? 'not loaded'
				: `${formatInteger(count)}+ keys, ${nameKey('reload', 'ctrl-r')} retries`;
		default:
			return listing satisfies never;
	}
}
