/** A key that occurs more than once, with the numbers of its first and last entry. */
type RepeatedKey = {
	readonly key: string;
	readonly times: number;
	readonly first: number;
	readonly last: number;
};

/** The repeated keys of an input. */
export type Repeats = {
	/** True if the key is repeated. Never misses one; unless `isExact`, may report a few others. */
	has(key: string): boolean;
	readonly isExact: boolean;
	/** Number of repeated keys; a lower bound unless `isExact`. */
	readonly keyCount: number;
	/** Entries overruled by later ones, if known. */
	readonly overruledCount: number | undefined;
	readonly samples: readonly RepeatedKey[];
};

const noRepeats: Repeats = {has: () => false, isExact: true, keyCount: 0, overruledCount: 0, samples: []};

/** Above this, keys are no longer tracked individually. */
const maxCandidates = 100_000;
const maxCandidateCharacters = 8_000_000;
const maxSamples = 12;
const probesPerKey = 6;

/**
 * Finds repeated keys in two passes with bounded memory (10 MB, plus some MB of names): first `note` every
 * key; then, if `mustCount`, `count` every key; then `getRepeats`.
 */
export class RepeatFinder {
	readonly #seenKeys: BloomFilter;
	readonly #repeatedKeys: BloomFilter;
	#candidates: Map<string, {times: number; first: number; last: number}> | undefined = new Map();
	#characters = 0;
	#repeatCount = 0;
	/** Hashes of the current key. */
	#blockHash = 0;
	#bitHash = 0;

	/**
	 * `bytes`: size of the input. One bit per byte is twenty or more bits per key, for inputs up to 64 MB.
	 */
	constructor(bytes: number) {
		const bits = Math.min(2 ** 26, Math.max(2 ** 16, 2 ** Math.ceil(Math.log2(bytes + 1))));
		this.#seenKeys = new BloomFilter(bits);
		this.#repeatedKeys = new BloomFilter(Math.max(2 ** 16, bits / 4));
	}

	note(key: string): void {
		this.#hash(key);
		if (!this.#seenKeys.add(this.#blockHash, this.#bitHash)) return;
		this.#repeatCount++;
		this.#repeatedKeys.add(this.#blockHash, this.#bitHash);
		const candidates = this.#candidates;
		if (!candidates || candidates.has(key)) return;
		this.#characters += key.length;
		if (candidates.size >= maxCandidates || this.#characters > maxCandidateCharacters) {
			this.#candidates = undefined;
		} else candidates.set(key, {times: 0, first: 0, last: 0});
	}

	/** Computes two hashes of a key: FNV-1a, and a variant with another factor. */
	#hash(key: string): void {
		let blockHash = 0x811c9dc5;
		let bitHash = 0x9747b28c;
		for (let index = 0; index < key.length; index++) {
			const unit = key.charCodeAt(index);
			blockHash = Math.imul(blockHash ^ unit, 0x01000193);
			bitHash = Math.imul(bitHash ^ unit, 0x5bd1e995);
		}
		this.#blockHash = mixHash(blockHash);
		this.#bitHash = mixHash(bitHash);
	}

	/** True if one more pass can determine the repeated keys exactly. */
	get mustCount(): boolean {
		return this.#candidates !== undefined && this.#candidates.size > 0;
	}

	count(key: string, number: number): void {
		const candidate = this.#candidates?.get(key);
		if (!candidate) return;
		candidate.times++;
		candidate.first ||= number;
		candidate.last = number;
	}

	getRepeats(): Repeats {
		if (this.#repeatCount === 0) return noRepeats;
		const candidates = this.#candidates;
		if (!candidates) {
			return {
				has: key => {
					this.#hash(key);
					return this.#repeatedKeys.has(this.#blockHash, this.#bitHash);
				},
				isExact: false,
				keyCount: maxCandidates,
				overruledCount: undefined,
				samples: [],
			};
		}
		let overruledCount = 0;
		for (const [key, {times}] of candidates) {
			if (times < 2) candidates.delete(key);
			else overruledCount += times - 1;
		}
		const samples = candidates
			.entries()
			.take(maxSamples)
			.map(([key, candidate]) => ({key, ...candidate}));
		return {
			has: key => candidates.has(key),
			isExact: true,
			keyCount: candidates.size,
			overruledCount,
			samples: [...samples],
		};
	}
}

/**
 * A blocked Bloom filter: may report a few foreign keys, never misses a member. All bits of a key are in one
 * cache line, so a lookup costs one memory access.
 */
class BloomFilter {
	readonly #words: Uint32Array;
	readonly #blockMask: number;

	/** `bits` is a power of two. */
	constructor(bits: number) {
		this.#words = new Uint32Array(bits / 32);
		this.#blockMask = bits / 512 - 1;
	}

	/** Adds a key by its hashes; returns true if it seemed present before. */
	add(blockHash: number, bitHash: number): boolean {
		const words = this.#words;
		const block = (blockHash & this.#blockMask) << 4;
		const step = (blockHash >>> 23) | 1;
		let wasPresent = true;
		for (let probe = 0, bit = bitHash; probe < probesPerKey; probe++, bit += step) {
			const word = block | ((bit >>> 5) & 15);
			const flag = 1 << (bit & 31);
			const oldWord = words[word] ?? 0;
			if ((oldWord & flag) === 0) {
				wasPresent = false;
				words[word] = oldWord | flag;
			}
		}
		return wasPresent;
	}

	has(blockHash: number, bitHash: number): boolean {
		const block = (blockHash & this.#blockMask) << 4;
		const step = (blockHash >>> 23) | 1;
		for (let probe = 0, bit = bitHash; probe < probesPerKey; probe++, bit += step) {
			if (((this.#words[block | ((bit >>> 5) & 15)] ?? 0) & (1 << (bit & 31))) === 0) return false;
		}
		return true;
	}
}

/** Finalizes a 32-bit hash like MurmurHash3, so that every bit depends on the whole text. */
function mixHash(hash: number): number {
	let mix = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
	mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
	return (mix ^ (mix >>> 16)) >>> 0;
}
