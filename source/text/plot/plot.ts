import type {Unit} from '../figures.ts';

/** Values over time. Two to five series; their names are data and are made safe when they are drawn. */
export type TimePlot = {
	readonly series: readonly Series[];
	/** When the first bucket begins, in milliseconds since the epoch. Axes and tables show UTC. */
	readonly starts: number;
	/** Milliseconds of a bucket. */
	readonly step: number;
	readonly unit: Unit;
	/** Lines, or columns with one series on top of the other. Lines where it is left out. */
	readonly form?: 'lines' | 'columns';
};

type Series = {
	readonly name: string;
	/** One for each bucket. Without a value a bucket stays empty; what is below zero is drawn as zero. */
	readonly values: readonly (number | undefined)[];
};

/** What a plot is drawn for. */
export type PlotPlace = {
	readonly columns: number;
	readonly rows: number;
	/** Nothing but ASCII is drawn. */
	readonly isAscii: boolean;
	/** Whether tones become colours. Otherwise letters and patterns alone keep the series distinct. */
	readonly isColoured: boolean;
};

/** What a part of a row means: the axes, a figure, other text, or a series by its place. */
export type Tone = 'axis' | 'figure' | 'text' | SeriesTone;

export type SeriesTone = {readonly series: number};

/** A part of a row, drawable as it is. */
export type Span = {
	readonly text: string;
	readonly tone: Tone;
	/** The series in the rest of each cell, where an eighth block fills only its lower part. */
	readonly behind?: SeriesTone;
};

export type PlotRow = readonly Span[];

/** The letters of the series, in lines, at their ends and in the legend. */
export const letterOf = (series: number): string => 'abcdefghijklmnopqrstuvwxyz'[series % 26] ?? '';

/** A row without its tones. */
export const plainText = (row: PlotRow): string => row.map(({text}) => text).join('');

/** Buckets of a plot: as many as its longest series has. */
export const bucketsOf = ({series}: TimePlot): number =>
	Math.max(0, ...series.map(({values}) => values.length));

/** A value as it is drawn: never below zero, and none where it is not a finite number. */
export const drawnValue = (value: number | undefined): number | undefined =>
	value === undefined || !Number.isFinite(value) ? undefined : Math.max(0, value);

/** The bucket that begins at a place of `places` along the time axis, where a bucket has one place or more. */
export const bucketAt = (place: number, places: number, buckets: number): number =>
	Math.floor((place * buckets) / places);

/** The place of `places` along the time axis that a bucket is drawn at, where a place has one bucket or more. */
export const placeOf = (bucket: number, places: number, buckets: number): number =>
	Math.floor((bucket * places) / buckets);
