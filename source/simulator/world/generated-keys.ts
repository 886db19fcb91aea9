import {compareKeys} from '../../text/utf8-order.ts';

/** A key that is generated on demand. `metadata` is JSON text, `expiration` in UNIX seconds. */
type GeneratedKey = {
	readonly key: string;
	readonly metadata: string | null;
	readonly expiration: number | null;
};

/** Maximum number of generated keys: their names have eight digits. */
export const maxGeneratedKeys = 100_000_000;

/** The earliest expiration of generated keys, in UNIX seconds: in October 2096. */
const firstExpiration = 4_000_000_000;
const yearSeconds = 31_536_000;

/** A part of the keys, and its share in tenths. `name` returns ascending names for ascending numbers. */
type GeneratedKeyPart = {readonly tenths: number; readonly name: (number: number, size: number) => string};

const padDigits = (number: number, length: number): string => String(number).padStart(length, '0');
const formatHex = (number: number, length: number): string => number.toString(16).padStart(length, '0');

/** Typical names, in byte order: folders, days, tokens below one prefix, users with two keys each. */
const parts: readonly GeneratedKeyPart[] = [
	{
		tenths: 1,
		name: (number, size) =>
			`asset/${formatHex(Math.floor((number * 256) / size), 2)}/${padDigits(number, 8)}.json`,
	},
	{
		tenths: 2,
		name(number, size) {
			const day = Math.floor((number * 336) / size);
			return `log/2031-${padDigits(1 + Math.floor(day / 28), 2)}-${padDigits(1 + (day % 28), 2)}/${padDigits(number, 8)}`;
		},
	},
	{
		tenths: 3,
		name(number, size) {
			const step = Math.floor(2 ** 32 / size);
			return `session:${formatHex(number * step + (mixBits(number) % step), 8)}`;
		},
	},
	{
		tenths: 4,
		name: number =>
			`user:${padDigits(Math.floor(number / 2), 8)}:${number % 2 === 0 ? 'profile' : 'settings'}`,
	},
];

/**
 * The keys of a namespace that is not stored: each is computed from its index, in the byte order of names.
 * A fifth has metadata, a quarter of the sessions an expiration.
 */
export class GeneratedKeys {
	readonly count: number;
	readonly #parts: readonly {
		readonly from: number;
		readonly size: number;
		readonly name: GeneratedKeyPart['name'];
	}[];

	constructor(count: number) {
		this.count = count;
		let tenths = 0;
		this.#parts = parts.map(part => {
			const from = Math.floor((count * tenths) / 10);
			tenths += part.tenths;
			return {from, size: Math.floor((count * tenths) / 10) - from, name: part.name};
		});
	}

	/** Returns the name of a key by its index, from 0 to `count` - 1. */
	getName(keyIndex: number): string {
		const part = this.#parts.findLast(({from, size}) => size > 0 && from <= keyIndex);
		return part ? part.name(keyIndex - part.from, part.size) : '';
	}

	getKey(keyIndex: number): GeneratedKey {
		const key = this.getName(keyIndex);
		const hash = mixBits(keyIndex);
		return {
			key,
			metadata: hash % 5 === 0 ? `{"version":${1 + (hash % 9)}}` : null,
			expiration:
				key.startsWith('session:') && hash % 4 === 0 ? firstExpiration + (hash % yearSeconds) : null,
		};
	}

	/** Estimates the bytes of all names, values and metadata from up to a thousand evenly spaced keys. */
	estimateBytes(): number {
		const sampleSize = Math.min(this.count, 1000);
		let bytes = 0;
		for (let index = 0; index < sampleSize; index++) {
			const keyIndex = Math.floor((index * this.count) / sampleSize);
			const {key, metadata} = this.getKey(keyIndex);
			bytes += Buffer.byteLength(key + (metadata ?? '')) + this.getValue(keyIndex).length;
		}
		return sampleSize === 0 ? 0 : Math.round((bytes / sampleSize) * this.count);
	}

	/** Returns JSON of about 40 to 350 bytes. */
	getValue(keyIndex: number): Uint8Array {
		const hash = mixBits(keyIndex);
		const text = formatHex(hash, 8).repeat(hash % 38);
		return Buffer.from(JSON.stringify({number: keyIndex, check: formatHex(hash, 8), text}));
	}

	/** Returns the index of the first key whose name is not less than `name`, or `count`. */
	getLowerBound(name: string): number {
		let low = 0;
		let high = this.count;
		while (low < high) {
			const middle = Math.floor((low + high) / 2);
			if (compareKeys(this.getName(middle), name) < 0) low = middle + 1;
			else high = middle;
		}
		return low;
	}

	/** Returns the index of the key with this name; undefined if not found. */
	find(name: string): number | undefined {
		const keyIndex = this.getLowerBound(name);
		return keyIndex < this.count && this.getName(keyIndex) === name ? keyIndex : undefined;
	}
}

/** Hashes a number to an unsigned 32-bit integer. */
function mixBits(number: number): number {
	let bits = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
	bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
	return (bits ^ (bits >>> 16)) >>> 0;
}
