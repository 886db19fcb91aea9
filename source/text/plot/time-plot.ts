import {columnsOf, drawable} from '../columns.ts';
import {fitted} from '../cut.ts';
import {shortFigure} from '../figures.ts';
import {cutPlain} from './bars.ts';
import {blankCell, type Cell, type Cells, joined, seriesTone} from './cells.ts';
import {columnCells, columnEnds, fillOf, highestStack} from './columns.ts';
import {lineCells, lineEnds, lineRow} from './lines.ts';
import {
	bucketsOf,
	drawnValue,
	letterOf,
	type PlotPlace,
	type PlotRow,
	type Span,
	type TimePlot,
	type Tone,
} from './plot.ts';
import {type Scale, scaleOf} from './scale.ts';
import {timeTicks} from './time-axis.ts';

/** The characters of the axes. */
type Signs = {
	readonly side: string;
	readonly tick: string;
	readonly corner: string;
	readonly foot: string;
	readonly footTick: string;
};

const signs: Signs = {side: '│', tick: '┤', corner: '└', foot: '─', footTick: '┬'};
const asciiSigns: Signs = {side: '|', tick: '+', corner: '+', foot: '-', footTick: '+'};

/** Minimum rows of a plot with a line below the area. */
const rowsWithFoot = 8;

/** The layout of a plot. */
type Layout = {
	/** Columns of the figures left of the area, without the axis. */
	readonly gutter: number;
	readonly area: {readonly columns: number; readonly rows: number};
	readonly hasLegend: boolean;
	readonly hasFoot: boolean;
	/** Columns right of the area, for letters at the ends of the series. */
	readonly margin: number;
	readonly scale: Scale;
};

/**
 * Draws values over time in exactly `rows` rows of at most `columns` columns. Zero is at the bottom, axes
 * have units, times are UTC. Several series have letters or patterns, so that colors are not needed. Designed
 * for at least 30 columns and 4 rows; in less, it omits what does not fit.
 */
export function timePlotRows(plot: TimePlot, place: PlotPlace): readonly PlotRow[] {
	const layout = layoutOf(plot, place);
	const {area, hasLegend, hasFoot} = layout;
	if (area.columns < 1 || area.rows < 1) return blankRows(place.rows);
	const sign = place.isAscii ? asciiSigns : signs;
	const rows = [
		...(hasLegend ? [legend(plot, place)] : []),
		...areaRows(plot, place, layout, sign),
		...(hasFoot ? [footRow(plot, layout, sign)] : []),
		timeRow(plot, layout),
	];
	return [...rows, ...blankRows(place.rows - rows.length)];
}

const blankRows = (count: number): PlotRow[] => Array.from({length: Math.max(0, count)}, () => []);

function layoutOf(plot: TimePlot, {columns, rows, isAscii, isColoured}: PlotPlace): Layout {
	const hasLegend = plot.series.length > 1 && rows >= 3;
	const hasFoot = rows >= rowsWithFoot;
	const areaHeight = rows - 1 - (hasLegend ? 1 : 0) - (hasFoot ? 1 : 0);
	const hasPatterns = plot.form === 'columns' && !isAscii && !isColoured;
	const margin = hasLegend && !hasPatterns ? 2 : 0;
	const scale = scaleOf(highestOf(plot), plot.unit, areaHeight);
	const gutter =
		Math.max(3, ...tickRows(scale, plot, areaHeight, isAscii).map(({label}) => label.length)) + 1;
	return {
		gutter,
		area: {columns: columns - gutter - 1 - margin, rows: areaHeight},
		hasLegend,
		hasFoot,
		margin,
		scale,
	};
}

function highestOf(plot: TimePlot): number {
	if (plot.form === 'columns') return highestStack(plot);
	let highest = 0;
	for (const {values} of plot.series)
		for (const value of values) highest = Math.max(highest, drawnValue(value) ?? 0);
	return highest;
}

/** Returns the ticks beside the area, each with its row from the top. */
function tickRows(
	{tick, top}: Scale,
	{unit, form}: TimePlot,
	rows: number,
	isAscii: boolean,
): {readonly row: number; readonly label: string}[] {
	const count = Math.round(top / tick);
	return Array.from({length: count + 1}, (_, at) => {
		const share = at / count;
		const fromFoot =
			form === 'columns' ? Math.max(0, Math.round(share * rows) - 1) : lineRow(share, rows, isAscii);
		return {row: rows - 1 - fromFoot, label: at === 0 ? '0' : shortFigure(at * tick, unit)};
	});
}

