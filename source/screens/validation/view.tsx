import {Box, Text} from 'ink';
import {type ReactElement, useEffect} from 'react';
import {getBodyRows} from '../../components/layout.ts';
import {Plot} from '../../components/plot.tsx';
import {useTheme} from '../../components/theme.ts';
import {formatCandidateCount, formatEventCount, noEventsNote} from '../../migration/validation/words.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {type Column, Table} from '../list/table.tsx';
import {Rows, ScrolledRows} from '../rows/lines.tsx';
import {Empty} from '../shell/empty.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {computeValidationLayout} from './layout.ts';
import {formatValidationRowKind, formatValidationRuleName, type ValidationRow} from './rows.ts';
import {getValidationCursor, getValidationRows} from './slice.ts';

/** How often to check whether a refresh is due, in milliseconds. */
const refreshCheckMs = 15_000;
/** Columns left and right of the text. */
const margin = 3;

/** Returns the width of a count column, which fits "about 1,234,560" for estimates. */
const getCountWidth = (isSampled: boolean): number => (isSampled ? 16 : 9);

const buildColumns = (isSampled: boolean): readonly Column<ValidationRow>[] => [
	{
		title: 'VERSION',
		getWidth: () => 14,
		getText: formatValidationRowKind,
		getLook: ({kind}) => (kind === 'candidate' ? {bold: true} : {}),
	},
	{
		title: 'STOPPED',
		getWidth: () => getCountWidth(isSampled),
		align: 'right',
		getText: ({subject}) => formatEventCount(subject.stopped, isSampled),
	},
	{
		title: 'ALONE',
		getWidth: columns => (columns >= 100 ? getCountWidth(isSampled) : 0),
		align: 'right',
		getText: ({subject}) =>
			'stoppedAlone' in subject ? formatEventCount(subject.stoppedAlone, isSampled) : '',
	},
	{
		title: 'LOGGED',
		getWidth: columns => (columns >= 120 ? getCountWidth(isSampled) : 0),
		align: 'right',
		getText: ({subject}) => ('logged' in subject ? formatEventCount(subject.logged, isSampled) : ''),
	},
	{
		title: 'PATH',
		getWidth: columns => Math.floor(columns * (columns < 80 ? 0.22 : 0.3)),
		gap: 2,
		cut: 'middle',
		getText: ({subject}) => ('path' in subject ? subject.path : ''),
	},
	{title: 'RULE', gap: 2, getText: formatValidationRuleName},
];

const exactColumns = buildColumns(false);
const sampledColumns = buildColumns(true);

/**
 * The comparison screen: both counts side by side, over time, and where only one version stopped requests.
 */
export function Validation(): ReactElement {
	const migration = useLedge(state => state.migration.data);
	const validation = useLedge(state => state.validation.data);
	const viewport = useLedge(state => state.navigation.viewport);
	const readEvents = useLedge(state => state.migration.readEvents);
	const {dim, marks} = useTheme();
	useEffect(() => {
		const timer = setInterval(() => void readEvents('due'), refreshCheckMs);
		return () => clearInterval(timer);
	}, [readEvents]);
	const {events} = migration ?? {};
	if (!migration || !events) return <Empty title="" />;
	const {columns, rows} = viewport;
	const {head, plot, plotRows, listRows, detail, detailRows} = computeValidationLayout(
		{migration: {data: migration}, validation: {data: validation}, navigation: {viewport}},
		events,
		marks,
	);
	const validationRows = getValidationRows({migration: {data: migration}});
	return (
		<>
			<Rows rows={head} margin={margin} />
			{plot && plotRows > 0 && (
				<Box paddingLeft={margin} flexShrink={0}>
					<Plot plot={plot} columns={columns - 2 * margin} rows={plotRows} />
				</Box>
			)}
			{validationRows.length === 0 ? (
				<Text {...dim} wrap="truncate">
					{`   ${events.reading ? noEventsNote : ''}`}
				</Text>
			) : (
				<Box flexDirection="column" height={listRows} flexShrink={0} overflow="hidden">
					<Table
						columns={events.reading?.comparison.isSampled ? sampledColumns : exactColumns}
						rows={validationRows}
						cursor={getValidationCursor({migration: {data: migration}, validation: {data: validation}})}
						rowsBelow={getBodyRows(rows) - listRows}
					/>
				</Box>
			)}
			{detailRows > 0 && (
				<>
					<Text {...dim} wrap="truncate">
						{`   ${marks.line.repeat(Math.max(0, columns - 6))}`}
					</Text>
					<ScrolledRows rows={detail} top={validation.top} height={detailRows} hint=": ctrl-d" />
				</>
			)}
		</>
	);
}

/** Returns the number of candidates, if known. */
export function getValidationStatus({migration: {data: migration}}: StateWith<'migration'>): string {
	const reading = migration?.events?.reading;
	return reading ? formatCandidateCount(reading.comparison) : '';
}
