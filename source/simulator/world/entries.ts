import type {StatementSync} from 'node:sqlite';
import {compareKeys} from '../../text/utf8-order.ts';
import type {WorldDatabase} from './database.ts';
import {GeneratedKeys} from './generated-keys.ts';

/** The content of a key. `metadata` is JSON text, `expiration` in UNIX seconds. */
export type StoredEntry = {
	readonly value: Uint8Array;
	readonly metadata: string | null;
	readonly expiration: number | null;
};

type ListedEntry = {
	readonly key: string;
	readonly metadata: string | null;
	readonly expiration: number | null;
};

/** A range of keys; `after` is the last key of the previous page. */
type KeyRange = {readonly prefix: string; readonly after?: string; readonly limit: number};

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Number of changes of a generated namespace to read in one query. */
const changesPerQuery = 1000;
/** The expiration of entries that hide deleted generated keys. */
const deletedExpiration = 0;

const generatedPrefix = 'generated ';

/** Formats the column `sample` of a namespace with `count` generated keys. */
export const formatGeneratedSample = (count: number): string => `${generatedPrefix}${count}`;

/** Parses the number of keys from the column `sample`; undefined unless its keys are generated. */
export const parseGeneratedCount = (sample: unknown): number | undefined =>
	typeof sample === 'string' && sample.startsWith(generatedPrefix)
		? Number(sample.slice(generatedPrefix.length))
		: undefined;

/**
 * The keys of all namespaces, in the order of their UTF-8 bytes. `now` is in UNIX seconds; expired keys are
 * absent. For a generated namespace, only changes are stored, and deletions as expired entries: both hide the
 * generated key with that name.
 */
export class EntryStore {
	readonly #database: WorldDatabase;
	readonly #generatedKeys = new Map<number, GeneratedKeys>();
	#statements: ReturnType<typeof prepareStatements> | undefined;

	constructor(database: WorldDatabase) {
		this.#database = database;
	}

	list(namespace: number, range: KeyRange, now: number): ListedEntry[] {
		const generated = this.#getGeneratedKeys(namespace);
		if (generated) return this.#mergeChanges(namespace, generated, range, now);
		const {prefix, after, limit} = range;
		const startKey = after === undefined ? encoder.encode(prefix) : encoder.encode(`${after}\0`);
		const rows = this.#getStatements().list.all(namespace, startKey, getPrefixEnd(prefix), now, limit);
		return rows.map(toListedEntry);
	}

	get(namespace: number, key: string, now: number): StoredEntry | undefined {
		const row = this.#getStatements().get.get(namespace, encoder.encode(key));
		if (row) {
			const {metadata, expiration} = toListedEntry(row);
			if (expiration !== null && expiration <= now) return undefined;
			return {value: row.value as Uint8Array, metadata, expiration};
		}
		const generated = this.#getGeneratedKeys(namespace);
		const number = generated?.find(key);
		if (generated === undefined || number === undefined) return undefined;
		const {metadata, expiration} = generated.getKey(number);
		return {value: generated.getValue(number), metadata, expiration};
	}

	/** Stores an entry; replaces an existing one. */
	put(namespace: number, key: string, {value, metadata, expiration}: StoredEntry): void {
		this.#getStatements().put.run(namespace, encoder.encode(key), expiration, metadata, value);
	}

	delete(namespace: number, key: string): void {
		if (this.#getGeneratedKeys(namespace)?.find(key) === undefined)
			this.#getStatements().delete.run(namespace, encoder.encode(key));
		else this.put(namespace, key, {value: new Uint8Array(), metadata: null, expiration: deletedExpiration});
	}

	deleteAll(namespace: number): void {
		this.#database.prepare('DELETE FROM entries WHERE namespace = ?').run(namespace);
	}

	/**
	 * Returns the number of keys in a namespace, and the total bytes of names, values and metadata. For a
	 * generated namespace, the changes do not count, and the bytes are estimated from some keys.
	 */
	computeTotals(namespace: number, now: number): {readonly keys: number; readonly bytes: number} {
		const generated = this.#getGeneratedKeys(namespace);
		if (generated) return {keys: generated.count, bytes: generated.estimateBytes()};
		const row = this.#getStatements().totals.get(namespace, now);
		return {keys: Number(row?.keys), bytes: Number(row?.bytes)};
	}

	/** Deletes expired entries from the file. Those in a generated namespace stay, as they may hide a key. */
	deleteExpired(now: number): void {
		this.#getStatements().sweep.run(now);
	}

	/** Merges the generated keys of a namespace with its stored changes; omits deleted and expired ones. */
	#mergeChanges(namespace: number, generated: GeneratedKeys, range: KeyRange, now: number): ListedEntry[] {
		const {prefix, after, limit} = range;
		const start = after === undefined ? prefix : `${after}\0`;
		const changes = this.#iterateChanges(namespace, start, prefix);
		const mergedEntries: ListedEntry[] = [];
		let number = generated.getLowerBound(start);
		let row = changes.next();
		while (mergedEntries.length < limit) {
			const generatedKey = number < generated.count ? generated.getKey(number) : undefined;
			const nextGenerated = generatedKey?.key.startsWith(prefix) ? generatedKey : undefined;
			if (nextGenerated === undefined && row.done) break;
			// Negative: the generated key is next; positive: a change is next; 0: it replaces the key.
			const order =
				nextGenerated === undefined || row.done
					? row.done
						? -1
						: 1
					: compareKeys(nextGenerated.key, row.value.key);
			if (order <= 0) number++;
			if (order < 0 && nextGenerated) mergedEntries.push(nextGenerated);
			if (order < 0 || row.done) continue;
			const {expiration} = row.value;
			if (expiration === null || expiration > now) mergedEntries.push(row.value);
			row = changes.next();
		}
		return mergedEntries;
	}