function legend(plot: TimePlot, {columns, isAscii, isColoured}: PlotPlace): PlotRow {
	const count = plot.series.length;
	const hasPatterns = plot.form === 'columns' && !isAscii && !isColoured;
	const keys = plot.series.map((_, at) => (hasPatterns ? fillOf(at, count, false) : letterOf(at)));
	const names = plot.series.map(({name}) => drawable(name));
	const room = (columns - 4 * count + 2) / count;
	const isLong = names.reduce((sum, name) => sum + columnsOf(name) + 4, -2) > columns;
	const spans: Span[] = [];
	for (const [at, name] of names.entries()) {
		if (at > 0) spans.push({text: '  ', tone: 'text'});
		const shown = isLong ? cutPlain(name, Math.floor(room), isAscii) : name;
		spans.push({text: `${keys[at]} ${shown}`, tone: seriesTone(at)});
	}
	return spans.reduce((sum, {text}) => sum + columnsOf(text), 0) <= columns ? spans : [];
}

function areaRows(plot: TimePlot, place: PlotPlace, layout: Layout, sign: Signs): PlotRow[] {
	const {area, gutter, scale, margin} = layout;
	const isEmpty = plot.series.every(({values}) => values.every(value => drawnValue(value) === undefined));
	const inside = {...place, ...area};
	const cells = isEmpty
		? emptyCells(area)
		: plot.form === 'columns'
			? columnCells(plot, scale.top, inside)
			: lineCells(plot, scale.top, inside);
	const labels = new Map(tickRows(scale, plot, area.rows, place.isAscii).map(({row, label}) => [row, label]));
	const ends = margin > 0 && !isEmpty ? endLetters(plot, scale, area.rows, place.isAscii) : [];
	return cells.map((row, at) => {
		const label = labels.get(at);
		const end = ends[at];
		return [
			{text: `${fitted(label ?? '', gutter - 1, 'right')} `, tone: 'figure'},
			{text: label === undefined ? sign.side : sign.tick, tone: 'axis'},
			...joined(end ? [...row, blankCell, end] : row),
		];
	});
}

const noData = 'no data';

function emptyCells({columns, rows}: Layout['area']): Cells {
	const cells = Array.from({length: rows}, () => new Array<Cell>(columns).fill(blankCell));
	const start = Math.floor((columns - noData.length) / 2);
	const middle = cells[Math.floor((rows - 1) / 2)];
	if (start >= 0 && middle)
		for (const [at, text] of [...noData].entries()) middle[start + at] = {text, tone: 'text'};
	return cells;
}

/** Returns the letters right of the area, by row: at the end of each series, or in the nearest free row. */
function endLetters(plot: TimePlot, {top}: Scale, rows: number, isAscii: boolean): (Cell | undefined)[] {
	const letters: (Cell | undefined)[] = new Array(rows).fill(undefined);
	const ends = plot.form === 'columns' ? columnEnds(plot, top, rows) : lineEnds(plot, top, rows, isAscii);
	for (const [series, end] of ends.entries()) {
		if (end === undefined) continue;
		const free = [...letters.keys()].filter(row => letters[row] === undefined);
		const row = free.sort((one, other) => Math.abs(one - end) - Math.abs(other - end))[0];
		if (row !== undefined) letters[row] = {text: letterOf(series), tone: seriesTone(series)};
	}
	return letters;
}

const ticksOf = (plot: TimePlot, {area}: Layout) => {
	const span = bucketsOf(plot) * plot.step;
	return span > 0 ? timeTicks(plot.starts, span, plot.step, area.columns) : [];
};

function footRow(plot: TimePlot, layout: Layout, sign: Signs): PlotRow {
	const ticks = new Set(ticksOf(plot, layout).map(({column}) => column));
	const line = Array.from({length: layout.area.columns}, (_, column) =>
		ticks.has(column) ? sign.footTick : sign.foot,
	);
	return [{text: `${' '.repeat(layout.gutter)}${sign.corner}${line.join('')}`, tone: 'axis'}];
}

function timeRow(plot: TimePlot, layout: Layout): PlotRow {
	let text = '';
	for (const {column, label} of ticksOf(plot, layout)) text = text.padEnd(column) + label;
	const zone: {text: string; tone: Tone} = {
		text: `${fitted('UTC', layout.gutter - 1, 'right')}  `,
		tone: 'axis',
	};
	return [zone, {text, tone: 'figure'}];
}
