import {toDrawable} from '../columns.ts';
import {formatQuantity} from '../figures.ts';
import {formatFigure} from './bars.ts';
import {countBuckets, type TimePlot, toDrawnValue} from './plot.ts';
import {formatBucketTime} from './time-axis.ts';

/** A plot in figures. */
type PlotTable = {
	readonly headings: readonly string[];
	readonly rows: readonly (readonly string[])[];
};

/**
 * Builds a table of a plot: the start of each bucket in UTC, and the value of every series, `-` if missing.
 * With more than `maxRows` buckets, a row shows the highest values of several.
 */
export function buildPlotTable(plot: TimePlot, maxRows: number): PlotTable {
	const bucketCount = countBuckets(plot);
	const bucketsPerRow = Math.max(1, Math.ceil(bucketCount / Math.max(1, maxRows)));
	const headingNote = bucketsPerRow === 1 ? '' : `, highest of ${formatQuantity(bucketsPerRow, 'value')}`;
	const rows: string[][] = [];
	for (let firstBucket = 0; firstBucket < bucketCount; firstBucket += bucketsPerRow)
		rows.push([
			formatBucketTime(plot.firstStart + firstBucket * plot.step, plot.step),
			...plot.series.map(({values}) =>
				formatFigure(getHighest(values, firstBucket, firstBucket + bucketsPerRow), plot.unit),
			),
		]);
	return {headings: [`time UTC${headingNote}`, ...plot.series.map(({name}) => toDrawable(name))], rows};
}

function getHighest(values: readonly (number | undefined)[], from: number, to: number): number | undefined {
	let highest: number | undefined;
	for (let bucket = from; bucket < to; bucket++) {
		const value = toDrawnValue(values[bucket]);
		if (value !== undefined) highest = Math.max(highest ?? 0, value);
	}
	return highest;
}
