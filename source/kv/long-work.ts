import {secondsOfCalls} from '../service/limiter.ts';
import {duration} from '../terminal/progress.ts';
import {counted} from '../text/figures.ts';
import {limits} from './limits.ts';
import type {KvStore} from './store.ts';

/** What work on keys reads: their names, page by page, their values, or both. */
type WorkReads = 'names' | 'values' | 'both';

/** Work on the keys of a store. */
export type KeysWork = {
	readonly kind: KvStore['kind'];
	readonly reads: WorkReads;
	/** How many stores it reads; 1 unless given. */
	readonly stores?: number;
};

/** Seconds from which on work is long. */
const longSeconds = 60;
/** So many keys are looked at before work of an unknown number of keys is taken to be long. */
const manyKeys = 20_000;

function callsFor(keys: number, {reads, stores = 1}: Pick<KeysWork, 'reads' | 'stores'>): number {
	const pages = reads === 'values' ? 0 : Math.ceil(keys / limits.listPage.most);
	const values = reads === 'names' ? 0 : Math.ceil(keys / limits.bulkReads);
	return stores * (pages + values);
}

/** How long reading so many keys takes at the quota of the service; `undefined` where that is less than a minute. */
export function longTime(keys: number, work: Pick<KeysWork, 'reads' | 'stores'>): string | undefined {
	const seconds = secondsOfCalls(callsFor(keys, work));
	return seconds < longSeconds ? undefined : duration(seconds);
}

/**
 * How long work on keys takes at the quota of the service, in a sentence: for all of them once their number is known, and
 * before that, with many of them `done`, for a number of keys that takes a while. `undefined` where it does not take
 * long, as far as that is known, or no quota limits it.
 */
export function longWorkText(work: KeysWork, done: number, total?: number): string | undefined {
	if (work.kind === 'local' || work.kind === 'file') return undefined;
	if (total === undefined && done < manyKeys) return undefined;
	const keys = total ?? exampleFor(work, done);
	const time = longTime(keys, work);
	if (time === undefined) return undefined;
	return `${counted(keys, 'key')} take ${counted(callsFor(keys, work), 'call')}: ${time} at the quota of the service.`;
}

/** The next power of ten that takes long. */
function exampleFor(work: KeysWork, done: number): number {
	let keys = 10 ** Math.ceil(Math.log10(done + 1));
	while (longTime(keys, work) === undefined) keys *= 10;
	return keys;
}
