import type {Read} from '../../analytics/problem.ts';
import {operationKinds, operationsOf} from '../../analytics/store-metrics.ts';
import {type Panel, storePanels} from '../../analytics/store-panels.ts';
import type {StoreSeries} from '../../analytics/store-series.ts';
import {type Column, table} from '../../terminal/table.ts';
import {drawable} from '../../text/columns.ts';
import {grouped, shortSize} from '../../text/figures.ts';
import {cutPlain} from '../../text/plot/bars.ts';
import {plainText} from '../../text/plot/plot.ts';
import {plotTable} from '../../text/plot/table.ts';
import {timePlotRows} from '../../text/plot/time-plot.ts';
import type {MeasuredNamespace} from './metrics-json.ts';

const unknown = '-';

/** Formats all namespaces as a table: `~` marks an estimate, `-` an unknown value. */
export function summariesText(namespaces: readonly MeasuredNamespace[], days: number): string {
	const time = days === 1 ? '24 h' : `${days} d`;
	const counts = operationKinds.map(
		(kind): Column<MeasuredNamespace> => ({
			title: `${titles[kind]} ${time}`,
			align: 'right',
			cell({operations, isEstimate}) {
				const count = operationsOf(operations, kind);
				if (count === undefined) return unknown;
				return `${isEstimate && count > 0 ? '~' : ''}${grouped(count)}`;
			},
		}),
	);
	return table<MeasuredNamespace>(
		[
			{title: 'TITLE', cell: ({title}) => title},
			{title: 'ID', cell: ({id}) => id},
			{title: 'KEYS', align: 'right', cell: ({keys}) => (keys === undefined ? unknown : grouped(keys))},
			{title: 'SIZE', align: 'right', cell: ({bytes}) => (bytes === undefined ? unknown : shortSize(bytes))},
			...counts,
		],
		namespaces,
	);
}

const titles: Readonly<Record<(typeof operationKinds)[number], string>> = {
	read: 'READS',
	write: 'WRITES',
	delete: 'DELETES',
	list: 'LISTS',
};

/** Minimum width of a plot: below it, the table shows more. */
const leastColumns = 60;
const mostColumns = 120;
const plotRows = 12;

type Place = {
	readonly heading: string;
	readonly columns: number;
	/** True to draw plots, if they fit. */
	readonly isDrawn: boolean;
	readonly isAscii: boolean;
};

/** Formats the four plots below each other, or tables of their values. Missing series are left out. */
export function seriesText(read: Read<StoreSeries>, {heading, columns, isDrawn, isAscii}: Place): string {
	const draws = isDrawn && columns >= leastColumns;
	const parts = storePanels(read).flatMap(({title, facts, plot}) => {
		if (!plot) return [];
		const head = facts === '' ? title : `${title}: ${facts}`;
		return [
			`${draws ? cutPlain(drawable(head), columns, isAscii) : head}\n${draws ? drawn(plot, Math.min(columns, mostColumns), isAscii) : figures(plot)}`,
		];
	});
	return [`${heading}\n`, ...parts].join('\n');
}

const drawn = (plot: NonNullable<Panel['plot']>, columns: number, isAscii: boolean): string =>
	timePlotRows(plot, {columns, rows: plotRows, isAscii, isColoured: false})
		.map(row => `${plainText(row).trimEnd()}\n`)
		.join('');

function figures(plot: NonNullable<Panel['plot']>): string {
	const {headings, rows} = plotTable(plot, Number.POSITIVE_INFINITY);
	return table(
		headings.map((title, at) => ({
			title,
			align: at === 0 ? 'left' : 'right',
			cell: (cells: readonly string[]) => cells[at] ?? '',
		})),
		rows,
	);
}
