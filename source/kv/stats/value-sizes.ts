import {compareKeys} from '../../text/utf8-order.ts';
import {Uint32List} from '../key-index/uint32-list.ts';
import {limits} from '../limits.ts';
import {countEstimate, type Estimate, exactly, medianEstimate, sumEstimate} from './estimate.ts';

/** Values of at least `from` bytes, and of less than `below`. */
type SizeBucket = {readonly from: number; readonly below: number; readonly keys: Estimate};

/** How large values are, in bytes: those of all keys, as far as it can be estimated from those that were measured. */
export type ValueSizes = {
	/** Keys whose value was measured. */
	readonly measured: number;
	/** Keys that were to be measured, and were gone by then. */
	readonly gone: number;
	/** Whether the figures are those of all keys, and not estimated. */
	readonly isExact: boolean;
	readonly total: Estimate;
	readonly mean: Estimate;
	readonly median: Estimate;
	/** Without gaps, from the smallest to the largest that was measured; empty values apart. */
	readonly buckets: readonly SizeBucket[];
	/** Keys whose values are the largest that were measured, the largest first. */
	readonly largest: readonly {readonly key: string; readonly bytes: number}[];
	/** How many keys at most have a larger value than the largest that was measured. */
	readonly mostLarger: number;
	/** Whether a few large values make the sum uncertain: its interval ends more than half above it. */
	readonly isRough: boolean;
};

/** Keys with the largest values that are kept. */
const mostLargest = 10;

/** Sizes of values as they are measured, four bytes each. */
export class SizeTally {
	readonly #sizes = new Uint32List();
	#largest: {key: string; bytes: number}[] = [];
	#gone = 0;

	/** `bytes` is `undefined` for a key that was gone. */
	add(key: string, bytes: number | undefined): void {
		if (bytes === undefined) {
			this.#gone++;
			return;
		}
		this.#sizes.push(bytes);
		if (this.#largest.length === mostLargest && bytes <= (this.#largest.at(-1)?.bytes ?? 0)) return;
		this.#largest.push({key, bytes});
		this.#largest.sort((one, other) => other.bytes - one.bytes || compareKeys(one.key, other.key));
		this.#largest = this.#largest.slice(0, mostLargest);
	}

	/** Keys that were measured or found to be gone. */
	get settled(): number {
		return this.#sizes.length + this.#gone;
	}

	/** `listed`: all keys that these were chosen from. Keys that vanish are taken to be as frequent among the others. */
	sizesOf(listed: number): ValueSizes {
		const measured = this.#sizes.length;
		const sorted = Uint32Array.from({length: measured}, (_, at) => this.#sizes.at(at)).sort();
		const population =
			this.#gone === 0 ? listed : Math.round((listed * measured) / Math.max(1, this.settled));
		const isExact = measured >= population;
		const total = sumEstimate(sorted, population, limits.valueBytes);
		const each = (sum: number) => (population === 0 ? 0 : sum / population);
		return {
			measured,
			gone: this.#gone,
			isExact,
			total,
			mean: {value: each(total.value), low: each(total.low), high: each(total.high)},
			median: medianEstimate(sorted, population, limits.valueBytes),
			buckets: bucketsOf(sorted, population),
			largest: this.#largest,
			mostLarger:
				isExact || measured === 0 ? population - measured : countEstimate(0, measured, population).high,
			isRough: !isExact && total.high > total.value * 1.5,
		};
	}
}

/** Buckets that grow by four: 0, 1 to 3, 4 to 15 … bytes. */
function bucketsOf(sorted: Uint32Array, population: number): SizeBucket[] {
	const buckets: SizeBucket[] = [];
	const measured = sorted.length;
	for (let [from, below, at] = [0, 1, 0]; at < measured; [from, below] = [below, below * 4]) {
		let hits = 0;
		while (at < measured && (sorted[at] ?? 0) < below) {
			at++;
			hits++;
		}
		if (hits === 0 && buckets.length === 0) continue;
		const keys = measured >= population ? exactly(hits) : countEstimate(hits, measured, population);
		buckets.push({from, below, keys});
	}
	return buckets;
}
