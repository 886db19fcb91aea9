import type {ReadResult} from '../../analytics/problem.ts';
import {getOperationCount, operationKinds} from '../../analytics/store-metrics.ts';
import {buildStorePanels, type Panel} from '../../analytics/store-panels.ts';
import type {StoreSeries} from '../../analytics/store-series.ts';
import {formatTable, type TextColumn} from '../../terminal/table.ts';
import {toDrawable} from '../../text/columns.ts';
import {formatInteger, formatShortSize} from '../../text/figures.ts';
import {truncatePlainText} from '../../text/plot/bars.ts';
import {joinSpanTexts} from '../../text/plot/plot.ts';
import {buildPlotTable} from '../../text/plot/table.ts';
import {buildTimePlotRows} from '../../text/plot/time-plot.ts';
import type {MeasuredNamespace} from './metrics-json.ts';

const unknownValue = '-';

/** Formats all namespaces as a table: `~` marks an estimate, `-` an unknown value. */
export function formatMetricSummaries(namespaces: readonly MeasuredNamespace[], days: number): string {
	const periodLabel = days === 1 ? '24 h' : `${days} d`;
	const countColumns = operationKinds.map(
		(kind): TextColumn<MeasuredNamespace> => ({
			title: `${operationTitles[kind]} ${periodLabel}`,
			align: 'right',
			cell({operations, isEstimate}) {
				const count = getOperationCount(operations, kind);
				if (count === undefined) return unknownValue;
				return `${isEstimate && count > 0 ? '~' : ''}${formatInteger(count)}`;
			},
		}),
	);
	return formatTable<MeasuredNamespace>(
		[
			{title: 'TITLE', cell: ({title}) => title},
			{title: 'ID', cell: ({id}) => id},
			{
				title: 'KEYS',
				align: 'right',
				cell: ({keys}) => (keys === undefined ? unknownValue : formatInteger(keys)),
			},
			{
				title: 'SIZE',
				align: 'right',
				cell: ({bytes}) => (bytes === undefined ? unknownValue : formatShortSize(bytes)),
			},
			...countColumns,
		],
		namespaces,
	);
}

const operationTitles: Readonly<Record<(typeof operationKinds)[number], string>> = {
	read: 'READS',
	write: 'WRITES',
	delete: 'DELETES',
	list: 'LISTS',
};

/** Minimum width of a plot; on a narrower terminal, a table shows more. */
const minColumns = 60;
const maxColumns = 120;
const plotHeight = 12;

type SeriesLayout = {
	readonly heading: string;
	readonly columns: number;
	/** True to draw plots where they fit; else tables are printed. */
	readonly wantsPlots: boolean;
	readonly isAscii: boolean;
};

/** Formats the four plots one below the other, or tables of their values. Missing series are left out. */
export function formatMetricSeries(
	result: ReadResult<StoreSeries>,
	{heading, columns, wantsPlots, isAscii}: SeriesLayout,
): string {
	const drawsPlots = wantsPlots && columns >= minColumns;
	const parts = buildStorePanels(result).flatMap(({title, facts, plot}) => {
		if (!plot) return [];
		const head = facts === '' ? title : `${title}: ${facts}`;
		return [
			`${drawsPlots ? truncatePlainText(toDrawable(head), columns, isAscii) : head}\n${drawsPlots ? formatPlot(plot, Math.min(columns, maxColumns), isAscii) : formatPlotTable(plot)}`,
		];
	});
	return [`${heading}\n`, ...parts].join('\n');
}

const formatPlot = (plot: NonNullable<Panel['plot']>, columns: number, isAscii: boolean): string =>
	buildTimePlotRows(plot, {columns, rows: plotHeight, isAscii, isColored: false})
		.map(row => `${joinSpanTexts(row).trimEnd()}\n`)
		.join('');

function formatPlotTable(plot: NonNullable<Panel['plot']>): string {
	const {headings, rows} = buildPlotTable(plot, Number.POSITIVE_INFINITY);
	return formatTable(
		headings.map((title, index) => ({
			title,
			align: index === 0 ? 'left' : 'right',
			cell: (cells: readonly string[]) => cells[index] ?? '',
		})),
		rows,
	);
}
