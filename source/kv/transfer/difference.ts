import type {JsonValue} from '../../text/json.ts';
import {readValues} from '../read-window.ts';
import type {KvStore, StoredValue} from '../store.ts';
import {type Entry, type EntryPart, listDifferingParts, toEntry} from './entry.ts';
import type {KeyScope} from './listing.ts';
import {type KeyNames, readNamedEntry, readNames} from './names.ts';
import {type Pair, pairListings} from './pairing.ts';
import {tee} from './tee.ts';

export type KeyFacts = {
	/** Size of the value; unknown if it was not read because the other store lacks the key. */
	readonly bytes?: number;
	readonly metadata?: JsonValue | undefined;
	/** UNIX seconds. */
	readonly expiration?: number | undefined;
};

/** A key that differs between two stores. */
export type KeyDifference =
	| {readonly kind: 'only in one'; readonly key: string; readonly one: KeyFacts}
	| {readonly kind: 'only in other'; readonly key: string; readonly other: KeyFacts}
	| {
			readonly kind: 'differs';
			readonly key: string;
			readonly parts: readonly EntryPart[];
			readonly one: KeyFacts;
			readonly other: KeyFacts;
	  };

type ComparisonPiece = {
	/** In byte order of the keys. */
	readonly differences: readonly KeyDifference[];
	readonly sameCount: number;
	/**
	 * Keys that were listed but missing from one or both stores when read; of named keys, those neither store
	 * has.
	 */
	readonly missingCount: number;
	readonly lastKey: string;
};

type Comparison = KeyScope & {
	/** True to compare only listed names, metadata and expiry; not for named keys. */
	readonly withoutValues?: boolean | undefined;
};

/** Groups of pairs to list ahead of reading values. */
const maxGroupsAhead = 4;

/**
 * Yields the differences between two stores as they are found: keys that only one has, and keys whose value,
 * metadata or expiry differ. Values of both sides are read concurrently; none is kept.
 */
export async function* compareStores(
	one: KvStore,
	other: KvStore,
	{withoutValues = false, ...scope}: Comparison,
	outerSignal: AbortSignal,
): AsyncGenerator<ComparisonPiece> {
	const controller = new AbortController();
	const signal = AbortSignal.any([outerSignal, controller.signal]);
	const pairs = scope.names ? pairNames(scope.names, signal) : pairListings(one, other, scope, signal);
	if (withoutValues && !scope.names) {
		for await (const group of pairs) yield comparePairs(group, toListedEntries);
		return;
	}
	const [groups, onePairs, otherPairs] = tee(pairs, 3, maxGroupsAhead);
	if (!groups || !onePairs || !otherPairs) return;
	await using oneEntries = readSideEntries(one, 'one', filterCommonPairs(onePairs), signal);
	await using otherEntries = readSideEntries(other, 'other', filterCommonPairs(otherPairs), signal);
	try {
		for await (const group of groups) {
			const entriesByPair = new Map<Pair, readonly [Entry | undefined, Entry | undefined]>();
			for (const pair of group)
				if (pair.one && pair.other)
					entriesByPair.set(pair, await Promise.all([oneEntries.next(), otherEntries.next()]));
			yield comparePairs(group, pair => entriesByPair.get(pair) ?? [undefined, undefined]);
		}
	} finally {
		// Do not wait for pending reads of the other side.
		controller.abort();
	}
}

/** Yields each name as a pair; only reading the values tells which store has it. */
async function* pairNames(names: KeyNames, signal: AbortSignal): AsyncGenerator<readonly Pair[]> {
	for await (const group of readNames(names, undefined, signal))
		yield group.map(key => ({key, one: {name: key}, other: {name: key}, isNameOnly: true}));
}

async function* filterCommonPairs(groups: AsyncIterable<readonly Pair[]>): AsyncGenerator<readonly Pair[]> {
	for await (const group of groups) yield group.filter(({one, other}) => one && other);
}

/** Reads the entries of pairs one by one; undefined for a missing key. */
function readSideEntries(
	store: KvStore,
	side: 'one' | 'other',
	groups: AsyncIterable<readonly Pair[]>,
	signal: AbortSignal,
): AsyncDisposable & {next(): Promise<Entry | undefined>} {
	const runs = readValues(store, groups, ({key}) => key, signal);
	/**
	 * Requests the next run early: groups without common pairs must be consumed, too, or the other readers of
	 * the stream wait forever.
	 */
	const requestNext = () => {
		const request = runs.next();
		// The error surfaces where this is awaited; a caller that stops earlier ignores it.
		request.catch(() => {});
		return request;
	};
	let nextRun = requestNext();
	let run: readonly (readonly [Pair, StoredValue | undefined])[] = [];
	let index = 0;
	return {
		async next() {
			while (index >= run.length) {
				const {done, value} = await nextRun;
				if (done) return undefined;
				nextRun = requestNext();
				run = value;
				index = 0;
			}
			const [pair, stored] = run[index++] ?? [];
			const listed = pair?.[side];
			if (!listed || !stored) return undefined;
			return pair.isNameOnly ? readNamedEntry(store, pair.key, stored, signal) : toEntry(listed, stored);
		},
		async [Symbol.asyncDispose]() {
			await runs.return(undefined);
		},
	};
}

type ReadPair = (pair: Pair) => readonly [Entry | undefined, Entry | undefined];

const noBytes = new Uint8Array();

/** Builds entries from the listings alone; their values count as equal. */
const toListedEntries: ReadPair = ({one, other}) => [
	one && toEntry(one, {bytes: noBytes, valueOnly: true}),
	other && toEntry(other, {bytes: noBytes, valueOnly: true}),
];

function comparePairs(group: readonly Pair[], read: ReadPair): ComparisonPiece {
	const differences: KeyDifference[] = [];
	let [sameCount, missingCount] = [0, 0];
	for (const pair of group) {
		const {key} = pair;
		if (!pair.one && pair.other) differences.push({kind: 'only in other', key, other: toFacts(pair.other)});
		else if (pair.one && !pair.other) differences.push({kind: 'only in one', key, one: toFacts(pair.one)});
		else {
			const [one, other] = read(pair);
			const difference = compareEntries(key, one, other);
			if (pair.isNameOnly ? !one && !other : !one || !other) missingCount++;
			if (difference) differences.push(difference);
			else if (one && other) sameCount++;
		}
	}
	return {differences, sameCount, missingCount, lastKey: group.at(-1)?.key ?? ''};
}

/** Compares a key that both listings contained; one side may have lost it since. */
function compareEntries(
	key: string,
	one: Entry | undefined,
	other: Entry | undefined,
): KeyDifference | undefined {
	if (!one && !other) return undefined;
	if (!other) return one && {kind: 'only in one', key, one: toFacts(one)};
	if (!one) return {kind: 'only in other', key, other: toFacts(other)};
	const parts = listDifferingParts(one, other);
	return parts.length === 0
		? undefined
		: {kind: 'differs', key, parts, one: toFacts(one), other: toFacts(other)};
}

const toFacts = (
	listed: Pick<Entry, 'metadata' | 'expiration'> & {readonly bytes?: Uint8Array},
): KeyFacts => ({
	...(listed.bytes && {bytes: listed.bytes.length}),
	metadata: listed.metadata,
	expiration: listed.expiration,
});
