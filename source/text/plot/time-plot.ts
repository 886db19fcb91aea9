import {measureColumns, toDrawable} from '../columns.ts';
import {fitText} from '../cut.ts';
import {formatShortFigure} from '../figures.ts';
import {truncatePlainText} from './bars.ts';
import {blankCell, getSeriesTone, joinCells, type PlotCell, type PlotCells} from './cells.ts';
import {buildColumnCells, getFill, getHighestStack, getSeriesMiddleRows} from './columns.ts';
import {buildLineCells, getLastValueRows, getLineRow} from './lines.ts';
import {
	countBuckets,
	getSeriesLetter,
	type PlotRow,
	type PlotSpan,
	type PlotTarget,
	type PlotTone,
	type TimePlot,
	toDrawnValue,
} from './plot.ts';
import {chooseScale, type Scale} from './scale.ts';
import {buildTimeTicks} from './time-axis.ts';

/** The characters of the axes. */
type AxisCharacters = {
	readonly side: string;
	readonly tick: string;
	readonly corner: string;
	readonly foot: string;
	readonly footTick: string;
};

const unicodeAxis: AxisCharacters = {side: '│', tick: '┤', corner: '└', foot: '─', footTick: '┬'};
const asciiAxis: AxisCharacters = {side: '|', tick: '+', corner: '+', foot: '-', footTick: '+'};

/** Minimum rows of a plot that has an axis line below the area. */
const minRowsWithFoot = 8;

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
 * for at least 30 columns and 4 rows; in smaller areas, it omits what does not fit.
 */
export function buildTimePlotRows(plot: TimePlot, target: PlotTarget): readonly PlotRow[] {
	const layout = computeLayout(plot, target);
	const {area, hasLegend, hasFoot} = layout;
	if (area.columns < 1 || area.rows < 1) return createBlankRows(target.rows);
	const axis = target.isAscii ? asciiAxis : unicodeAxis;
	const rows = [
		...(hasLegend ? [buildLegend(plot, target)] : []),
		...buildAreaRows(plot, target, layout, axis),
		...(hasFoot ? [buildFootRow(plot, layout, axis)] : []),
		buildTimeRow(plot, layout),
	];
	return [...rows, ...createBlankRows(target.rows - rows.length)];
}

const createBlankRows = (count: number): PlotRow[] => Array.from({length: Math.max(0, count)}, () => []);

function computeLayout(plot: TimePlot, {columns, rows, isAscii, isColored}: PlotTarget): Layout {
	const hasLegend = plot.series.length > 1 && rows >= 3;
	const hasFoot = rows >= minRowsWithFoot;
	const areaHeight = rows - 1 - (hasLegend ? 1 : 0) - (hasFoot ? 1 : 0);
	const hasPatterns = plot.form === 'columns' && !isAscii && !isColored;
	const margin = hasLegend && !hasPatterns ? 2 : 0;
	const scale = chooseScale(getHighestValue(plot), plot.unit, areaHeight);
	const gutter =
		Math.max(3, ...buildTickRows(scale, plot, areaHeight, isAscii).map(({label}) => label.length)) + 1;
	return {
		gutter,
		area: {columns: columns - gutter - 1 - margin, rows: areaHeight},
		hasLegend,
		hasFoot,
		margin,
		scale,
	};
}

function getHighestValue(plot: TimePlot): number {
	if (plot.form === 'columns') return getHighestStack(plot);
	let highest = 0;
	for (const {values} of plot.series)
		for (const value of values) highest = Math.max(highest, toDrawnValue(value) ?? 0);
	return highest;
}

/** Returns the ticks beside the area, each with its row from the top. */
function buildTickRows(
	{tick, top}: Scale,
	{unit, form}: TimePlot,
	rows: number,
	isAscii: boolean,
): {readonly row: number; readonly label: string}[] {
	const count = Math.round(top / tick);
	return Array.from({length: count + 1}, (_, index) => {
		const share = index / count;
		const rowsAboveFoot =
			form === 'columns' ? Math.max(0, Math.round(share * rows) - 1) : getLineRow(share, rows, isAscii);
		return {row: rows - 1 - rowsAboveFoot, label: index === 0 ? '0' : formatShortFigure(index * tick, unit)};
	});
}

