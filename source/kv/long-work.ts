import {estimateCallSeconds, type QuotaLeft} from '../service/limiter.ts';
import {formatDuration} from '../terminal/progress.ts';
import {formatQuantity} from '../text/figures.ts';
import {limits} from './limits.ts';
import type {KvStore} from './store.ts';

/** What the work reads: key names (page by page), values, or both. */
type WorkReads = 'names' | 'values' | 'both';

/** Work on the keys of a store. */
export type KeysWork = {
	readonly reads: WorkReads;
	/** Remaining call quota at the start; undefined if no quota applies. */
	readonly quota: QuotaLeft | undefined;
	/** Factor on the number of calls, such as 2 when two stores are compared; 1 by default. */
	readonly times?: number;
};

/** Work that takes at least this many seconds counts as long. */
const longWorkSeconds = 60;
/** If the total is unknown, work counts as long only after this many keys. */
const manyKeys = 20_000;

function countWorkCalls(keys: number, {reads, times = 1}: Pick<KeysWork, 'reads' | 'times'>): number {
	const pages = reads === 'values' ? 0 : Math.ceil(keys / limits.listPage.most);
	const values = reads === 'names' ? 0 : Math.ceil(keys / limits.bulkReads);
	return times * (pages + values);
}

/**
 * Formats how long reading `keys` keys takes with the remaining quota; undefined if under a minute or without
 * a quota.
 */
export function formatLongDuration(keys: number, work: KeysWork): string | undefined {
	if (!work.quota) return undefined;
	const seconds = estimateCallSeconds(countWorkCalls(keys, work), work.quota);
	return seconds < longWorkSeconds ? undefined : formatDuration(seconds);
}

/** Describes the work of reading two stores; local stores do not count. */
export function buildTwoStoreWork(
	one: Pick<KvStore, 'quota'>,
	other: Pick<KvStore, 'quota'>,
	reads: WorkReads,
): KeysWork {
	const quotas = [one, other].flatMap(({quota}) => quota?.() ?? []);
	return {reads, quota: quotas[0], times: quotas.length};
}

/**
 * Describes how long the work takes with the quota of the service. Uses `total` if known, otherwise an
 * example size above `done`. Undefined if the work is not long, not known to be long, or has no quota.
 */
export function describeLongWork(work: KeysWork, done: number, total?: number): string | undefined {
	const long = estimateLongWork(work, done, total);
	return (
		long &&
		`${formatQuantity(long.keys, 'key')} take ${formatQuantity(countWorkCalls(long.keys, work), 'call')}: ${long.time} at the quota of the service.`
	);
}

/** Short form of `describeLongWork`: "1,000,000 keys take 41 min". */
export function summarizeLongWork(work: KeysWork, done: number, total?: number): string | undefined {
	const long = estimateLongWork(work, done, total);
	return long && `${formatQuantity(long.keys, 'key')} take ${long.time}`;
}

/**
 * Describes the work before it starts: for all keys if `isWhole`, otherwise for an example size of at least
 * `count` keys.
 */
export const predictLongWork = (
	work: KeysWork,
	{count, isWhole}: {readonly count: number; readonly isWhole: boolean},
): string | undefined => describeLongWork(work, Math.max(count, manyKeys), isWhole ? count : undefined);

function estimateLongWork(
	work: KeysWork,
	done: number,
	total: number | undefined,
): {readonly keys: number; readonly time: string} | undefined {
	if (!work.quota || (total === undefined && done < manyKeys)) return undefined;
	const keys = total ?? findLongExample(work, done);
	const time = formatLongDuration(keys, work);
	return time === undefined ? undefined : {keys, time};
}

/** Returns the next power of ten keys that takes long. */
function findLongExample(work: KeysWork, done: number): number {
	let keys = 10 ** Math.ceil(Math.log10(done + 1));
	while (formatLongDuration(keys, work) === undefined) keys *= 10;
	return keys;
}
