import {Box, Text} from 'ink';
import type {ReactElement} from 'react';
import {getBodyRows} from '../../components/layout.ts';
import {useTheme} from '../../components/theme.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {formatExpiry} from '../../kv/change/lifetime-input.ts';
import type {WholeKey} from '../../kv/change/whole-key.ts';
import {getNoMatchAdvice} from '../../kv/key-index/key-filter.ts';
import {toEpochSeconds} from '../../kv/limits.ts';
import {describeLongWork} from '../../kv/long-work.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {toDrawable} from '../../text/columns.ts';
import {cutEnd, cutMiddle} from '../../text/cut.ts';
import {formatValueSize} from '../key/about.ts';
import {Table} from '../list/table.tsx';
import {DifferenceRows} from '../review/difference-view.tsx';
import {Empty} from '../shell/empty.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {computeDetailRows, getDetailLayout} from './detail-layout.ts';
import {buildDifferenceColumns, differenceSigns, formatCompareSummary} from './rows.ts';
import {
	type ComparedKey,
	type CompareState,
	countComparedKeys,
	getCurrentDifference,
	getVisibleDifferences,
} from './state.ts';

/** The Compare screen: the differing keys, and the opened one. */
export function Compare(): ReactElement {
	const compare = useLedge(state => state.compare.data);
	const {columns, rows} = useLedge(state => state.navigation.viewport);
	const isOpening = useLedge(
		({compare: {data: comparison}, work: {list: work}}) =>
			!comparison && work.some(({kind}) => kind === 'read'),
	);
	const failure = useLedge(({messages: {latest: message}}) =>
		message?.kind === 'failed' ? message.failure : undefined,
	);
	if (isOpening) return <Empty />;
	// If a store could not be opened, the failure is shown until Esc or a later message replaces it.
	if (!compare && failure) return <Empty failure={failure} />;
	if (!compare)
		return (
			<Empty
				title="No comparison yet."
				next={`Press ${nameKey('keys.compare', '=')} in the key list of a namespace to compare it.`}
			/>
		);
	if (compare.detail)
		return <Detail compare={compare} detail={compare.detail} columns={columns} rows={getBodyRows(rows)} />;
	return <Differences compare={compare} columns={columns} />;
}

type CompareProps = {readonly compare: CompareState; readonly columns: number; readonly rows: number};

function Differences({compare, columns}: Omit<CompareProps, 'rows'>): ReactElement {
	const {differences, phase, cursor} = compare;
	if (differences.length === 0) {
		if (phase.name === 'failed') return <Empty failure={phase.failure} />;
		return <Empty {...describeEmptyComparison(compare)} />;
	}
	const visibleDifferences = getVisibleDifferences(compare);
	if (visibleDifferences.length === 0)
		return <Empty title={`No matches for "${compare.filter}".`} next={getNoMatchAdvice(compare.filter)} />;
	return (
		<Table columns={buildDifferenceColumns(compare, columns)} rows={visibleDifferences} cursor={cursor} />
	);
}

/** Describes why there is no row; while comparing, the status line shows the progress. */
function describeEmptyComparison({phase, counts, keySubset, work, narrowingAdvice}: CompareState): {
	readonly title: string;
	readonly next?: string;
} {
	switch (phase.name) {
		case 'comparing': {
			const text = describeLongWork(work, countComparedKeys(counts));
			return text === undefined ? {title: ''} : {title: text, next: narrowingAdvice};
		}
		case 'failed':
			return {title: ''};
		case 'done':
			return {
				title: counts.same === 0 ? 'Neither has any keys.' : 'No differences found.',
				...(keySubset !== undefined && {next: `Only ${toDrawable(keySubset)} were compared.`}),
			};
		case 'stopped':
			return {title: 'Stopped before a difference was found.', next: 'ctrl-r compares again.'};
		default:
			return phase satisfies never;
	}
}

function Detail({
	compare,
	detail,
	columns,
	rows,
}: CompareProps & {readonly detail: ComparedKey}): ReactElement {
	const {dim, isSpoken} = useTheme();
	if (detail.state === 'reading') return <Empty title="" />;
	const {one, other} = compare;
	const width = columns - 6;
	// On narrow terminals the title is cut in favour of the facts.
	const formatFact = (sign: string, title: string, fact: string) =>
		cutEnd(`${sign} ${cutMiddle(toDrawable(title), Math.floor(width / 3))}: ${toDrawable(fact)}`, width);
	const facts = [
		formatFact(differenceSigns['only in one'], one.title, formatKeySide(detail.one)),
		formatFact(differenceSigns['only in other'], other.title, formatKeySide(detail.other)),
	];
	const {layout, placeholder, sideBySide} = getDetailLayout(detail, {
		columns,
		rows,
		isSpoken: isSpoken === true,
	});
	const room = computeDetailRows(rows, sideBySide);
	return (
		<Box flexDirection="column" height={rows} overflow="hidden">
			<Text wrap="truncate">{`   ${cutMiddle(toDrawable(detail.key), width)}`}</Text>
			<Text {...dim} wrap="truncate">
				{facts.map(line => `   ${line}`).join('\n')}
			</Text>
			{layout ? (
				<DifferenceRows
					layout={layout}
					top={detail.top}
					visibleRows={room}
					columns={columns}
					sideBySide={sideBySide}
					titles={[one.title, other.title]}
				/>
			) : (
				<Text wrap="truncate">{`\n   ${placeholder}`}</Text>
			)}
		</Box>
	);
}

function formatKeySide(key: WholeKey | undefined): string {
	if (!key) return 'no such key';
	const {bytes, metadata, expiration} = key;
	return [
		formatValueSize(bytes.length),
		metadata === null ? 'no metadata' : `metadata ${JSON.stringify(metadata)}`,
		expiration === undefined
			? 'never expires'
			: `expires ${formatExpiry(expiration, toEpochSeconds(Date.now()))}`,
	].join(' · ');
}

/** Status line: progress; afterwards also the full key under the cursor. */
export function formatCompareStatus({compare: {data: compare}}: StateWith<'compare'>): string {
	if (!compare) return '';
	const selectedDifference =
		compare.detail || showsCompareProgress({compare: {data: compare}})
			? undefined
			: getCurrentDifference(compare);
	return [formatCompareSummary(compare), ...(selectedDifference ? [selectedDifference.key] : [])].join('   ');
}

/** True while the status line shows the progress of the comparison, instead of the name of the work. */
export const showsCompareProgress = ({compare: {data: compare}}: StateWith<'compare'>): boolean =>
	compare?.phase.name === 'comparing' && compare.detail?.state !== 'reading';
