import {number, optional, pipe, safeInteger} from 'valibot';
import {pickFields, type Schema} from '../../text/schema.ts';

/** Outcome of the keys that a transfer has processed. */
export type Counts = {
	/** Keys written to the file or the target. */
	readonly done: number;
	readonly bytes: number;
	/** Keys that were listed but no longer existed when read. */
	readonly gone: number;
	/** Keys not written because they have expired, or will within a minute. */
	readonly expired: number;
	/** Existing keys of the target that were kept. */
	readonly kept: number;
	/** Keys that the target finally refused. */
	readonly refused: number;
	/** Renamed keys that exist under both names: changed during the rename, or not confirmed by a read. */
	readonly both: number;
};

export const noCounts: Counts = {done: 0, bytes: 0, gone: 0, expired: 0, kept: 0, refused: 0, both: 0};

const countNames = Object.keys(noCounts) as readonly (keyof Counts)[];

export function addCounts(one: Counts, other: Partial<Counts>): Counts {
	const sum = (name: keyof Counts) => one[name] + (other[name] ?? 0);
	return Object.fromEntries(countNames.map(name => [name, sum(name)])) as Counts;
}

const count = pipe(number(), safeInteger());

/** Counts in a journal, including journals of earlier versions. */
export const countsSchema: Schema<Counts> = pickFields({
	...{done: count, bytes: count, gone: count, expired: count, kept: count, refused: count},
	both: optional(count, 0),
});

export const countProcessed = ({done, gone, expired, kept, refused, both}: Counts): number =>
	done + gone + expired + kept + refused + both;
