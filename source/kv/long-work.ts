import {type QuotaLeft, secondsOfCalls} from '../service/limiter.ts';
import {duration} from '../terminal/progress.ts';
import {counted} from '../text/figures.ts';
import {limits} from './limits.ts';
import type {KvStore} from './store.ts';

/** What work on keys reads: their names, page by page, their values, or both. */
type WorkReads = 'names' | 'values' | 'both';

/** Work on the keys of a store. */
export type KeysWork = {
	readonly reads: WorkReads;
	/** What was left of the quota of its calls when it began; undefined if none limits them. */
	readonly quota: QuotaLeft | undefined;
	/** Calls where one would do, as with two stores that are compared; 1 unless given. */
	readonly times?: number;
};

/** Seconds from which on work is long. */
const longSeconds = 60;
/** So many keys are looked at before work of an unknown number of keys is taken to be long. */
const manyKeys = 20_000;

function callsFor(keys: number, {reads, times = 1}: Pick<KeysWork, 'reads' | 'times'>): number {
	const pages = reads === 'values' ? 0 : Math.ceil(keys / limits.listPage.most);
	const values = reads === 'names' ? 0 : Math.ceil(keys / limits.bulkReads);
	return times * (pages + values);
}

/**
 * How long reading so many keys takes by what is left of the quota; undefined if that is less than a minute, or no quota
 * limits it.
 */
export function longTime(keys: number, work: KeysWork): string | undefined {
	if (!work.quota) return undefined;
	const seconds = secondsOfCalls(callsFor(keys, work), work.quota);
	return seconds < longSeconds ? undefined : duration(seconds);
}

/** The work of reading the keys of two stores. */
export function workOfBoth(
	one: Pick<KvStore, 'quota'>,
	other: Pick<KvStore, 'quota'>,
	reads: WorkReads,
): KeysWork {
	const quotas = [one, other].flatMap(({quota}) => quota?.() ?? []);
	return {reads, quota: quotas[0], times: quotas.length};
}

/**
 * How long work on keys takes at the quota of the service, in a sentence: for all of them once their number is known, and
 * before that, with many of them `done`, for a number of keys that takes a while. `undefined` where it does not take
 * long, as far as that is known, or no quota limits it.
 */
export function longWorkText(work: KeysWork, done: number, total?: number): string | undefined {
	const long = longWork(work, done, total);
	return (
		long &&
		`${counted(long.keys, 'key')} take ${counted(callsFor(long.keys, work), 'call')}: ${long.time} at the quota of the service.`
	);
}

/** The same in a few words: "1,000,000 keys take 41 min". */
export function longWorkShort(work: KeysWork, done: number, total?: number): string | undefined {
	const long = longWork(work, done, total);
	return long && `${counted(long.keys, 'key')} take ${long.time}`;
}

/**
 * The sentence before work begins: for all keys where their number is known, otherwise for a number that takes a while,
 * at least of those that are known.
 */
export const longWorkAhead = (
	work: KeysWork,
	{count, isWhole}: {readonly count: number; readonly isWhole: boolean},
): string | undefined => longWorkText(work, Math.max(count, manyKeys), isWhole ? count : undefined);

function longWork(
	work: KeysWork,
	done: number,
	total: number | undefined,
): {readonly keys: number; readonly time: string} | undefined {
	if (!work.quota || (total === undefined && done < manyKeys)) return undefined;
	const keys = total ?? exampleFor(work, done);
	const time = longTime(keys, work);
	return time === undefined ? undefined : {keys, time};
}

/** The next power of ten that takes long. */
function exampleFor(work: KeysWork, done: number): number {
	let keys = 10 ** Math.ceil(Math.log10(done + 1));
	while (longTime(keys, work) === undefined) keys *= 10;
	return keys;
}
