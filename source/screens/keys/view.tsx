import {Box, Text} from 'ink';
import {memo, type ReactElement, useEffect} from 'react';
import {bodyRows} from '../../components/layout.ts';
import {List} from '../../components/list.tsx';
import {useTheme} from '../../components/theme.ts';
import {remaining} from '../../kv/change/lifetime-input.ts';
import {unixSeconds, utf8Bytes} from '../../kv/limits.ts';
import {longTime} from '../../kv/long-work.ts';
import type {Has} from '../../store/ledge-store.ts';
import {drawable} from '../../text/columns.ts';
import {cutEnd, cutMiddle, fitted} from '../../text/cut.ts';
import {counted, grouped, shortSize} from '../../text/figures.ts';
import {Empty, notLoaded} from '../shell/empty.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {keyNameHere, keyRowHere} from './here.ts';
import {measuredKeys} from './long-time.ts';
import {KeyPane, paneColumns} from './pane.tsx';
import {sortText} from './shown.ts';
import type {KeysState} from './state.ts';

/** Widths of the list: metadata from 76 columns, sizes from 96. */
function columnsFor(columns: number, hasSizes: boolean) {
	const expires = 14;
	const metadata = columns >= 76 ? Math.floor(columns * 0.28) : 0;
	const size = hasSizes && columns >= 96 ? 10 : 0;
	return {expires, metadata, size, name: columns - 5 - expires - size - metadata - (metadata > 0 ? 2 : 0)};
}

/** The keys of a namespace: scrolls a million keys as fast as ten. */
export function Keys(): ReactElement {
	const keys = useLedge(state => state.keys.data);
	const opening = useLedge(state => state.keys.opening);
	const {columns: all, rows} = useLedge(state => state.navigation.viewport);
	const refreshKeys = useLedge(state => state.keys.refresh);
	const {dim, isSpoken} = useTheme();
	const isStale = keys?.isStale === true;
	// Only while visible: elsewhere the namespace may be in use, and is refreshed on return.
	useEffect(() => {
		if (isStale) void refreshKeys();
	}, [isStale, refreshKeys]);
	if (!keys) return <Empty failure={opening?.failure} />;
	if (keys.rows.count === 0) return <Empty {...whyEmpty(keys)} />;
	const {list: columns, pane} = paneColumns(all, isSpoken);
	const hasSizes = !isSpoken;
	const widths = columnsFor(columns, hasSizes);
	const now = unixSeconds(Date.now());
	const list = (
		<>
			<Text {...dim} wrap="truncate">
				{`    ${fitted('NAME', widths.name)}${widths.size > 0 ? `${fitted('SIZE', widths.size - 2, 'right')}  ` : ''}${fitted('EXPIRES', widths.expires)}${widths.metadata > 0 ? '  METADATA' : ''}`}
			</Text>
			<List
				count={keys.rows.count}
				cursor={keys.cursor}
				height={bodyRows(rows) - 1}
				row={(index, isHere) => (
					<KeyLine
						{...lineOf(keys, index, now, widths.size > 0)}
						isHere={isHere}
						columns={columns}
						hasSizes={hasSizes}
					/>
				)}
			/>
		</>
	);
	if (pane === 0) return list;
	return (
		<Box>
			<Box flexDirection="column" width={columns}>
				{list}
			</Box>
			<KeyPane columns={pane} rows={bodyRows(rows)} />
		</Box>
	);
}

/** Texts of a row, as plain values, so that an unchanged row is not rendered again. */
type Line = {
	readonly depth: number;
	/** Undefined for a key. */
	readonly open: boolean | undefined;
	readonly name: string;
	readonly about: string;
	/** Abbreviated size; empty if unknown. */
	readonly size: string;
	readonly metadata: string;
	readonly selected: boolean;
	readonly soon: boolean;
};

/** Expiries within this many seconds are highlighted. */
const soonSeconds = 300;

function lineOf({rows, index, sizes}: KeysState, at: number, now: number, hasSizes: boolean): Line {
	const row = rows.at(at);
	const plain = {
		depth: 0,
		open: undefined,
		name: '',
		about: '',
		size: '',
		metadata: '',
		selected: false,
		soon: false,
	};
	if (!row) return plain;
	const {depth, label} = row;
	if (row.kind === 'group') {
		const {from, to} = rows.positionsOf(at);
		const selected = index.selectedBetween(from, to) === to - from;
		return {
			...plain,
			depth,
			open: row.open,
			name: label,
			about: `${grouped(row.count)}${row.complete ? '' : '+'}`,
			selected,
		};
	}
	const {position} = row;
	const expiration = index.expirationAt(position);
	const bytes = hasSizes ? sizes.of(index.nameAt(position)) : undefined;
	return {
		...plain,
		depth,
		name: label === '' ? index.nameAt(position) : label,
		about: expiration === undefined ? '' : remaining(expiration, now),
		size: bytes === undefined ? '' : shortSize(bytes),
		metadata: index.metadataAt(position) ?? '',
		selected: index.isSelected(position),
		soon: expiration !== undefined && expiration - now < soonSeconds,
	};
}

