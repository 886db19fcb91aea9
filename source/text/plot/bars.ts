import {measureColumns, toDrawable} from '../columns.ts';
import {cutEnd, fitText} from '../cut.ts';
import {formatInteger, formatShortFigure, type Unit} from '../figures.ts';
import {getSeriesTone} from './cells.ts';
import {type PlotRow, type PlotSpan, type PlotTarget, toDrawnValue} from './plot.ts';

/** Labels, names and notes are data, and are escaped. */
export type Bar = {
	readonly label: string;
	readonly value: number;
	/** Text after the figure. */
	readonly note?: string;
	/** A second value, drawn below to compare. */
	readonly comparedValue?: number;
};

export type BarChart = {
	readonly bars: readonly Bar[];
	readonly unit: Unit;
	/** The names of the first and the second value of each bar, if there are two. */
	readonly names?: readonly [string, string];
};

const leftBlocks = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** Minimum columns of a bar, before labels and notes are cut. */
const minBarColumns = 8;
const maxNameColumns = 10;

/** A line of the drawing; a bar has two if values are compared. */
type BarLine = {
	readonly label: string;
	readonly name: string;
	readonly value: number;
	readonly figure: string;
	readonly note: string;
	readonly series: number;
};

/**
 * Draws horizontal bars with labels before and figures after them, in rows of at most `columns` columns: one
 * row per bar, or two with a second value. The highest value has the longest bar. Bars are exact to an eighth
 * of a column, in ASCII to a column; values above zero are always visible.
 */
export function buildBarRows(
	chart: BarChart,
	{columns, isAscii}: Pick<PlotTarget, 'columns' | 'isAscii'>,
): readonly PlotRow[] {
	const lines = buildBarLines(chart);
	const measureWidest = (texts: readonly string[]) => Math.max(0, ...texts.map(measureColumns));
	const figureColumns = measureWidest(lines.map(({figure}) => figure));
	const seriesColumns = Math.min(maxNameColumns, measureWidest(lines.map(({name}) => name)));
	const fixedColumns = figureColumns + 2 + (seriesColumns > 0 ? seriesColumns + 1 : 0);
	const freeColumns = columns - fixedColumns;
	const labelColumns = Math.max(
		0,
		Math.min(measureWidest(lines.map(({label}) => label)), Math.floor(freeColumns * 0.4)),
	);
	const noteColumns = Math.min(
		measureWidest(lines.map(({note}) => note)),
		freeColumns - labelColumns - minBarColumns - 2,
	);
	const barColumns = freeColumns - labelColumns - (noteColumns > 0 ? noteColumns + 2 : 0);
	if (barColumns < 1) return lines.map(({figure}) => [{text: cutEnd(figure, columns), tone: 'figure'}]);
	const highest = Math.max(0, ...lines.map(({value}) => value));
	const areShares = lines.every(({note}) => note === '' || isShare(note));
	return lines.map(({label, name, value, figure, note, series}) => {
		const bar = drawBar(highest === 0 ? 0 : value / highest, barColumns, isAscii);
		const spans: PlotSpan[] = [
			{text: `${fitPlainText(label, labelColumns, isAscii)} `, tone: 'text'},
			...(seriesColumns > 0
				? [{text: `${fitPlainText(name, seriesColumns, isAscii)} `, tone: getSeriesTone(series)}]
				: []),
			{text: bar, tone: getSeriesTone(series)},
			{
				text: `${' '.repeat(barColumns - measureColumns(bar) + 1)}${fitText(figure, figureColumns, 'right')}`,
				tone: 'figure',
			},
		];
		if (noteColumns > 0 && note !== '') {
			const cutNote = truncatePlainText(note, noteColumns, isAscii);
			spans.push({text: `  ${areShares ? fitText(cutNote, noteColumns, 'right') : cutNote}`, tone: 'axis'});
		}
		return spans;
	});
}

/** True for percentages, which are right-aligned like figures. */
const isShare = (note: string): boolean => /^[<>]?[\d.]+%$/.test(note);

function buildBarLines({bars, unit, names}: BarChart): BarLine[] {
	return bars.flatMap(({label, value, note = '', comparedValue}) => {
		const createLine = (figure: number, series: 0 | 1): BarLine => ({
			label: series === 0 ? toDrawable(label) : '',
			name: toDrawable(names?.[series] ?? ''),
			value: toDrawnValue(figure) ?? 0,
			figure: formatFigure(figure, unit),
			note: series === 0 ? toDrawable(note) : '',
			series,
		});
		return comparedValue === undefined
			? [createLine(value, 0)]
			: [createLine(value, 0), createLine(comparedValue, 1)];
	});
}

/** Formats bars as text, without a drawing: a line each, with label and named figures. */
export const formatBars = ({bars, unit, names}: BarChart): string[] =>
	bars.map(({label, value, comparedValue, note}) => {
		const figures = (comparedValue === undefined ? [value] : [value, comparedValue]).map((figure, index) =>
			[names?.[index], formatFigure(figure, unit)].filter(Boolean).join(' '),
		);
		return [label, ...figures, note]
			.filter(Boolean)
			.map(text => toDrawable(text ?? ''))
			.join('   ');
	});

/** Formats a count in full, other figures in a few columns. */
export function formatFigure(value: number | undefined, unit: Unit): string {
	const figure = toDrawnValue(value);
	if (figure === undefined) return '-';
	return unit === 'count' ? formatInteger(Math.round(figure)) : formatShortFigure(figure, unit);
}

/** Draws a share of `columns` columns, to the nearest eighth. */
function drawBar(share: number, columns: number, isAscii: boolean): string {
	if (share <= 0) return '';
	if (isAscii) return '#'.repeat(Math.max(1, Math.round(share * columns)));
	const eighthCount = Math.max(1, Math.round(share * columns * 8));
	return '█'.repeat(eighthCount >> 3) + leftBlocks[eighthCount & 7];
}

/** Cuts text at its end; marks the cut with `~` in ASCII. */
export function truncatePlainText(text: string, columns: number, isAscii: boolean): string {
	const cutText = cutEnd(text, columns);
	return isAscii && cutText !== text ? `${cutText.slice(0, -1)}~` : cutText;
}

function fitPlainText(text: string, columns: number, isAscii: boolean): string {
	return fitText(columns > 0 ? truncatePlainText(text, columns, isAscii) : '', columns);
}
