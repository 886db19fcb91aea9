import {momentUnits} from './datasets.ts';

/**
 * One entry that datasets are grouped from: values by dimension, `at` in milliseconds for time dimensions,
 * and the numbers that are summed. `weight` is the number of events it represents if sampled.
 */
export type Sample = Readonly<Record<string, string | number>> & {
	readonly at: number;
	readonly weight: number;
};

type Moment = keyof typeof momentUnits;

export const isMoment = (dimension: string): dimension is Moment => Object.hasOwn(momentUnits, dimension);

/** Returns the length of a time dimension, in milliseconds. */
export const getMomentUnit = (dimension: Moment): number => momentUnits[dimension];

const formattedMoments = new Map<string, string>();
const maxFormattedMoments = 20_000;

/** Formats the value of a dimension as the service does. */
export function formatDimension(sample: Sample, dimension: string): string | number {
	if (!isMoment(dimension)) return sample[dimension] ?? '';
	const unit = getMomentUnit(dimension);
	const moment = Math.floor(sample.at / unit) * unit;
	const name = `${dimension === 'date' ? 'd' : 't'}${moment}`;
	const known = formattedMoments.get(name);
	if (known !== undefined) return known;
	if (formattedMoments.size >= maxFormattedMoments) formattedMoments.clear();
	const iso = new Date(moment).toISOString();
	const text = dimension === 'date' ? iso.slice(0, 10) : `${iso.slice(0, 19)}Z`;
	formattedMoments.set(name, text);
	return text;
}
