import {estimateCallSeconds, type QuotaLeft} from '../../service/limiter.ts';
import {formatDuration} from '../../terminal/progress.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {limits} from '../limits.ts';

/** Values to measure: a random sample of this size, all, or none. */
export type Sampling = number | 'all' | 'none';

/** Sample size by default. */
export const defaultSampleSize = 2000;

/** Calls for reading a namespace, and their duration. */
type StatsCost = {readonly listingCalls: number; readonly valueCalls: number; readonly seconds: number};

/** Minimum cost: a value that is binary, or larger than 4 MB, takes extra calls. */
function estimateStatsCost(keyCount: number, sampling: Sampling, quota: QuotaLeft): StatsCost {
	const measuredCount =
		sampling === 'none' ? 0 : sampling === 'all' ? keyCount : Math.min(keyCount, sampling);
	const listingCalls = Math.max(1, Math.ceil(keyCount / limits.listPage.maxKeys));
	const valueCalls = Math.ceil(measuredCount / limits.keysPerBulkRead);
	return {listingCalls, valueCalls, seconds: estimateCallSeconds(listingCalls + valueCalls, quota)};
}

/**
 * Describes the cost of reading before it starts. `quota`: remaining call quota, undefined for local data.
 * `keyCount`: number of keys, if known.
 */
export function describeStatsCost(
	quota: QuotaLeft | undefined,
	keyCount: number | undefined,
	sampling: Sampling,
): readonly string[] {
	if (!quota)
		return ['Local data: ledge lists all keys and reads the sizes of all values, without any API calls.'];
	const reads = isWholeNamespaceRead(keyCount, sampling) ? 'all' : sampling;
	const listing = `Lists all keys, ${formatInteger(limits.listPage.maxKeys)} per call`;
	const sentence =
		reads === 'none'
			? `${listing}, and reads no values.`
			: `${listing}, then reads ${formatSampling(reads)}.`;
	if (keyCount !== undefined) return [sentence, `For ${formatCost(keyCount, sampling, quota)}.`];
	const examples = [100_000, 1_000_000].map(count => formatCost(count, sampling, quota));
	return [sentence, 'How many keys there are is not known yet. Examples:', ...examples];
}

/** True if the sample contains every key. */
export const isWholeNamespaceRead = (keyCount: number | undefined, sampling: Sampling): boolean =>
	sampling === 'all' || (typeof sampling === 'number' && keyCount !== undefined && keyCount <= sampling);

function formatCost(keyCount: number, sampling: Sampling, quota: QuotaLeft): string {
	const {listingCalls, valueCalls, seconds} = estimateStatsCost(keyCount, sampling, quota);
	return `${formatQuantity(keyCount, 'key')}: ${formatQuantity(listingCalls + valueCalls, 'call')}, ${formatDuration(seconds)} or more`;
}

const formatSampling = (sampling: number | 'all'): string =>
	`${sampling === 'all' ? 'every value' : `${formatQuantity(sampling, 'value')} chosen at random`}, ${limits.keysPerBulkRead} per call`;