function buildLegend(plot: TimePlot, {columns, isAscii, isColored}: PlotTarget): PlotRow {
	const count = plot.series.length;
	const hasPatterns = plot.form === 'columns' && !isAscii && !isColored;
	const seriesMarks = plot.series.map((_, index) =>
		hasPatterns ? getFill(index, count, false) : getSeriesLetter(index),
	);
	const names = plot.series.map(({name}) => toDrawable(name));
	const maxNameColumns = (columns - 4 * count + 2) / count;
	const exceedsWidth = names.reduce((sum, name) => sum + measureColumns(name) + 4, -2) > columns;
	const spans: PlotSpan[] = [];
	for (const [index, name] of names.entries()) {
		if (index > 0) spans.push({text: '  ', tone: 'text'});
		const visibleName = exceedsWidth ? truncatePlainText(name, Math.floor(maxNameColumns), isAscii) : name;
		// Not "a name", which would look like a key.
		spans.push({
			text: `${seriesMarks[index]}${hasPatterns ? ' ' : '='}${visibleName}`,
			tone: getSeriesTone(index),
		});
	}
	return spans.reduce((sum, {text}) => sum + measureColumns(text), 0) <= columns ? spans : [];
}

function buildAreaRows(plot: TimePlot, target: PlotTarget, layout: Layout, axis: AxisCharacters): PlotRow[] {
	const {area, gutter, scale, margin} = layout;
	const isEmpty = plot.series.every(({values}) => values.every(value => toDrawnValue(value) === undefined));
	const areaTarget = {...target, ...area};
	const cells = isEmpty
		? createNoDataCells(area)
		: plot.form === 'columns'
			? buildColumnCells(plot, scale.top, areaTarget)
			: buildLineCells(plot, scale.top, areaTarget);
	const labels = new Map(
		buildTickRows(scale, plot, area.rows, target.isAscii).map(({row, label}) => [row, label]),
	);
	const endLetters = margin > 0 && !isEmpty ? placeEndLetters(plot, scale, area.rows, target.isAscii) : [];
	return cells.map((row, index) => {
		const label = labels.get(index);
		const endLetter = endLetters[index];
		return [
			{text: `${fitText(label ?? '', gutter - 1, 'right')} `, tone: 'figure'},
			{text: label === undefined ? axis.side : axis.tick, tone: 'axis'},
			...joinCells(endLetter ? [...row, blankCell, endLetter] : row),
		];
	});
}

const noData = 'no data';

function createNoDataCells({columns, rows}: Layout['area']): PlotCells {
	const cells = Array.from({length: rows}, () => new Array<PlotCell>(columns).fill(blankCell));
	const start = Math.floor((columns - noData.length) / 2);
	const middleRow = cells[Math.floor((rows - 1) / 2)];
	if (start >= 0 && middleRow)
		for (const [index, text] of [...noData].entries()) middleRow[start + index] = {text, tone: 'text'};
	return cells;
}

/** Returns the letters right of the area, by row: at the end of each series, or in the nearest free row. */
function placeEndLetters(
	plot: TimePlot,
	{top}: Scale,
	rows: number,
	isAscii: boolean,
): (PlotCell | undefined)[] {
	const letters: (PlotCell | undefined)[] = new Array(rows).fill(undefined);
	const endRows =
		plot.form === 'columns'
			? getSeriesMiddleRows(plot, top, rows)
			: getLastValueRows(plot, top, rows, isAscii);
	for (const [series, endRow] of endRows.entries()) {
		if (endRow === undefined) continue;
		const freeRows = [...letters.keys()].filter(row => letters[row] === undefined);
		const row = freeRows.sort((left, right) => Math.abs(left - endRow) - Math.abs(right - endRow))[0];
		if (row !== undefined) letters[row] = {text: getSeriesLetter(series), tone: getSeriesTone(series)};
	}
	return letters;
}

const getTicks = (plot: TimePlot, {area}: Layout) => {
	const span = countBuckets(plot) * plot.step;
	return span > 0 ? buildTimeTicks(plot.firstStart, span, plot.step, area.columns) : [];
};

function buildFootRow(plot: TimePlot, layout: Layout, axis: AxisCharacters): PlotRow {
	const ticks = new Set(getTicks(plot, layout).map(({column}) => column));
	const line = Array.from({length: layout.area.columns}, (_, column) =>
		ticks.has(column) ? axis.footTick : axis.foot,
	);
	return [{text: `${' '.repeat(layout.gutter)}${axis.corner}${line.join('')}`, tone: 'axis'}];
}

function buildTimeRow(plot: TimePlot, layout: Layout): PlotRow {
	let text = '';
	for (const {column, label} of getTicks(plot, layout)) text = text.padEnd(column) + label;
	const zoneSpan: {text: string; tone: PlotTone} = {
		text: `${fitText('UTC', layout.gutter - 1, 'right')}  `,
		tone: 'axis',
	};
	return [zoneSpan, {text, tone: 'figure'}];
}
