import {Box, Text} from 'ink';
import {type ReactElement, useMemo} from 'react';
import {getBodyRows} from '../../components/layout.ts';
import {List} from '../../components/list.tsx';
import {useTheme} from '../../components/theme.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {Rows} from '../rows/lines.tsx';
import {Scrolled} from '../rows/panes.tsx';
import {sliceVisibleRows} from '../rows/rows.ts';
import {Empty} from '../shell/empty.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {
	buildCostRows,
	buildReadingRows,
	buildStatsColumns,
	buildStatsFailureRows,
	formatSpokenEntry,
	formatStatsSummary,
	indentStatsRow,
	type StatsColumn,
} from './rows.ts';
import type {StatsState} from './state.ts';

/** The Statistics screen: cost, progress, results. */
export function Stats(): ReactElement {
	const stats = useLedge(state => state.stats.data);
	if (!stats)
		return (
			<Empty
				title="No statistics yet."
				next={`Press ${nameKey('keys.stats', 'S')} in the key list of a namespace to collect them.`}
			/>
		);
	return <StatsBody stats={stats} />;
}

function StatsBody({stats}: {readonly stats: StatsState}): ReactElement {
	const {columns, rows} = useLedge(state => state.navigation.viewport);
	const {marks, isSpoken} = useTheme();
	const height = getBodyRows(rows);
	const area = useMemo(() => ({columns, marks}), [columns, marks]);
	const statsColumns = useMemo(() => buildStatsColumns(stats, area), [stats, area]);
	const {phase, entries, cursor} = stats;
	if (phase.name === 'asking') {
		const costRows = buildCostRows(stats, area, height);
		return (
			<BoxedRows
				rows={sliceVisibleRows(costRows, height, cursor, ': pagedown').map(indentStatsRow)}
				height={height}
			/>
		);
	}
	if (phase.name === 'reading') return <BoxedRows rows={buildReadingRows(stats, area)} height={height} />;
	if (entries.length === 0)
		return phase.name === 'failed' ? (
			<Empty failure={phase.failure} />
		) : (
			<Empty
				title="Stopped before anything was listed."
				next={`${nameKey('reload', 'ctrl-r')} starts over`}
			/>
		);
	const failureRows = buildStatsFailureRows(stats, area);
	const resultRows = height - failureRows.length;
	if (isSpoken)
		return (
			<>
				<Rows rows={failureRows} margin={3} />
				<List
					count={entries.length}
					cursor={cursor}
					height={resultRows}
					renderRow={index => {
						const entry = entries[index];
						return <Text wrap="truncate">{`${marks.current} ${entry ? formatSpokenEntry(entry) : ''}`}</Text>;
					}}
				/>
			</>
		);
	return (
		<>
			<Rows rows={failureRows} margin={3} />
			<Box height={resultRows} overflow="hidden">
				{statsColumns.map((column, index) => (
					<StatsColumnBox key={index === 0 ? 'left' : 'right'} column={column} height={resultRows} />
				))}
			</Box>
		</>
	);
}

function StatsColumnBox({
	column,
	height,
}: {
	readonly column: StatsColumn;
	readonly height: number;
}): ReactElement {
	const {columns, rows, cursorRows} = column;
	return (
		<Box width={columns} marginRight={4} flexDirection="column" flexShrink={0}>
			<Scrolled body={{rows, tail: [], ...(cursorRows && {cursorRows})}} top={0} height={height} />
		</Box>
	);
}

const BoxedRows = ({
	rows,
	height,
}: {
	readonly rows: Parameters<typeof Rows>[0]['rows'];
	readonly height: number;
}): ReactElement => (
	<Box height={height} overflow="hidden">
		<Rows rows={rows} />
	</Box>
);

export const formatStatsStatus = ({stats: {data: stats}}: StateWith<'stats'>): string =>
	stats ? formatStatsSummary(stats) : '';