	/** Iterates over the changes of a generated namespace, including deletions. */
	*#iterateChanges(
		namespace: number,
		start: string,
		prefix: string,
	): Generator<ListedEntry, undefined, undefined> {
		for (let from = start; ; ) {
			const rows = this.#getStatements().written.all(
				namespace,
				encoder.encode(from),
				getPrefixEnd(prefix),
				changesPerQuery,
			);
			const entries = rows.map(toListedEntry);
			yield* entries;
			const last = entries.at(-1);
			if (last === undefined || entries.length < changesPerQuery) return undefined;
			from = `${last.key}\0`;
		}
	}

	#getGeneratedKeys(namespace: number): GeneratedKeys | undefined {
		const count = parseGeneratedCount(this.#getStatements().sample.get(namespace)?.sample);
		if (count === undefined) return undefined;
		const cachedKeys = this.#generatedKeys.get(namespace);
		if (cachedKeys?.count === count) return cachedKeys;
		const generated = new GeneratedKeys(count);
		this.#generatedKeys.set(namespace, generated);
		return generated;
	}

	#getStatements() {
		this.#statements ??= prepareStatements(this.#database);
		return this.#statements;
	}
}

/** Returns the upper bound of keys with that prefix; UTF-8 has no byte 0xff. */
function getPrefixEnd(prefix: string): Uint8Array {
	const bytes = encoder.encode(prefix);
	if (bytes.length === 0) return Uint8Array.of(0xff);
	const lastIndex = bytes.length - 1;
	bytes[lastIndex] = (bytes[lastIndex] ?? 0) + 1;
	return bytes;
}

const toListedEntry = (row: Readonly<Record<string, unknown>>): ListedEntry => ({
	key: decoder.decode(row.key as Uint8Array),
	metadata: row.metadata as string | null,
	expiration: row.expiration as number | null,
});

const unexpiredCondition = '(expiration IS NULL OR expiration > ?)';

// Node 22 binds an empty array as NULL, hence the `ifnull`.
function prepareStatements(database: WorldDatabase) {
	return {
		list: database.prepare(
			`SELECT key, expiration, metadata FROM entries
			WHERE namespace = ? AND key >= ifnull(?, x'') AND key < ? AND ${unexpiredCondition} ORDER BY key LIMIT ?`,
		),
		written: database.prepare(
			`SELECT key, expiration, metadata FROM entries
			WHERE namespace = ? AND key >= ifnull(?, x'') AND key < ? ORDER BY key LIMIT ?`,
		),
		get: database.prepare(
			'SELECT key, value, expiration, metadata FROM entries WHERE namespace = ? AND key = ?',
		),
		sample: database.prepare('SELECT sample FROM namespaces WHERE number = ?'),
		put: database.prepare(
			`INSERT INTO entries (namespace, key, expiration, metadata, value) VALUES (?, ?, ?, ?, ifnull(?, x''))
			ON CONFLICT (namespace, key) DO UPDATE SET
			expiration = excluded.expiration, metadata = excluded.metadata, value = excluded.value`,
		),
		delete: database.prepare('DELETE FROM entries WHERE namespace = ? AND key = ?'),
		totals: database.prepare(
			`SELECT count(*) AS keys, ifnull(sum(length(key) + length(value) + ifnull(length(CAST(metadata AS BLOB)), 0)), 0)
			AS bytes FROM entries WHERE namespace = ? AND ${unexpiredCondition}`,
		),
		sweep: database.prepare(
			`DELETE FROM entries WHERE expiration <= ? AND namespace NOT IN
			(SELECT number FROM namespaces WHERE sample LIKE '${generatedPrefix}%')`,
		),
	} satisfies Record<string, StatementSync>;
}
