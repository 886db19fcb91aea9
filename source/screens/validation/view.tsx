import {Box, Text} from 'ink';
import {type ReactElement, useEffect} from 'react';
import {bodyRows} from '../../components/layout.ts';
import {Plot} from '../../components/plot.tsx';
import {useTheme} from '../../components/theme.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {counted, grouped} from '../../text/figures.ts';
import {detailColumns} from '../firewall/detail-rows.ts';
import {Rows, ScrolledRows} from '../rows/lines.tsx';
import {Empty} from '../shell/empty.tsx';
import {type Column, Table} from '../shell/table.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {detailRows, headRows, kindInWords, nameOf, plotOf, type ValidationRow} from './rows.ts';
import {cursorIn, rowHere, rowsIn} from './slice.ts';

/** Milliseconds between two looks whether it is time to refresh. */
const lookEvery = 15_000;
/** Columns left and right of the text. */
const margin = 3;

const table: readonly Column<ValidationRow>[] = [
	{
		title: '',
		width: () => 14,
		text: kindInWords,
		look: ({kind}) => (kind === 'candidate' ? {bold: true} : {}),
	},
	{title: 'STOPPED', width: () => 9, align: 'right', text: ({at}) => grouped(at.stopped)},
	{
		title: 'ALONE',
		width: columns => (columns >= 100 ? 9 : 0),
		align: 'right',
		text: ({at}) => ('only' in at ? grouped(at.only) : ''),
	},
	{
		title: 'LOGGED',
		width: columns => (columns >= 120 ? 9 : 0),
		align: 'right',
		text: ({at}) => ('logged' in at ? grouped(at.logged) : ''),
	},
	{
		title: 'PATH',
		width: columns => Math.floor(columns * 0.3),
		gap: 2,
		cut: 'middle',
		text: ({at}) => ('path' in at ? at.path : ''),
	},
	{title: 'RULE', gap: 2, text: ({at}) => nameOf(at)},
];

/** Rows of the plot, by those of the screen; none where there is no room. */
const plotRows = (height: number): number => (height < 16 ? 0 : height < 30 ? 6 : Math.floor(height * 0.3));

/** What both versions did: side by side, over time, and where only one of them stopped requests. */
export function Validation(): ReactElement {
	const migration = useLedge(state => state.migration);
	const validation = useLedge(state => state.validation);
	const {columns, rows} = useLedge(({viewport}) => viewport);
	const readEvents = useLedge(state => state.readMigrationEvents);
	const {dim, marks} = useTheme();
	useEffect(() => {
		const timer = setInterval(() => void readEvents('due'), lookEvery);
		return () => clearInterval(timer);
	}, [readEvents]);
	const {events} = migration ?? {};
	if (!migration || !events) return <Empty title="" />;
	const height = bodyRows(rows);
	const place = {columns: detailColumns(columns), rows: height, marks, now: events.at};
	const head = headRows(events, place);
	const plot = plotOf(events);
	const list = rowsIn({migration});
	const found = rowHere({migration, validation});
	const forPlot = plot && list.length > 0 ? plotRows(height) : 0;
	const rest = Math.max(3, height - head.length - forPlot);
	const below = rest < 8 ? 0 : Math.max(4, Math.floor(rest * 0.45));
	return (
		<>
			<Rows rows={head.slice(0, height - 3)} margin={margin} />
			{plot && forPlot > 0 && (
				<Box paddingLeft={margin} flexShrink={0}>
					<Plot plot={plot} columns={columns - 2 * margin} rows={forPlot} />
				</Box>
			)}
			{list.length === 0 ? (
				<Text {...dim} wrap="truncate">
					{`   ${events.found ? 'No managed rule did anything in this time. Figures are minutes behind.' : ''}`}
				</Text>
			) : (
				<Box
					flexDirection="column"
					height={rest - (below > 0 ? below + 1 : 0)}
					flexShrink={0}
					overflow="hidden"
				>
					<Table
						columns={table}
						rows={list}
						cursor={cursorIn({migration, validation})}
						below={height - rest + (below > 0 ? below + 1 : 0)}
					/>
				</Box>
			)}
			{found && below > 0 && (
				<>
					<Text {...dim} wrap="truncate">
						{`   ${marks.rule.repeat(Math.max(0, columns - 6))}`}
					</Text>
					<ScrolledRows rows={detailRows(found, events, place)} top={validation.top} height={below} />
				</>
			)}
		</>
	);
}

/** How many candidates there are. */
export function validationStatus({migration}: Pick<LedgeState, 'migration'>): string {
	const found = migration?.events?.found;
	return found ? counted(found.comparison.candidates.length, 'candidate') : '';
}
