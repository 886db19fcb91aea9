import {setImmediate as turn} from 'node:timers/promises';
import {collectGarbageIfNeeded} from '../memory.ts';
import {readValues} from '../read-window.ts';
import type {KeyEntry, KvStore} from '../store.ts';
import {walkKeys} from '../transfer/listing.ts';
import type {Sampling} from './cost.ts';
import {type Expiries, ExpiryCounts} from './expiries.ts';
import {type MetadataCounts, MetadataTally} from './metadata-fields.ts';
import {PrefixCounts, type PrefixGroup} from './prefix-counts.ts';
import {createRandomNumbers} from './random.ts';
import {Reservoir} from './reservoir.ts';
import {SizeTally, type ValueSizes} from './value-sizes.ts';

export type StatsRequest = {
	/** Only keys with this prefix. */
	readonly prefix?: string | undefined;
	/** If the store knows value sizes, all are measured unless this is `none`. */
	readonly sampling: Sampling;
	/** Seed of the sample, a 32-bit integer: the same seed draws the same keys. */
	readonly seed: number;
	/** Levels of prefixes, 1 to `maxPrefixDepth`. */
	readonly depth: number;
	/** Start time, in UNIX seconds. */
	readonly now: number;
};

/** Statistics of a namespace. */
export type KvStats = {
	/** True if all keys were listed; otherwise they are the first ones by name, not a random sample. */
	readonly isListed: boolean;
	/** True if all requested values were measured. */
	readonly isMeasured: boolean;
	readonly keys: number;
	readonly prefixes: PrefixGroup;
	readonly expiries: Expiries;
	readonly metadata: MetadataCounts;
	/** Undefined if no values were requested, or none is measured yet. */
	readonly sizes: ValueSizes | undefined;
	/** Which values were measured. */
	readonly measuredValues: 'all' | 'sample' | 'none';
};

/** Progress of a reading. */
export type StatsProgress =
	| {readonly phase: 'listing'; readonly keys: number}
	| {readonly phase: 'measuring'; readonly done: number; readonly total: number};

/** Prefixes to keep per level. */
const maxPrefixes = 20;

/** Keys per group. */
const groupSize = 1000;

/**
 * Reads the statistics of a namespace: lists its keys, draws a sample while listing, then measures values.
 * Current figures are available at any time, also after an abort or a failure.
 */
export class StatsReading {
	readonly #store: KvStore;
	readonly #request: StatsRequest;
	readonly #prefixes: PrefixCounts;
	readonly #expiries: ExpiryCounts;
	readonly #metadata = new MetadataTally();
	readonly #sizes = new SizeTally();
	readonly #sample: Reservoir<string> | undefined;
	#keyCount = 0;
	#isListed = false;
	#isMeasured: boolean;

	constructor(store: KvStore, request: StatsRequest) {
		const {prefix, sampling, seed, depth, now} = request;
		this.#store = store;
		this.#request = request;
		this.#prefixes = new PrefixCounts({prefix, depth, maxPerLevel: maxPrefixes});
		this.#expiries = new ExpiryCounts(now);
		this.#isMeasured = sampling === 'none';
		if (typeof sampling === 'number' && !store.size)
			this.#sample = new Reservoir(sampling, createRandomNumbers(seed));
	}

	/** Reads everything; writes nothing. */
	async *run(signal: AbortSignal): AsyncGenerator<StatsProgress> {
		if (this.#request.sampling === 'all' && !this.#store.size)
			yield* this.#measureValues(this.#listKeys(signal), signal);
		else
			for await (const keys of this.#listKeys(signal)) {
				for (const {name} of keys) {
					this.#sample?.offer(name);
					if (this.#request.sampling !== 'none' && this.#store.size)
						this.#sizes.add(name, this.#store.size(name));
				}
				yield {phase: 'listing', keys: this.#keyCount};
				// Local listing never waits, so yield here to keep the keyboard responsive.
				await turn(undefined, {signal});
			}
		this.#isListed = true;
		if (this.#sample) yield* this.#measureValues(groupNames(this.#sample.listShuffled()), signal);
		this.#isMeasured = true;
	}

	/** Current figures. */
	get stats(): KvStats {
		const {sampling} = this.#request;
		const coversAllKeys = !this.#sample || this.#sample.size >= this.#keyCount;
		// Part of a random sample is a sample too, so it stands for all keys; the first keys by name do not.
		const population = this.#sample ? this.#keyCount : this.#sizes.processedCount;
		const hasSizes = sampling !== 'none' && (this.#isMeasured || this.#sizes.processedCount > 0);
		return {
			isListed: this.#isListed,
			isMeasured: this.#isMeasured,
			keys: this.#keyCount,
			prefixes: this.#prefixes.counts,
			expiries: this.#expiries.counts,
			metadata: this.#metadata.counts,
			sizes: hasSizes ? this.#sizes.computeSizes(population) : undefined,
			measuredValues: sampling === 'none' ? 'none' : coversAllKeys ? 'all' : 'sample',
		};
	}

	async *#listKeys(signal: AbortSignal): AsyncGenerator<readonly KeyEntry[]> {
		for await (const page of walkKeys(this.#store, {prefix: this.#request.prefix}, signal)) {
			const keys = page.keys.filter(({name}) => this.#prefixes.add(name));
			for (const {expiration, metadata} of keys) {
				this.#expiries.add(expiration);
				this.#metadata.add(metadata);
			}
			this.#keyCount += keys.length;
			collectGarbageIfNeeded();
			yield keys;
		}
	}

	async *#measureValues(
		keys: AsyncIterable<readonly {readonly name: string}[]>,
		signal: AbortSignal,
	): AsyncGenerator<StatsProgress> {
		for await (const pairs of readValues(this.#store, keys, ({name}) => name, signal)) {
			for (const [{name}, stored] of pairs) this.#sizes.add(name, stored?.bytes.length);
			yield {
				phase: 'measuring',
				done: this.#sizes.processedCount,
				total: this.#sample ? Math.min(this.#sample.size, this.#keyCount) : this.#keyCount,
			};
		}
	}
}

/** Splits names into groups of whole batches. */
async function* groupNames(names: readonly string[]): AsyncGenerator<readonly {readonly name: string}[]> {
	for (let from = 0; from < names.length; from += groupSize)
		yield names.slice(from, from + groupSize).map(name => ({name}));
}
