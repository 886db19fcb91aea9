import {momentUnits} from './datasets.ts';

/**
 * What a dataset is grouped from: values of dimensions by their names, `at` in milliseconds for those of time, and the
 * numbers that are added up. `weight` is how many events it represents where the dataset is sampled.
 */
export type Sample = Readonly<Record<string, string | number>> & {
	readonly at: number;
	readonly weight: number;
};

type Moment = keyof typeof momentUnits;

export const isMoment = (dimension: string): dimension is Moment => Object.hasOwn(momentUnits, dimension);

/** Milliseconds of a dimension of time. */
export const unitOf = (dimension: Moment): number => momentUnits[dimension];

const written = new Map<string, string>();
const mostWritten = 20_000;

/** The value of a dimension as an answer shows it. */
export function shown(sample: Sample, dimension: string): string | number {
	if (!isMoment(dimension)) return sample[dimension] ?? '';
	const unit = unitOf(dimension);
	const moment = Math.floor(sample.at / unit) * unit;
	const name = `${dimension === 'date' ? 'd' : 't'}${moment}`;
	const known = written.get(name);
	if (known !== undefined) return known;
	if (written.size >= mostWritten) written.clear();
	const iso = new Date(moment).toISOString();
	const text = dimension === 'date' ? iso.slice(0, 10) : `${iso.slice(0, 19)}Z`;
	written.set(name, text);
	return text;
}
