import {timeUnits} from './datasets.ts';

/**
 * A measurement or event that the rows of datasets are built from: values by dimension, the numbers to sum,
 * and its time `at`, in milliseconds, from which time dimensions are computed. `weight` is the number of
 * events that it represents.
 */
export type Sample = Readonly<Record<string, string | number>> & {
	readonly at: number;
	readonly weight: number;
};

type TimeDimension = keyof typeof timeUnits;

export const isTimeDimension = (dimension: string): dimension is TimeDimension =>
	Object.hasOwn(timeUnits, dimension);

/** Returns the length of a time dimension, in milliseconds. */
export const getTimeUnit = (dimension: TimeDimension): number => timeUnits[dimension];

const formattedTimes = new Map<string, string>();
const maxFormattedTimes = 20_000;

/** Formats the value of a dimension as the service does. */
export function formatDimension(sample: Sample, dimension: string): string | number {
	if (!isTimeDimension(dimension)) return sample[dimension] ?? '';
	const unit = getTimeUnit(dimension);
	const time = Math.floor(sample.at / unit) * unit;
	const cacheKey = `${dimension === 'date' ? 'd' : 't'}${time}`;
	const cachedText = formattedTimes.get(cacheKey);
	if (cachedText !== undefined) return cachedText;
	if (formattedTimes.size >= maxFormattedTimes) formattedTimes.clear();
	const iso = new Date(time).toISOString();
	const text = dimension === 'date' ? iso.slice(0, 10) : `${iso.slice(0, 19)}Z`;
	formattedTimes.set(cacheKey, text);
	return text;
}
