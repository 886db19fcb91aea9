import {type QuotaLeft, secondsOfCalls} from '../../service/limiter.ts';
import {duration} from '../../terminal/progress.ts';
import {counted, grouped} from '../../text/figures.ts';
import {limits} from '../limits.ts';

/** How many values are measured: so many keys drawn at random, those of all keys, or none. */
export type Sampling = number | 'all' | 'none';

/** Values that are measured unless another number is chosen. */
export const usualSample = 2000;

/** Calls that are made to read a namespace of so many keys. */
type StatsCost = {readonly listing: number; readonly values: number; readonly seconds: number};

/** What it costs at least; a value that is not text, or larger than 4 MB, takes calls of its own. */
function statsCost(keys: number, sampling: Sampling, quota: QuotaLeft): StatsCost {
	const measured = sampling === 'none' ? 0 : sampling === 'all' ? keys : Math.min(keys, sampling);
	const listing = Math.max(1, Math.ceil(keys / limits.listPage.most));
	const values = Math.ceil(measured / limits.bulkReads);
	return {listing, values, seconds: secondsOfCalls(listing + values, quota)};
}

/**
 * What reading costs, in sentences, before it starts. `quota`: what is left of the quota of the calls; undefined for local
 * data. `keys`: how many there are, where that is known.
 */
export function costText(
	quota: QuotaLeft | undefined,
	keys: number | undefined,
	sampling: Sampling,
): readonly string[] {
	if (!quota) return ['Local data: all keys and the sizes of all values are read, without any call.'];
	const examples = keys === undefined ? [100_000, 1_000_000] : [keys];
	return [
		`1 call lists ${grouped(limits.listPage.most)} keys${valuesText(sampling)}.`,
		...examples.map(many => exampleText(many, sampling, quota)),
	];
}

function exampleText(keys: number, sampling: Sampling, quota: QuotaLeft): string {
	const {listing, values, seconds} = statsCost(keys, sampling, quota);
	return `${counted(keys, 'key')}: ${counted(listing + values, 'call')}, ${duration(seconds)} or more.`;
}

function valuesText(sampling: Sampling): string {
	if (sampling === 'none') return ', and no value is read';
	if (sampling === 'all') return ` and 1 call reads up to ${grouped(limits.bulkReads)} values`;
	const calls = Math.ceil(sampling / limits.bulkReads);
	return `, and ${counted(calls, 'call')} ${calls === 1 ? 'reads' : 'read'} the values of ${counted(sampling, 'key')} drawn at random`;
}
