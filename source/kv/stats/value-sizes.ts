import {compareKeys} from '../../text/utf8-order.ts';
import {Uint32List} from '../key-index/uint32-list.ts';
import {limits} from '../limits.ts';
import {type Estimate, estimateCount, estimateMedian, estimateSum, toExactEstimate} from './estimate.ts';

/** Keys whose values have at least `from` and less than `below` bytes. */
type SizeBucket = {readonly from: number; readonly below: number; readonly keys: Estimate};

/** Sizes of values in bytes, estimated for all keys from the measured ones. */
export type ValueSizes = {
	/** Keys with a measured value. */
	readonly measured: number;
	/** Keys that were listed, but no longer existed when they were measured. */
	readonly missingCount: number;
	/** True if the figures are exact, not estimated. */
	readonly isExact: boolean;
	readonly total: Estimate;
	readonly mean: Estimate;
	readonly median: Estimate;
	/** From the smallest measured value to the largest, without gaps; empty values have their own bucket. */
	readonly buckets: readonly SizeBucket[];
	/** Keys with the largest measured values, largest first. */
	readonly largest: readonly {readonly key: string; readonly bytes: number}[];
	/** Upper limit of the number of keys with a larger value than the largest measured one. */
	readonly maxLargerCount: number;
	/** True if a few large values make the sum uncertain: its interval ends more than 50 % above it. */
	readonly isUncertain: boolean;
};

/** Number of largest values to keep. */
const maxLargest = 10;

/** Collects measured sizes, four bytes each. */
export class SizeTally {
	readonly #sizes = new Uint32List();
	#largest: {key: string; bytes: number}[] = [];
	#missingCount = 0;

	/** `bytes` is undefined for a key that no longer exists. */
	add(key: string, bytes: number | undefined): void {
		if (bytes === undefined) {
			this.#missingCount++;
			return;
		}
		this.#sizes.push(bytes);
		if (this.#largest.length === maxLargest && bytes <= (this.#largest.at(-1)?.bytes ?? 0)) return;
		this.#largest.push({key, bytes});
		this.#largest.sort((one, other) => other.bytes - one.bytes || compareKeys(one.key, other.key));
		this.#largest = this.#largest.slice(0, maxLargest);
	}

	/** Number of keys that were measured or found missing. */
	get processedCount(): number {
		return this.#sizes.length + this.#missingCount;
	}

	/**
	 * `listedCount`: the number of keys that the sample was drawn from. Assumes that the other keys vanish
	 * at the same rate.
	 */
	computeSizes(listedCount: number): ValueSizes {
		const measured = this.#sizes.length;
		const sorted = Uint32Array.from({length: measured}, (_, index) => this.#sizes.at(index)).sort();
		const population =
			this.#missingCount === 0
				? listedCount
				: Math.round((listedCount * measured) / Math.max(1, this.processedCount));
		const isExact = measured >= population;
		const total = estimateSum(sorted, population, limits.valueBytes);
		const computeMean = (sum: number) => (population === 0 ? 0 : sum / population);
		return {
			measured,
			missingCount: this.#missingCount,
			isExact,
			total,
			mean: {value: computeMean(total.value), low: computeMean(total.low), high: computeMean(total.high)},
			median: estimateMedian(sorted, population, limits.valueBytes),
			buckets: buildSizeBuckets(sorted, population),
			largest: this.#largest,
			maxLargerCount:
				isExact || measured === 0 ? population - measured : estimateCount(0, measured, population).high,
			isUncertain: !isExact && total.high > total.value * 1.5,
		};
	}
}

/** Builds buckets that grow fourfold: 0, 1 to 3, 4 to 15 … bytes. */
function buildSizeBuckets(sorted: Uint32Array, population: number): SizeBucket[] {
	const buckets: SizeBucket[] = [];
	const measured = sorted.length;
	for (let [from, below, index] = [0, 1, 0]; index < measured; [from, below] = [below, below * 4]) {
		let hits = 0;
		while (index < measured && (sorted[index] ?? 0) < below) {
			index++;
			hits++;
		}
		if (hits === 0 && buckets.length === 0) continue;
		const keys = measured >= population ? toExactEstimate(hits) : estimateCount(hits, measured, population);
		buckets.push({from, below, keys});
	}
	return buckets;
}
