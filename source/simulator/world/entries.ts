import type {StatementSync} from 'node:sqlite';
import {compareKeys} from '../../text/utf8-order.ts';
import type {WorldDatabase} from './database.ts';
import {GeneratedKeys} from './generated-keys.ts';

/** The content of a key. `metadata` is JSON text, `expiration` in UNIX seconds. */
export type Entry = {
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
type Listing = {readonly prefix: string; readonly after?: string; readonly limit: number};

const utf8 = new TextEncoder();
const text = new TextDecoder();

/** Keys to read at a time of those written to a generated namespace. */
const writtenAtOnce = 1000;
/** The expiration of entries that hide deleted generated keys. */
const deleted = 0;

const generatedMark = 'generated ';

/** Formats the sample of a namespace with `count` generated keys. */
export const generatedSample = (count: number): string => `${generatedMark}${count}`;

/** Returns the number of generated keys of a namespace; undefined if it is a stored one. */
export const generatedCount = (sample: unknown): number | undefined =>
	typeof sample === 'string' && sample.startsWith(generatedMark)
		? Number(sample.slice(generatedMark.length))
		: undefined;

/**
 * The keys of all namespaces, in the order of their UTF-8 bytes. `now` is in UNIX seconds; expired keys are
 * absent. Of a generated namespace only changes are stored, deletions as expired entries: both hide the
 * generated key of that name.
 */
export class Entries {
	readonly #database: WorldDatabase;
	readonly #generated = new Map<number, GeneratedKeys>();
	#statements: ReturnType<typeof prepared> | undefined;

	constructor(database: WorldDatabase) {
		this.#database = database;
	}

	list(namespace: number, listing: Listing, now: number): ListedEntry[] {
		const generated = this.#generatedIn(namespace);
		if (generated) return this.#merged(namespace, generated, listing, now);
		const {prefix, after, limit} = listing;
		const from = after === undefined ? utf8.encode(prefix) : utf8.encode(`${after}\0`);
		const rows = this.#prepared().list.all(namespace, from, beyond(prefix), now, limit);
		return rows.map(listedEntry);
	}

	get(namespace: number, key: string, now: number): Entry | undefined {
		const row = this.#prepared().get.get(namespace, utf8.encode(key));
		if (row) {
			const {metadata, expiration} = listedEntry(row);
			if (expiration !== null && expiration <= now) return undefined;
			return {value: row.value as Uint8Array, metadata, expiration};
		}
		const generated = this.#generatedIn(namespace);
		const number = generated?.find(key);
		if (generated === undefined || number === undefined) return undefined;
		const {metadata, expiration} = generated.at(number);
		return {value: generated.valueAt(number), metadata, expiration};
	}

	/** Stores an entry, replacing the one there. */
	put(namespace: number, key: string, {value, metadata, expiration}: Entry): void {
		this.#prepared().put.run(namespace, utf8.encode(key), expiration, metadata, value);
	}

	delete(namespace: number, key: string): void {
		if (this.#generatedIn(namespace)?.find(key) === undefined)
			this.#prepared().delete.run(namespace, utf8.encode(key));
		else this.put(namespace, key, {value: new Uint8Array(), metadata: null, expiration: deleted});
	}

	deleteAll(namespace: number): void {
		this.#database.prepare('DELETE FROM entries WHERE namespace = ?').run(namespace);
	}

	/**
	 * Returns the number of keys in a namespace, and the total bytes of names, values and metadata. For a
	 * generated namespace: those without changes, with bytes estimated from some keys.
	 */
	totals(namespace: number, now: number): {readonly keys: number; readonly bytes: number} {
		const generated = this.#generatedIn(namespace);
		if (generated) return {keys: generated.count, bytes: generated.bytes()};
		const row = this.#prepared().totals.get(namespace, now);
		return {keys: Number(row?.keys), bytes: Number(row?.bytes)};
	}

	/** Deletes expired entries from the file. Those in a generated namespace stay, as they may hide a key. */
	sweep(now: number): void {
		this.#prepared().sweep.run(now);
	}

	/** Merges the generated keys of a namespace with its stored changes; omits deleted and expired ones. */
	#merged(namespace: number, generated: GeneratedKeys, listing: Listing, now: number): ListedEntry[] {
		const {prefix, after, limit} = listing;
		const start = after === undefined ? prefix : `${after}\0`;
		const written = this.#written(namespace, start, prefix);
		const listed: ListedEntry[] = [];
		let number = generated.firstAtLeast(start);
		let row = written.next();
		while (listed.length < limit) {
			const made = number < generated.count ? generated.at(number) : undefined;
			const next = made?.key.startsWith(prefix) ? made : undefined;
			if (next === undefined && row.done) break;
			const order =
				next === undefined || row.done ? (row.done ? -1 : 1) : compareKeys(next.key, row.value.key);
			if (order <= 0) number++;
			if (order < 0 && next) listed.push(next);
			if (order < 0 || row.done) continue;
			const {expiration} = row.value;
			if (expiration === null || expiration > now) listed.push(row.value);
			row = written.next();
		}
		return listed;
	}

	/** Iterates over the changes of a generated namespace, including deletions. */
	*#written(namespace: number, start: string, prefix: string): Generator<ListedEntry, undefined, undefined> {
		for (let from = start; ; ) {
			const rows = this.#prepared().written.all(namespace, utf8.encode(from), beyond(prefix), writtenAtOnce);
			const entries = rows.map(listedEntry);
			yield* entries;
			const last = entries.at(-1);
			if (last === undefined || entries.length < writtenAtOnce) return undefined;
			from = `${last.key}\0`;
		}
	}

	#generatedIn(namespace: number): GeneratedKeys | undefined {
		const count = generatedCount(this.#prepared().sample.get(namespace)?.sample);
		if (count === undefined) return undefined;
		const known = this.#generated.get(namespace);
		if (known?.count === count) return known;
		const generated = new GeneratedKeys(count);
		this.#generated.set(namespace, generated);
		return generated;
	}

	#prepared() {
		this.#statements ??= prepared(this.#database);
		return this.#statements;
	}
}

/** Returns the upper bound of keys with that prefix; UTF-8 has no byte 0xff. */
function beyond(prefix: string): Uint8Array {
	const bytes = utf8.encode(prefix);
	if (bytes.length === 0) return Uint8Array.of(0xff);
	const last = bytes.length - 1;
	bytes[last] = (bytes[last] ?? 0) + 1;
	return bytes;
}

const listedEntry = (row: Readonly<Record<string, unknown>>): ListedEntry => ({
	key: text.decode(row.key as Uint8Array),
	metadata: row.metadata as string | null,
	expiration: row.expiration as number | null,
});

const alive = '(expiration IS NULL OR expiration > ?)';

// Node 22 binds an empty array as NULL, hence the `ifnull`.
function prepared(database: WorldDatabase) {
	return {
		list: database.prepare(
			`SELECT key, expiration, metadata FROM entries
			WHERE namespace = ? AND key >= ifnull(?, x'') AND key < ? AND ${alive} ORDER BY key LIMIT ?`,
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
			AS bytes FROM entries WHERE namespace = ? AND ${alive}`,
		),
		sweep: database.prepare(
			`DELETE FROM entries WHERE expiration <= ? AND namespace NOT IN
			(SELECT number FROM namespaces WHERE sample LIKE '${generatedMark}%')`,
		),
	} satisfies Record<string, StatementSync>;
}
