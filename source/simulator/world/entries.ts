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

	list(namespaceNumber: number, range: KeyRange, now: number): ListedEntry[] {
		const generatedKeys = this.#getGeneratedKeys(namespaceNumber);
		if (generatedKeys) return this.#mergeChanges(namespaceNumber, generatedKeys, range, now);
		const {prefix, after, limit} = range;
		const startKey = after === undefined ? encoder.encode(prefix) : encoder.encode(`${after}\0`);
		const rows = this.#getStatements().list.all(namespaceNumber, startKey, getPrefixEnd(prefix), now, limit);
		return rows.map(toListedEntry);
	}

	get(namespaceNumber: number, key: string, now: number): StoredEntry | undefined {
		const row = this.#getStatements().get.get(namespaceNumber, encoder.encode(key));
		if (row) {
			const {metadata, expiration} = toListedEntry(row);
			if (expiration !== null && expiration <= now) return undefined;
			return {value: row.value as Uint8Array, metadata, expiration};
		}
		const generatedKeys = this.#getGeneratedKeys(namespaceNumber);
		const keyIndex = generatedKeys?.find(key);
		if (generatedKeys === undefined || keyIndex === undefined) return undefined;
		const {metadata, expiration} = generatedKeys.getKey(keyIndex);
		return {value: generatedKeys.getValue(keyIndex), metadata, expiration};
	}

	/** Stores an entry; replaces an existing one. */
	put(namespaceNumber: number, key: string, {value, metadata, expiration}: StoredEntry): void {
		this.#getStatements().put.run(namespaceNumber, encoder.encode(key), expiration, metadata, value);
	}

	delete(namespaceNumber: number, key: string): void {
		if (this.#getGeneratedKeys(namespaceNumber)?.find(key) === undefined)
			this.#getStatements().delete.run(namespaceNumber, encoder.encode(key));
		else
			this.put(namespaceNumber, key, {
				value: new Uint8Array(),
				metadata: null,
				expiration: deletedExpiration,
			});
	}

	deleteAll(namespaceNumber: number): void {
		this.#database.prepare('DELETE FROM entries WHERE namespace = ?').run(namespaceNumber);
	}

	/**
	 * Returns the number of keys in a namespace, and the total bytes of names, values and metadata. For a
	 * generated namespace, the changes do not count, and the bytes are estimated from some keys.
	 */
	computeTotals(
		namespaceNumber: number,
		now: number,
	): {readonly keyCount: number; readonly byteCount: number} {
		const generatedKeys = this.#getGeneratedKeys(namespaceNumber);
		if (generatedKeys) return {keyCount: generatedKeys.count, byteCount: generatedKeys.estimateBytes()};
		const row = this.#getStatements().totals.get(namespaceNumber, now);
		return {keyCount: Number(row?.keys), byteCount: Number(row?.bytes)};
	}

	/** Deletes expired entries from the file. Those in a generated namespace stay, as they may hide a key. */
	deleteExpired(now: number): void {
		this.#getStatements().deleteExpired.run(now);
	}

	/** Merges the generated keys of a namespace with its stored changes; omits deleted and expired ones. */
	#mergeChanges(
		namespaceNumber: number,
		generatedKeys: GeneratedKeys,
		range: KeyRange,
		now: number,
	): ListedEntry[] {
		const {prefix, after, limit} = range;
		const start = after === undefined ? prefix : `${after}\0`;
		const changes = this.#iterateChanges(namespaceNumber, start, prefix);
		const mergedEntries: ListedEntry[] = [];
		let keyIndex = generatedKeys.getLowerBound(start);
		let row = changes.next();
		while (mergedEntries.length < limit) {
			const generatedKey = keyIndex < generatedKeys.count ? generatedKeys.getKey(keyIndex) : undefined;
			const nextGenerated = generatedKey?.key.startsWith(prefix) ? generatedKey : undefined;
			if (nextGenerated === undefined && row.done) break;
			// Negative: the generated key is next; positive: a change is next; 0: it replaces the key.
			const order =
				nextGenerated === undefined || row.done
					? row.done
						? -1
						: 1
					: compareKeys(nextGenerated.key, row.value.key);
			if (order <= 0) keyIndex++;
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
		namespaceNumber: number,
		start: string,
		prefix: string,
	): Generator<ListedEntry, undefined, undefined> {
		for (let nextStart = start; ; ) {
			const rows = this.#getStatements().listChanges.all(
				namespaceNumber,
				encoder.encode(nextStart),
				getPrefixEnd(prefix),
				changesPerQuery,
			);
			const entries = rows.map(toListedEntry);
			yield* entries;
			const lastEntry = entries.at(-1);
			if (lastEntry === undefined || entries.length < changesPerQuery) return undefined;
			nextStart = `${lastEntry.key}\0`;
		}
	}

	#getGeneratedKeys(namespaceNumber: number): GeneratedKeys | undefined {
		const count = parseGeneratedCount(this.#getStatements().sample.get(namespaceNumber)?.sample);
		if (count === undefined) return undefined;
		const cachedKeys = this.#generatedKeys.get(namespaceNumber);
		if (cachedKeys?.count === count) return cachedKeys;
		const generatedKeys = new GeneratedKeys(count);
		this.#generatedKeys.set(namespaceNumber, generatedKeys);
		return generatedKeys;
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
		listChanges: database.prepare(
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
		deleteExpired: database.prepare(
			`DELETE FROM entries WHERE expiration <= ? AND namespace NOT IN
			(SELECT number FROM namespaces WHERE sample LIKE '${generatedPrefix}%')`,
		),
	} satisfies Record<string, StatementSync>;
}
