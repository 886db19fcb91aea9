import {compareKeys} from '../../text/utf8-order.ts';

/** A key that is generated on demand. `metadata` is JSON text, `expiration` in UNIX seconds. */
type GeneratedKey = {
	readonly key: string;
	readonly metadata: string | null;
	readonly expiration: number | null;
};

/** Maximum number of generated keys: their names have eight digits. */
export const mostGeneratedKeys = 100_000_000;

/** The earliest expiration of generated keys, in UNIX seconds: in October 2096. */
const firstExpiration = 4_000_000_000;
const aYear = 31_536_000;

/** A part of the names, in byte order. `name` increases with the number of the key in the part. */
type Part = {readonly tenths: number; readonly name: (number: number, size: number) => string};

const digits = (number: number, length: number): string => String(number).padStart(length, '0');
const hex = (number: number, length: number): string => number.toString(16).padStart(length, '0');

/** Typical names: folders, days, tokens below one prefix, and users with two keys each. */
const parts: readonly Part[] = [
	{
		tenths: 1,
		name: (number, size) => `asset/${hex(Math.floor((number * 256) / size), 2)}/${digits(number, 8)}.json`,
	},
	{
		tenths: 2,
		name(number, size) {
			const day = Math.floor((number * 336) / size);
			return `log/2031-${digits(1 + Math.floor(day / 28), 2)}-${digits(1 + (day % 28), 2)}/${digits(number, 8)}`;
		},
	},
	{
		tenths: 3,
		name(number, size) {
			const step = Math.floor(2 ** 32 / size);
			return `session:${hex(number * step + (mixed(number) % step), 8)}`;
		},
	},
	{
		tenths: 4,
		name: number => `user:${digits(Math.floor(number / 2), 8)}:${number % 2 === 0 ? 'profile' : 'settings'}`,
	},
];

/**
 * The keys of a namespace that is not stored: each is computed from its number, and the order of the names is
 * that of their bytes. A fifth has metadata, a quarter of the sessions an expiration.
 */
export class GeneratedKeys {
	readonly count: number;
	readonly #parts: readonly {readonly from: number; readonly size: number; readonly name: Part['name']}[];

	constructor(count: number) {
		this.count = count;
		let tenths = 0;
		this.#parts = parts.map(part => {
			const from = Math.floor((count * tenths) / 10);
			tenths += part.tenths;
			return {from, size: Math.floor((count * tenths) / 10) - from, name: part.name};
		});
	}

	/** Returns the name of a key by its number, from 0 to `count` - 1. */
	nameAt(number: number): string {
		const part = this.#parts.findLast(({from, size}) => size > 0 && from <= number);
		return part ? part.name(number - part.from, part.size) : '';
	}

	at(number: number): GeneratedKey {
		const key = this.nameAt(number);
		const chance = mixed(number);
		return {
			key,
			metadata: chance % 5 === 0 ? `{"version":${1 + (chance % 9)}}` : null,
			expiration: key.startsWith('session:') && chance % 4 === 0 ? firstExpiration + (chance % aYear) : null,
		};
	}

	/** Estimates the bytes of all names, values and metadata from up to a thousand evenly spaced keys. */
	bytes(): number {
		const looked = Math.min(this.count, 1000);
		let bytes = 0;
		for (let index = 0; index < looked; index++) {
			const number = Math.floor((index * this.count) / looked);
			const {key, metadata} = this.at(number);
			bytes += Buffer.byteLength(key + (metadata ?? '')) + this.valueAt(number).length;
		}
		return looked === 0 ? 0 : Math.round((bytes / looked) * this.count);
	}

	/** Returns JSON of about 40 to 350 bytes. */
	valueAt(number: number): Uint8Array {
		const chance = mixed(number);
		const text = hex(chance, 8).repeat(chance % 38);
		return Buffer.from(JSON.stringify({number, check: hex(chance, 8), text}));
	}

	/** Returns the number of the first key whose name is not less, or `count`. */
	firstAtLeast(name: string): number {
		let low = 0;
		let high = this.count;
		while (low < high) {
			const middle = Math.floor((low + high) / 2);
			if (compareKeys(this.nameAt(middle), name) < 0) low = middle + 1;
			else high = middle;
		}
		return low;
	}

	/** Returns the number of the key with this name; undefined if not found. */
	find(name: string): number | undefined {
		const number = this.firstAtLeast(name);
		return number < this.count && this.nameAt(number) === name ? number : undefined;
	}
}

/** Hashes a number to an unsigned 32-bit integer. */
function mixed(number: number): number {
	let bits = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
	bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
	return (bits ^ (bits >>> 16)) >>> 0;
}
