import type {JsonValue} from '../../text/json.ts';
import {readValues} from '../read-window.ts';
import type {KvStore, StoredValue} from '../store.ts';
import {differingParts, type Entry, type EntryPart, entryOf} from './entry.ts';
import type {Scope} from './listing.ts';
import {type KeyNames, namedEntry, namesBehind} from './names.ts';
import {type Pair, pairsOf} from './pairing.ts';
import {tee} from './tee.ts';

export type Facts = {
	/** Of the value; unknown where it was not read, because the other store has no such key. */
	readonly bytes?: number;
	readonly metadata?: JsonValue | undefined;
	/** UNIX seconds. */
	readonly expiration?: number | undefined;
};

/** A key that is not the same in two stores. */
export type Difference =
	| {readonly kind: 'only in one'; readonly key: string; readonly one: Facts}
	| {readonly kind: 'only in other'; readonly key: string; readonly other: Facts}
	| {
			readonly kind: 'differs';
			readonly key: string;
			readonly parts: readonly EntryPart[];
			readonly one: Facts;
			readonly other: Facts;
	  };

type Compared = {
	/** In the order of the keys' bytes. */
	readonly differences: readonly Difference[];
	readonly same: number;
	/** Keys that were listed, and gone from one store or both when they were read; of named ones, those that neither has. */
	readonly gone: number;
	readonly last: string;
};

type Comparison = Scope & {
	/** Whether names alone are compared, with their metadata and expiry as they are listed; not of keys that are named. */
	readonly withoutValues?: boolean | undefined;
};

/** Groups of pairs that are listed ahead of the values being read. */
const groupsAhead = 4;

/**
 * What differs between two stores, group after group as it is found: keys that only one has, and keys whose value,
 * metadata or expiry is not the same. Values are read on both sides at once; none is kept.
 */
export async function* compareStores(
	one: KvStore,
	other: KvStore,
	{withoutValues = false, ...scope}: Comparison,
	outer: AbortSignal,
): AsyncGenerator<Compared> {
	const stop = new AbortController();
	const signal = AbortSignal.any([outer, stop.signal]);
	const pairs = scope.names ? namedPairs(scope.names, signal) : pairsOf(one, other, scope, signal);
	if (withoutValues && !scope.names) {
		for await (const group of pairs) yield compared(group, listedPair);
		return;
	}
	const [told, ofOne, ofOther] = tee(pairs, 3, groupsAhead);
	if (!told || !ofOne || !ofOther) return;
	await using left = values(one, 'one', inBoth(ofOne), signal);
	await using right = values(other, 'other', inBoth(ofOther), signal);
	try {
		for await (const group of told) {
			const read = new Map<Pair, readonly [Entry | undefined, Entry | undefined]>();
			for (const pair of group)
				if (pair.one && pair.other) read.set(pair, await Promise.all([left.next(), right.next()]));
			yield compared(group, pair => read.get(pair) ?? [undefined, undefined]);
		}
	} finally {
		// What the other side reads meanwhile is not waited for.
		stop.abort();
	}
}

/** Each name as a pair: what of it there is only the values tell. */
async function* namedPairs(names: KeyNames, signal: AbortSignal): AsyncGenerator<readonly Pair[]> {
	for await (const group of namesBehind(names, undefined, signal))
		yield group.map(key => ({key, one: {name: key}, other: {name: key}, isNamed: true}));
}

async function* inBoth(groups: AsyncIterable<readonly Pair[]>): AsyncGenerator<readonly Pair[]> {
	for await (const group of groups) yield group.filter(({one, other}) => one && other);
}

/** The entries of pairs, one after the other; `undefined` for a key that is gone. */
function values(
	store: KvStore,
	side: 'one' | 'other',
	groups: AsyncIterable<readonly Pair[]>,
	signal: AbortSignal,
): AsyncDisposable & {next(): Promise<Entry | undefined>} {
	const runs = readValues(store, groups, ({key}) => key, signal);
	/** Asked for before it is needed: groups without such pairs must be taken, too, or those who share them wait for ever. */
	const ask = () => {
		const asked = runs.next();
		// Told where it is awaited; whoever stops before that does not want to know.
		asked.catch(() => {});
		return asked;
	};
	let coming = ask();
	let run: readonly (readonly [Pair, StoredValue | undefined])[] = [];
	let at = 0;
	return {
		async next() {
			while (at >= run.length) {
				const {done, value} = await coming;
				if (done) return undefined;
				coming = ask();
				run = value;
				at = 0;
			}
			const [pair, stored] = run[at++] ?? [];
			const listed = pair?.[side];
			if (!listed || !stored) return undefined;
			return pair.isNamed ? namedEntry(store, pair.key, stored, signal) : entryOf(listed, stored);
		},
		async [Symbol.asyncDispose]() {
			await runs.return(undefined);
		},
	};
}

type Read = (pair: Pair) => readonly [Entry | undefined, Entry | undefined];

const nothing = new Uint8Array();

/** What the listings alone show of a pair: its values count as the same. */
const listedPair: Read = ({one, other}) => [
	one && entryOf(one, {bytes: nothing, valueOnly: true}),
	other && entryOf(other, {bytes: nothing, valueOnly: true}),
];

function compared(group: readonly Pair[], read: Read): Compared {
	const differences: Difference[] = [];
	let [same, gone] = [0, 0];
	for (const pair of group) {
		const {key} = pair;
		if (!pair.one && pair.other) differences.push({kind: 'only in other', key, other: factsOf(pair.other)});
		else if (pair.one && !pair.other) differences.push({kind: 'only in one', key, one: factsOf(pair.one)});
		else {
			const [one, other] = read(pair);
			const difference = both(key, one, other);
			if (pair.isNamed ? !one && !other : !one || !other) gone++;
			if (difference) differences.push(difference);
			else if (one && other) same++;
		}
	}
	return {differences, same, gone, last: group.at(-1)?.key ?? ''};
}

/** Of a key that stood in both listings: it may be gone from one of them since. */
function both(key: string, one: Entry | undefined, other: Entry | undefined): Difference | undefined {
	if (!one && !other) return undefined;
	if (!other) return one && {kind: 'only in one', key, one: factsOf(one)};
	if (!one) return {kind: 'only in other', key, other: factsOf(other)};
	const parts = differingParts(one, other);
	return parts.length === 0
		? undefined
		: {kind: 'differs', key, parts, one: factsOf(one), other: factsOf(other)};
}

const factsOf = (known: Pick<Entry, 'metadata' | 'expiration'> & {readonly bytes?: Uint8Array}): Facts => ({
	...(known.bytes && {bytes: known.bytes.length}),
	metadata: known.metadata,
	expiration: known.expiration,
});
