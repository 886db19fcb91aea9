import {Failure} from '../../failure.ts';
import {compareKeys} from '../../text/utf8-order.ts';
import {digestKey, isSameState, type KeyDigest} from '../change/whole-key.ts';
import {findKeyProblem} from '../limits.ts';
import {readValues} from '../read-window.ts';
import type {KeyEntry, KvStore} from '../store.ts';
import type {Entry} from './entry.ts';
import {walkKeys} from './listing.ts';
import {type KeyNames, readNamedEntry, readNames} from './names.ts';

/** Replaces the prefix `from` with `to`. */
export type PrefixChange = {readonly from: string; readonly to: string};

/** What to do if a new name is taken: refuse the rename, skip the key, or overwrite. */
export type CollisionMode = 'refuse' | 'only-missing' | 'overwrite';

export const buildNewName = ({from, to}: PrefixChange, name: string): string => to + name.slice(from.length);

/**
 * Lists names with the old prefix, page by page. If the new prefix extends the old one, keys that already
 * have it are skipped, so that running it again renames nothing twice.
 */
export async function* listNamesToRename(
	store: KvStore,
	{from, to}: PrefixChange,
	signal: AbortSignal,
): AsyncGenerator<readonly string[]> {
	const hasNewPrefix = (name: string) => to.startsWith(from) && name.startsWith(to);
	for await (const {keys} of walkKeys(store, {prefix: from}, signal))
		yield keys.flatMap(({name}) => (hasNewPrefix(name) ? [] : [name]));
}

/** Preview of a prefix change. */
export type RenameCount = {
	readonly keyCount: number;
	/** The first old and new names. */
	readonly samples: readonly (readonly [from: string, to: string])[];
	/** Taken new names, and the first of them; equal keys left by an interrupted run do not count. */
	readonly takenCount: number;
	readonly takenSamples: readonly string[];
};

const maxSamples = 10;
const maxTakenSamples = 5;
/** Pairs per comparison. */
const pairsPerComparison = 50;

/**
 * Counts the keys of a prefix change and finds taken new names. Fails with `limit` if a new name is invalid,
 * or if a key would be overwritten before it is renamed itself.
 */
export async function countRename(
	store: KvStore,
	change: PrefixChange,
	names: KeyNames,
	signal: AbortSignal,
): Promise<RenameCount> {
	const {from, to} = change;
	const samples: (readonly [string, string])[] = [];
	const takenSamples: string[] = [];
	let keyCount = 0;
	let takenCount = 0;
	const targetNames = new ListedNames(walkKeys(store, {prefix: to}, signal));
	const pendingNames: string[] = [];
	const comparePending = async () => {
		const digests = await readDigests(
			store,
			pendingNames.flatMap(name => [name, buildNewName(change, name)]),
			signal,
		);
		for (const name of pendingNames.splice(0)) {
			const newName = buildNewName(change, name);
			const [sourceDigest, targetDigest] = [digests.get(name), digests.get(newName)];
			if (!sourceDigest || !targetDigest || isSameState(sourceDigest, targetDigest)) continue;
			takenCount++;
			if (takenSamples.length < maxTakenSamples) takenSamples.push(newName);
		}
	};
	for await (const group of readNames(names, undefined, signal)) {
		for (const name of group) {
			const newName = buildNewName(change, name);
			const problem = findKeyProblem(newName);
			if (problem)
				throw new Failure('limit', `${JSON.stringify(name)} cannot be renamed: ${problem.what}`, {
					why: `${problem.why} Nothing was written.`,
					next: 'Choose another prefix.',
				});
			keyCount++;
			if (samples.length < maxSamples) samples.push([name, newName]);
			if (!(await targetNames.has(newName))) continue;
			if (newName.startsWith(from) && !to.startsWith(from)) throw createSourceOverwriteFailure(name, newName);
			pendingNames.push(name);
			if (pendingNames.length >= pairsPerComparison) await comparePending();
		}
	}
	if (pendingNames.length > 0) await comparePending();
	await targetNames.close();
	return {keyCount, samples, takenCount, takenSamples};
}

const createSourceOverwriteFailure = (name: string, newName: string): Failure =>
	new Failure(
		'limit',
		`${JSON.stringify(name)} cannot be renamed: ${JSON.stringify(newName)} will also be renamed.`,
		{
			why: 'It would be overwritten before it gets its own new name. Nothing was written.',
			next: 'Rename in two steps, using a prefix that no key has.',
		},
	);

/** Looks up listed names; both must be in byte order. */
class ListedNames {
	readonly #pages: AsyncGenerator<{readonly keys: readonly KeyEntry[]}>;
	#page: readonly KeyEntry[] = [];
	#index = 0;
	#hasEnded = false;

	constructor(pages: AsyncGenerator<{readonly keys: readonly KeyEntry[]}>) {
		this.#pages = pages;
	}

	async has(name: string): Promise<boolean> {
		for (;;) {
			const current = this.#page[this.#index];
			if (current === undefined) {
				if (this.#hasEnded) return false;
				const {done, value} = await this.#pages.next();
				this.#hasEnded = done === true;
				this.#page = done ? [] : value.keys;
				this.#index = 0;
				continue;
			}
			const order = compareKeys(current.name, name);
			if (order >= 0) return order === 0;
			this.#index++;
		}
	}

	async close(): Promise<void> {
		await this.#pages.return(undefined);
	}
}

export const digestEntry = ({bytes, metadata = null, expiration}: Omit<Entry, 'key'>): KeyDigest =>
	digestKey({bytes, metadata, ...(expiration !== undefined && {expiration})});

/** Reads the digests of keys; missing keys are not in the map. */
export async function readDigests(
	store: KvStore,
	names: readonly string[],
	signal: AbortSignal,
): Promise<Map<string, KeyDigest>> {
	const digests = new Map<string, KeyDigest>();
	async function* yieldNames() {
		if (names.length > 0) yield names;
	}
	for await (const pairs of readValues(store, yieldNames(), name => name, signal)) {
		for (const [name, stored] of pairs) {
			const entry = stored && (await readNamedEntry(store, name, stored, signal));
			if (entry) digests.set(name, digestEntry(entry));
		}
	}
	return digests;
}
