import {compareKeys} from '../../text/utf8-order.ts';

/** A key that is made when it is asked for. `metadata` is JSON text, `expiration` in UNIX seconds. */
type GeneratedKey = {
	readonly key: string;
	readonly metadata: string | null;
	readonly expiration: number | null;
};

/** Most keys that a generated namespace may have: their numbers have eight digits. */
export const mostGeneratedKeys = 100_000_000;

/** Nothing generated expires before this time, in UNIX seconds: the end of 2096. */
const firstExpiration = 4_000_000_000;
const aYear = 31_536_000;

/** A part of the names, in the order of their bytes. `name` ascends with the number of the key in the part. */
type Part = {readonly tenths: number; readonly name: (number: number, size: number) => string};

const digits = (number: number, length: number): string => String(number).padStart(length, '0');
const hex = (number: number, length: number): string => number.toString(16).padStart(length, '0');

/** Names as services have them: folders, days, tokens below one prefix, and users of two keys each. */
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
 * The keys of a namespace that is not stored: each is worked out from its number, always the same. Their names ascend
 * by their bytes. A fifth has metadata, a quarter of the sessions an expiration.
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

	/** The name of the key of a number, from 0 to before `count`. */
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

	/** About the bytes of all names, values and metadata, by a thousand keys that are equally far apart. */
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

	/** JSON of 40 to 350 bytes. */
	valueAt(number: number): Uint8Array {
		const chance = mixed(number);
		const text = hex(chance, 8).repeat(chance % 38);
		return Buffer.from(JSON.stringify({number, check: hex(chance, 8), text}));
	}

	/** The number of the first key whose name is not less; `count` where all are. */
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

	/** The number of a key; `undefined` where no key has this name. */
	find(name: string): number | undefined {
		const number = this.firstAtLeast(name);
		return number < this.count && this.nameAt(number) === name ? number : undefined;
	}
}

/** A number of 32 bits that looks drawn by lot, always the same for the same number. */
function mixed(number: number): number {
	let bits = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
	bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
	return (bits ^ (bits >>> 16)) >>> 0;
}
