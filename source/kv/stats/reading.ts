import {setImmediate as turn} from 'node:timers/promises';
import {holdMemory} from '../memory.ts';
import {readValues} from '../read-window.ts';
import type {KeyEntry, KvStore} from '../store.ts';
import {listedKeys} from '../transfer/listing.ts';
import type {Sampling} from './cost.ts';
import {type Expiries, ExpiryCounts} from './expiries.ts';
import {type MetadataCounts, MetadataTally} from './metadata-fields.ts';
import {PrefixCounts, type PrefixGroup} from './prefix-counts.ts';
import {randomNumbers} from './random.ts';
import {Reservoir} from './reservoir.ts';
import {SizeTally, type ValueSizes} from './value-sizes.ts';

export type StatsRequest = {
	/** Only keys that begin with it. */
	readonly prefix?: string | undefined;
	/** Where the store knows the sizes of values, all of them are measured, unless none is wanted. */
	readonly sampling: Sampling;
	/** Which keys are drawn: the same ones for the same seed, a whole number of 32 bits. */
	readonly seed: number;
	/** Levels of prefixes, from 1 to `mostDepth`. */
	readonly depth: number;
	/** When it begins, in UNIX seconds. */
	readonly now: number;
};

/** What is inside of a namespace. */
export type KvStats = {
	/** Whether all keys were listed; otherwise they are the first ones in the order of their names, which is not a random part. */
	readonly isListed: boolean;
	/** Whether all values that were to be measured were. */
	readonly isMeasured: boolean;
	readonly keys: number;
	readonly prefixes: PrefixGroup;
	readonly expiries: Expiries;
	readonly metadata: MetadataCounts;
	/** None where no values were to be measured, or none was yet. */
	readonly sizes: ValueSizes | undefined;
	/** How the keys were chosen whose values were measured. */
	readonly chosen: 'all' | 'sample' | 'none';
};

/** How far a reading is. */
export type StatsProgress =
	| {readonly phase: 'listing'; readonly keys: number}
	| {readonly phase: 'measuring'; readonly done: number; readonly total: number};

/** Prefixes of a level that are kept. */
const mostPrefixes = 20;

/** Keys of one group. */
const together = 1000;

/**
 * One reading of a namespace: lists its keys, draws some of them while that lasts, and measures their values. What it
 * knows can be asked for at any time, also after it was stopped or has failed.
 */
export class StatsReading {
	readonly #store: KvStore;
	readonly #request: StatsRequest;
	readonly #prefixes: PrefixCounts;
	readonly #expiries: ExpiryCounts;
	readonly #metadata = new MetadataTally();
	readonly #sizes = new SizeTally();
	readonly #sample: Reservoir<string> | undefined;
	#keys = 0;
	#isListed = false;
	#isMeasured: boolean;

	constructor(store: KvStore, request: StatsRequest) {
		const {prefix, sampling, seed, depth, now} = request;
		this.#store = store;
		this.#request = request;
		this.#prefixes = new PrefixCounts({prefix, depth, most: mostPrefixes});
		this.#expiries = new ExpiryCounts(now);
		this.#isMeasured = sampling === 'none';
		if (typeof sampling === 'number' && !store.size)
			this.#sample = new Reservoir(sampling, randomNumbers(seed));
	}

	/** Reads to the end; nothing is written. */
	async *run(signal: AbortSignal): AsyncGenerator<StatsProgress> {
		if (this.#request.sampling === 'all' && !this.#store.size)
			yield* this.#measured(this.#listed(signal), signal);
		else
			for await (const keys of this.#listed(signal)) {
				for (const {name} of keys) {
					this.#sample?.offer(name);
					if (this.#request.sampling !== 'none' && this.#store.size)
						this.#sizes.add(name, this.#store.size(name));
				}
				yield {phase: 'listing', keys: this.#keys};
				// Local data is listed without a pause: what is pressed must be heard in between.
				await turn(undefined, {signal});
			}
		this.#isListed = true;
		if (this.#sample) yield* this.#measured(groups(this.#sample.shuffled()), signal);
		this.#isMeasured = true;
	}

	/** What is known by now. */
	get stats(): KvStats {
		const {sampling} = this.#request;
		const isAll = !this.#sample || this.#sample.size >= this.#keys;
		// A part of the sample is a sample itself; of all keys, the first ones are not.
		const population = this.#sample ? this.#keys : this.#sizes.settled;
		const hasSizes = sampling !== 'none' && (this.#isMeasured || this.#sizes.settled > 0);
		return {
			isListed: this.#isListed,
			isMeasured: this.#isMeasured,
			keys: this.#keys,
			prefixes: this.#prefixes.counts,
			expiries: this.#expiries.counts,
			metadata: this.#metadata.counts,
			sizes: hasSizes ? this.#sizes.sizesOf(population) : undefined,
			chosen: sampling === 'none' ? 'none' : isAll ? 'all' : 'sample',
		};
	}

	async *#listed(signal: AbortSignal): AsyncGenerator<readonly KeyEntry[]> {
		for await (const page of listedKeys(this.#store, {prefix: this.#request.prefix}, signal)) {
			const keys = page.keys.filter(({name}) => this.#prefixes.add(name));
			for (const {expiration, metadata} of keys) {
				this.#expiries.add(expiration);
				this.#metadata.add(metadata);
			}
			this.#keys += keys.length;
			holdMemory();
			yield keys;
		}
	}

	async *#measured(
		keys: AsyncIterable<readonly {readonly name: string}[]>,
		signal: AbortSignal,
	): AsyncGenerator<StatsProgress> {
		for await (const read of readValues(this.#store, keys, ({name}) => name, signal)) {
			for (const [{name}, stored] of read) this.#sizes.add(name, stored?.bytes.length);
			yield {
				phase: 'measuring',
				done: this.#sizes.settled,
				total: this.#sample ? Math.min(this.#sample.size, this.#keys) : this.#keys,
			};
		}
	}
}

/** Names in groups of whole batches. */
async function* groups(names: readonly string[]): AsyncGenerator<readonly {readonly name: string}[]> {
	for (let from = 0; from < names.length; from += together)
		yield names.slice(from, from + together).map(name => ({name}));
}
