import {Failure} from '../../failure.ts';
import {compareKeys} from '../../text/utf8-order.ts';
import {isSame, type KeyDigest, keyDigestOf} from '../change/whole-key.ts';
import {keyProblem} from '../limits.ts';
import {readValues} from '../read-window.ts';
import type {KeyEntry, KvStore} from '../store.ts';
import type {Entry} from './entry.ts';
import {listedKeys} from './listing.ts';
import {type KeyNames, namedEntry, namesBehind} from './names.ts';

/** Replaces the prefix `from` with `to`. */
export type PrefixChange = {readonly from: string; readonly to: string};

/** What to do if a new name is taken: refuse the rename, skip the key, or overwrite. */
export type Collisions = 'refuse' | 'only-missing' | 'overwrite';

export const renamedTo = ({from, to}: PrefixChange, name: string): string => to + name.slice(from.length);

/**
 * Lists names with the old prefix, page by page. If the new prefix extends the old one, keys that already
 * have it are skipped, so that running it again renames nothing twice.
 */
export async function* namesToRename(
	store: KvStore,
	{from, to}: PrefixChange,
	signal: AbortSignal,
): AsyncGenerator<readonly string[]> {
	const hasNew = (name: string) => to.startsWith(from) && name.startsWith(to);
	for await (const {keys} of listedKeys(store, {prefix: from}, signal))
		yield keys.flatMap(({name}) => (hasNew(name) ? [] : [name]));
}

/** Preview of a prefix change. */
export type RenameCount = {
	readonly keys: number;
	/** The first old and new names. */
	readonly samples: readonly (readonly [from: string, to: string])[];
	/** Taken new names, and the first of them; equal keys left by an interrupted run do not count. */
	readonly taken: number;
	readonly takenSamples: readonly string[];
};

const samplesShown = 10;
const taken = 5;
/** Pairs per comparison. */
const comparedAtOnce = 50;

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
	let keys = 0;
	let others = 0;
	const existing = new ListedNames(listedKeys(store, {prefix: to}, signal));
	const pairs: string[] = [];
	const compare = async () => {
		const digests = await digestsOf(
			store,
			pairs.flatMap(name => [name, renamedTo(change, name)]),
			signal,
		);
		for (const name of pairs.splice(0)) {
			const target = renamedTo(change, name);
			const [source, other] = [digests.get(name), digests.get(target)];
			if (!source || !other || isSame(source, other)) continue;
			others++;
			if (takenSamples.length < taken) takenSamples.push(target);
		}
	};
	for await (const group of namesBehind(names, undefined, signal)) {
		for (const name of group) {
			const target = renamedTo(change, name);
			const problem = keyProblem(target);
			if (problem)
				throw new Failure('limit', `${JSON.stringify(name)} cannot be renamed: ${problem.what}`, {
					why: `${problem.why} Nothing was written.`,
					next: 'Choose another prefix.',
				});
			keys++;
			if (samples.length < samplesShown) samples.push([name, target]);
			if (!(await existing.has(target))) continue;
			if (target.startsWith(from) && !to.startsWith(from)) throw isSourceItself(name, target);
			pairs.push(name);
			if (pairs.length >= comparedAtOnce) await compare();
		}
	}
	if (pairs.length > 0) await compare();
	await existing.end();
	return {keys, samples, taken: others, takenSamples};
}

const isSourceItself = (name: string, target: string): Failure =>
	new Failure(
		'limit',
		`${JSON.stringify(name)} cannot be renamed: ${JSON.stringify(target)} is to be renamed, too.`,
		{
			why: 'It would be overwritten before it has its own new name. Nothing was written.',
			next: 'Rename in two steps, by a prefix that no key has.',
		},
	);

/** Looks up listed names; both must be in byte order. */
class ListedNames {
	readonly #pages: AsyncGenerator<{readonly keys: readonly KeyEntry[]}>;
	#page: readonly KeyEntry[] = [];
	#at = 0;
	#isOver = false;

	constructor(pages: AsyncGenerator<{readonly keys: readonly KeyEntry[]}>) {
		this.#pages = pages;
	}

	async has(name: string): Promise<boolean> {
		for (;;) {
			const here = this.#page[this.#at];
			if (here === undefined) {
				if (this.#isOver) return false;
				const {done, value} = await this.#pages.next();
				this.#isOver = done === true;
				this.#page = done ? [] : value.keys;
				this.#at = 0;
				continue;
			}
			const order = compareKeys(here.name, name);
			if (order >= 0) return order === 0;
			this.#at++;
		}
	}

	async end(): Promise<void> {
		await this.#pages.return(undefined);
	}
}

export const digestOfEntry = ({bytes, metadata = null, expiration}: Omit<Entry, 'key'>): KeyDigest =>
	keyDigestOf({bytes, metadata, ...(expiration !== undefined && {expiration})});

/** Reads the digests of keys; missing keys are not in the map. */
export async function digestsOf(
	store: KvStore,
	names: readonly string[],
	signal: AbortSignal,
): Promise<Map<string, KeyDigest>> {
	const digests = new Map<string, KeyDigest>();
	async function* group() {
		if (names.length > 0) yield names;
	}
	for await (const read of readValues(store, group(), name => name, signal)) {
		for (const [name, stored] of read) {
			const entry = stored && (await namedEntry(store, name, stored, signal));
			if (entry) digests.set(name, digestOfEntry(entry));
		}
	}
	return digests;
}
