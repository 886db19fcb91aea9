import {columnsOf, drawable} from '../columns.ts';
import {cutEnd, fitted} from '../cut.ts';
import {grouped, shortFigure, type Unit} from '../figures.ts';
import {seriesTone} from './cells.ts';
import {drawnValue, type PlotPlace, type PlotRow, type Span} from './plot.ts';

/** Labels, names and notes are data; they are made safe. */
export type Bar = {
	readonly label: string;
	readonly value: number;
	/** Text behind the figure. */
	readonly note?: string;
	/** A second value, drawn below to compare. */
	readonly other?: number;
};

export type Bars = {
	readonly bars: readonly Bar[];
	readonly unit: Unit;
	/** The names of the first and the second value of each bar, if there are two. */
	readonly names?: readonly [string, string];
};

const leftBlocks = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** Minimum columns of a bar, before labels and notes are cut. */
const leastBar = 8;
const nameColumns = 10;

/** A line of the drawing; a bar has two if values are compared. */
type Line = {
	readonly label: string;
	readonly name: string;
	readonly value: number;
	readonly figure: string;
	readonly note: string;
	readonly series: number;
};

/**
 * Draws horizontal bars, labels in front and figures behind: a row each, two with a second value, of at most
 * `columns` columns. The highest value has the longest bar. Bars are exact to an eighth of a column, in ASCII
 * to a column; values above zero are always visible.
 */
export function barRows(
	all: Bars,
	{columns, isAscii}: Pick<PlotPlace, 'columns' | 'isAscii'>,
): readonly PlotRow[] {
	const lines = linesOf(all);
	const widest = (texts: readonly string[]) => Math.max(0, ...texts.map(columnsOf));
	const figures = widest(lines.map(({figure}) => figure));
	const names = Math.min(nameColumns, widest(lines.map(({name}) => name)));
	const fixed = figures + 2 + (names > 0 ? names + 1 : 0);
	const room = columns - fixed;
	const labels = Math.max(0, Math.min(widest(lines.map(({label}) => label)), Math.floor(room * 0.4)));
	const notes = Math.min(widest(lines.map(({note}) => note)), room - labels - leastBar - 2);
	const bar = room - labels - (notes > 0 ? notes + 2 : 0);
	if (bar < 1) return lines.map(({figure}) => [{text: cutEnd(figure, columns), tone: 'figure'}]);
	const highest = Math.max(0, ...lines.map(({value}) => value));
	const areShares = lines.every(({note}) => note === '' || isShare(note));
	return lines.map(({label, name, value, figure, note, series}) => {
		const drawn = barText(highest === 0 ? 0 : value / highest, bar, isAscii);
		const spans: Span[] = [
			{text: `${fittedPlain(label, labels, isAscii)} `, tone: 'text'},
			...(names > 0 ? [{text: `${fittedPlain(name, names, isAscii)} `, tone: seriesTone(series)}] : []),
			{text: drawn, tone: seriesTone(series)},
			{text: `${' '.repeat(bar - columnsOf(drawn) + 1)}${fitted(figure, figures, 'right')}`, tone: 'figure'},
		];
		if (notes > 0 && note !== '') {
			const short = cutPlain(note, notes, isAscii);
			spans.push({text: `  ${areShares ? fitted(short, notes, 'right') : short}`, tone: 'axis'});
		}
		return spans;
	});
}

/** True for percentages, which are right-aligned like figures. */
const isShare = (note: string): boolean => /^[<>]?[\d.]+ %$/.test(note);

function linesOf({bars, unit, names}: Bars): Line[] {
	return bars.flatMap(({label, value, note = '', other}) => {
		const line = (figure: number, series: 0 | 1): Line => ({
			label: series === 0 ? drawable(label) : '',
			name: drawable(names?.[series] ?? ''),
			value: drawnValue(figure) ?? 0,
			figure: figureText(figure, unit),
			note: series === 0 ? drawable(note) : '',
			series,
		});
		return other === undefined ? [line(value, 0)] : [line(value, 0), line(other, 1)];
	});
}

/** Formats bars as text, without a drawing: a line each, with label and named figures. */
export const barTexts = ({bars, unit, names}: Bars): string[] =>
	bars.map(({label, value, other, note}) => {
		const figures = (other === undefined ? [value] : [value, other]).map((figure, at) =>
			[names?.[at], figureText(figure, unit)].filter(Boolean).join(' '),
		);
		return [label, ...figures, note]
			.filter(Boolean)
			.map(text => drawable(text ?? ''))
			.join('   ');
	});

/** Formats a count in full, other figures in a few columns. */
export function figureText(value: number | undefined, unit: Unit): string {
	const figure = drawnValue(value);
	if (figure === undefined) return '-';
	return unit === 'count' ? grouped(Math.round(figure)) : shortFigure(figure, unit);
}

/** Draws a share of `columns` columns, to the nearest eighth. */
function barText(share: number, columns: number, isAscii: boolean): string {
	if (share <= 0) return '';
	if (isAscii) return '#'.repeat(Math.max(1, Math.round(share * columns)));
	const size = Math.max(1, Math.round(share * columns * 8));
	return '█'.repeat(size >> 3) + leftBlocks[size & 7];
}

/** Cuts text at its end; marks the cut with `~` in ASCII. */
export function cutPlain(text: string, columns: number, isAscii: boolean): string {
	const short = cutEnd(text, columns);
	return isAscii && short !== text ? `${short.slice(0, -1)}~` : short;
}

function fittedPlain(text: string, columns: number, isAscii: boolean): string {
	return fitted(columns > 0 ? cutPlain(text, columns, isAscii) : '', columns);
}