const KeyLine = memo(
	({
		depth,
		open,
		name,
		about,
		size,
		metadata,
		selected,
		soon,
		isHere,
		columns,
		hasSizes,
	}: Line & {
		readonly isHere: boolean;
		readonly columns: number;
		readonly hasSizes: boolean;
	}): ReactElement => {
		const {here, dim, warning, marks} = useTheme();
		const widths = columnsFor(columns, hasSizes);
		const indent = Math.min(depth * 2, Math.floor(widths.name / 3));
		const sign = open === undefined ? '' : `${open ? marks.open : marks.closed} `;
		const label = cutMiddle(drawable(name), widths.name - indent - sign.length - 1);
		return (
			<Text wrap="truncate" {...(isHere ? here : {})}>
				{` ${isHere ? marks.here : ' '}${selected ? marks.selected : ' '} `}
				{fitted(`${' '.repeat(indent)}${sign}${label}`, widths.name)}
				{widths.size > 0 && (
					<Text {...(isHere ? {} : dim)}>{`${fitted(size, widths.size - 2, 'right')}  `}</Text>
				)}
				<Text {...(soon ? warning : isHere ? {} : dim)}>
					{fitted(
						soon ? `${about} ${marks.warning}` : about || (open === undefined ? marks.none : ''),
						metadata === '' ? Math.max(1, about.length + 2) : widths.expires,
					)}
				</Text>
				{widths.metadata > 0 && metadata !== '' ? `  ${cutEnd(drawable(metadata), widths.metadata)}` : ''}
			</Text>
		);
	},
);

function whyEmpty({listing, filter, rows, index}: KeysState) {
	if (listing.state === 'failed') return {failure: listing.failure};
	if (listing.state === 'reading' || !rows.isDone) return {title: ''};
	// The listing was stopped: the rest is unknown.
	if (listing.state !== 'complete')
		return index.count === 0
			? {title: notLoaded}
			: {
					title: `None of the ${counted(index.count, 'key')} listed so far has "${filter}" in its name.`,
					next: 'ctrl-r lists all keys, esc clears the filter',
				};
	if (filter !== '') return {title: `No key has "${filter}" in its name.`, next: 'esc shows all keys'};
	return {title: 'There are no keys here yet.', next: 'n creates one, B loads many from a file'};
}

/**
 * Estimates the time to list all keys within the quota, for the measured number of keys or as an example:
 * "10,000,000 keys take 37 min".
 */
function listingTime({listing, index, quota}: KeysState, measured: number | undefined): readonly string[] {
	if (listing.state === 'complete' || index.count < manyKeys) return [];
	const keys = measured !== undefined && measured > index.count ? measured : example;
	const time = longTime(keys, {reads: 'names', quota});
	return time === undefined ? [] : [`${grouped(keys)} keys take ${time}`];
}

/** Listed keys before the estimate appears. */
const manyKeys = 100_000;
const example = 10_000_000;

/** Status line: selection, full name under the cursor, progress of the listing. */
export function keysStatus({
	keys: {data: keys},
	metrics: {storeFigures},
}: Has<'keys'> & Has<'metrics', 'storeFigures'>): string {
	if (!keys) return '';
	const {index, listing} = keys;
	const row = keyRowHere(keys);
	const name = keyNameHere(keys);
	const {selectedCount} = index;
	return [
		...listingTime(keys, measuredKeys({keys: {data: keys}, metrics: {storeFigures}})),
		...(selectedCount > 0 ? [`${grouped(selectedCount)} selected`] : []),
		...(name === undefined
			? row?.kind === 'group'
				? [row.prefix]
				: []
			: [name, `name ${counted(utf8Bytes(name), 'byte')}`]),
		...(listing.state === 'complete'
			? [counted(index.count, 'key')]
			: listing.state === 'reading'
				? [`${grouped(index.count)}+ keys, reading`]
				: [index.count === 0 ? 'not loaded' : `${grouped(index.count)}+ keys`]),
		...(keys.sort === 'name' ? [] : [sortText(keys)]),
		...(keys.isStale ? ['written to since: ctrl-r refreshes'] : []),
	].join('  ');
}
