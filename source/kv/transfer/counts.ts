import {number, optional, pipe, safeInteger} from 'valibot';
import {fields, type Schema} from '../../text/schema.ts';

/** What became of the keys that a transfer has looked at. */
export type Counts = {
	/** Keys that are in the file, or in the other store. */
	readonly done: number;
	readonly bytes: number;
	/** Keys that were listed, and gone when they were read. */
	readonly gone: number;
	/** Keys that were not written because they have expired, or will within a minute. */
	readonly expired: number;
	/** Keys that the other store has already, and was to keep. */
	readonly kept: number;
	/** Keys that the other store refused to the end. */
	readonly refused: number;
	/** Keys of a rename that are under both names: changed meanwhile, or not read back. */
	readonly both: number;
};

export const noCounts: Counts = {done: 0, bytes: 0, gone: 0, expired: 0, kept: 0, refused: 0, both: 0};

const names = Object.keys(noCounts) as readonly (keyof Counts)[];

export function addedCounts(one: Counts, other: Partial<Counts>): Counts {
	const sum = (name: keyof Counts) => one[name] + (other[name] ?? 0);
	return Object.fromEntries(names.map(name => [name, sum(name)])) as Counts;
}

const count = pipe(number(), safeInteger());

/** Counts as a journal holds them, one by an earlier version too. */
export const countsSchema: Schema<Counts> = fields({
	...{done: count, bytes: count, gone: count, expired: count, kept: count, refused: count},
	both: optional(count, 0),
});

export const settledIn = ({done, gone, expired, kept, refused, both}: Counts): number =>
	done + gone + expired + kept + refused + both;
