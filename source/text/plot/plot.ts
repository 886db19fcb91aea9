import type {Unit} from '../figures.ts';

/** Values over time, in one to five series; their names are data, and are made safe when drawn. */
export type TimePlot = {
	readonly series: readonly Series[];
	/** Start of the first bucket, in milliseconds since the epoch. Axes and tables show UTC. */
	readonly firstStart: number;
	/** Length of a bucket, in milliseconds. */
	readonly step: number;
	readonly unit: Unit;
	/** Lines, or stacked columns; default lines. */
	readonly form?: 'lines' | 'columns';
};

type Series = {
	readonly name: string;
	/** One value per bucket; undefined leaves a gap, negative values are drawn as zero. */
	readonly values: readonly (number | undefined)[];
};

/** The size and the capabilities of the terminal area to draw in. */
export type PlotTarget = {
	readonly columns: number;
	readonly rows: number;
	/** Draws only ASCII. */
	readonly isAscii: boolean;
	/** True if tones have colors; otherwise letters and patterns tell the series apart. */
	readonly isColored: boolean;
};

/** The role of a span: axis, figure, other text, or a series by its index. */
export type PlotTone = 'axis' | 'figure' | 'text' | SeriesTone;

export type SeriesTone = {readonly series: number};

/** A drawable part of a row. */
export type PlotSpan = {
	readonly text: string;
	readonly tone: PlotTone;
	/** The series that fills the rest of each cell, above an eighth block. */
	readonly background?: SeriesTone;
};

export type PlotRow = readonly PlotSpan[];

/** Returns the letter of a series, for lines, their ends and the legend. */
export const getSeriesLetter = (series: number): string => 'abcdefghijklmnopqrstuvwxyz'[series % 26] ?? '';

/** Joins the text of a row. */
export const joinSpanTexts = (row: PlotRow): string => row.map(({text}) => text).join('');

/** Returns the number of buckets, that of the longest series. */
export const countBuckets = ({series}: TimePlot): number =>
	Math.max(0, ...series.map(({values}) => values.length));

/** Returns the value to draw: at least zero; undefined if it is not a finite number. */
export const toDrawnValue = (value: number | undefined): number | undefined =>
	value === undefined || !Number.isFinite(value) ? undefined : Math.max(0, value);

/** Returns the bucket at a column of the time axis, if a bucket takes at least one column. */
export const getBucket = (column: number, columns: number, bucketCount: number): number =>
	Math.floor((column * bucketCount) / columns);

/** Returns the column of a bucket on the time axis, if a column takes at least one bucket. */
export const getBucketColumn = (bucket: number, columns: number, bucketCount: number): number =>
	Math.floor((bucket * columns) / bucketCount);
