import {drawable} from '../columns.ts';
import {counted} from '../figures.ts';
import {figureText} from './bars.ts';
import {bucketsOf, drawnValue, type TimePlot} from './plot.ts';
import {bucketTime} from './time-axis.ts';

/** A plot in figures. */
type PlotTable = {
	readonly headings: readonly string[];
	readonly rows: readonly (readonly string[])[];
};

/**
 * Builds a table of a plot: the start of each bucket in UTC, and the value of every series, `-` if missing.
 * With more than `maxRows` buckets, a row shows the highest values of several.
 */
export function plotTable(plot: TimePlot, most: number): PlotTable {
	const buckets = bucketsOf(plot);
	const together = Math.max(1, Math.ceil(buckets / Math.max(1, most)));
	const about = together === 1 ? '' : `, highest of ${counted(together, 'value')}`;
	const rows: string[][] = [];
	for (let from = 0; from < buckets; from += together)
		rows.push([
			bucketTime(plot.starts + from * plot.step, plot.step),
			...plot.series.map(({values}) => figureText(highest(values, from, from + together), plot.unit)),
		]);
	return {headings: [`time UTC${about}`, ...plot.series.map(({name}) => drawable(name))], rows};
}

function highest(values: readonly (number | undefined)[], from: number, to: number): number | undefined {
	let most: number | undefined;
	for (let bucket = from; bucket < to; bucket++) {
		const value = drawnValue(values[bucket]);
		if (value !== undefined) most = Math.max(most ?? 0, value);
	}
	return most;
}
