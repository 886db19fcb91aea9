import {estimateCallSeconds, type QuotaLeft} from '../service/limiter.ts';
import {formatDuration} from '../terminal/progress.ts';
import {formatQuantity} from '../text/figures.ts';
import {limits} from './limits.ts';
import type {KvStore} from './store.ts';

/** What the work reads: key names (page by page), values, or both. */
type ReadContent = 'names' | 'values' | 'both';

/** Work on the keys of a store. */
export type KeysWork = {
	readonly content: ReadContent;
	/** Remaining call quota at the start; undefined if no quota applies. */
	readonly quota: QuotaLeft | undefined;
	/** Factor on the number of calls, such as 2 when two stores are compared; 1 by default. */
	readonly callFactor?: number;
};

/** Work counts as long if it takes at least this many seconds. */
const longWorkSeconds = 60;
/** If the total is unknown, work counts as long only after this many keys. */
const minLongWorkKeys = 20_000;

function countWorkCalls(
	keyCount: number,
	{content, callFactor = 1}: Pick<KeysWork, 'content' | 'callFactor'>,
): number {
	const pages = content === 'values' ? 0 : Math.ceil(keyCount / limits.listPage.maxKeys);
	const values = content === 'names' ? 0 : Math.ceil(keyCount / limits.keysPerBulkRead);
	return callFactor * (pages + values);
}

/**
 * Formats how long reading `keyCount` keys takes with the remaining quota; undefined if under a minute or
 * without a quota.
 */
export function formatLongDuration(keyCount: number, work: KeysWork): string | undefined {
	if (!work.quota) return undefined;
	const seconds = estimateCallSeconds(countWorkCalls(keyCount, work), work.quota);
	return seconds < longWorkSeconds ? undefined : formatDuration(seconds);
}

/** Describes the work of reading two stores; local stores do not count. */
export function buildTwoStoreWork(
	one: Pick<KvStore, 'quota'>,
	other: Pick<KvStore, 'quota'>,
	content: ReadContent,
): KeysWork {
	const quotas = [one, other].flatMap(({quota}) => quota?.() ?? []);
	return {content, quota: quotas[0], callFactor: quotas.length};
}

/**
 * Describes how long the work takes with the quota of the service. Uses `total` if known, otherwise says that
 * it is not, and uses an example size above `knownCount`, the number of keys known so far. Undefined if the
 * work is not long, not known to be long, or has no quota.
 */
export function describeLongWork(work: KeysWork, knownCount: number, total?: number): string | undefined {
	const text = formatLongWork(work, knownCount, total);
	return text && (total === undefined ? `The total is not known yet. ${text}` : text);
}

function formatLongWork(work: KeysWork, knownCount: number, total: number | undefined): string | undefined {
	const estimate = estimateLongWork(work, knownCount, total);
	return (
		estimate &&
		`${total === undefined ? 'For example, ' : ''}${formatQuantity(estimate.keyCount, 'key')} take ${formatQuantity(countWorkCalls(estimate.keyCount, work), 'call')}: ${estimate.time} at the quota of the service.`
	);
}

/** Short form of `describeLongWork`: "total unknown, e.g. 1,000,000 keys take 41 min". */
export function summarizeLongWork(work: KeysWork, knownCount: number, total?: number): string | undefined {
	const estimate = estimateLongWork(work, knownCount, total);
	return (
		estimate &&
		`${total === undefined ? 'total unknown, e.g. ' : ''}${formatQuantity(estimate.keyCount, 'key')} take ${estimate.time}`
	);
}

/**
 * Describes the work before it starts: for all keys if `isTotal`, otherwise for an example size of at least
 * `count` keys.
 */
export const predictLongWork = (
	work: KeysWork,
	{count, isTotal}: {readonly count: number; readonly isTotal: boolean},
): string | undefined => formatLongWork(work, Math.max(count, minLongWorkKeys), isTotal ? count : undefined);

function estimateLongWork(
	work: KeysWork,
	knownCount: number,
	total: number | undefined,
): {readonly keyCount: number; readonly time: string} | undefined {
	if (!work.quota || (total === undefined && knownCount < minLongWorkKeys)) return undefined;
	const keyCount = total ?? findLongExample(work, knownCount);
	const time = formatLongDuration(keyCount, work);
	return time === undefined ? undefined : {keyCount, time};
}

/** Returns the next power of ten keys that takes long. */
function findLongExample(work: KeysWork, knownCount: number): number {
	let keyCount = 10 ** Math.ceil(Math.log10(knownCount + 1));
	while (formatLongDuration(keyCount, work) === undefined) keyCount *= 10;
	return keyCount;
}
