import type {StatementSync} from 'node:sqlite';
import type {WorldDatabase} from './database.ts';

/** What is stored under a key. `metadata` is JSON text, `expiration` in UNIX seconds. */
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

/** Where a listing begins and what it holds. `after`: the last key of the page before. */
type Listing = {readonly prefix: string; readonly after?: string; readonly limit: number};

const utf8 = new TextEncoder();
const text = new TextDecoder();

/** The keys of all namespaces, in the byte order of their UTF-8. `now` is in UNIX seconds; what expired is absent. */
export class Entries {
	readonly #database: WorldDatabase;
	#statements: ReturnType<typeof prepared> | undefined;

	constructor(database: WorldDatabase) {
		this.#database = database;
	}

	list(namespace: number, {prefix, after, limit}: Listing, now: number): ListedEntry[] {
		const from = after === undefined ? utf8.encode(prefix) : utf8.encode(`${after}\0`);
		const rows = this.#prepared().list.all(namespace, from, beyond(prefix), now, limit);
		return rows.map(row => ({
			key: text.decode(row.key as Uint8Array),
			metadata: row.metadata as string | null,
			expiration: row.expiration as number | null,
		}));
	}

	get(namespace: number, key: string, now: number): Entry | undefined {
		const row = this.#prepared().get.get(namespace, utf8.encode(key), now);
		return (
			row && {
				value: row.value as Uint8Array,
				metadata: row.metadata as string | null,
				expiration: row.expiration as number | null,
			}
		);
	}

	/** Stores it in place of what was there. */
	put(namespace: number, key: string, {value, metadata, expiration}: Entry): void {
		this.#prepared().put.run(namespace, utf8.encode(key), expiration, metadata, value);
	}

	delete(namespace: number, key: string): void {
		this.#prepared().delete.run(namespace, utf8.encode(key));
	}

	deleteAll(namespace: number): void {
		this.#database.prepare('DELETE FROM entries WHERE namespace = ?').run(namespace);
	}

	/** How many keys a namespace has, and the bytes of names, values and metadata together. */
	totals(namespace: number, now: number): {readonly keys: number; readonly bytes: number} {
		const row = this.#prepared().totals.get(namespace, now);
		return {keys: Number(row?.keys), bytes: Number(row?.bytes)};
	}

	/** Takes what expired out of the file; it can no longer be seen. */
	sweep(now: number): void {
		this.#prepared().sweep.run(now);
	}

	#prepared() {
		this.#statements ??= prepared(this.#database);
		return this.#statements;
	}
}

/** The first bytes behind every key with that prefix. No byte of UTF-8 is 0xff. */
function beyond(prefix: string): Uint8Array {
	const bytes = utf8.encode(prefix);
	if (bytes.length === 0) return Uint8Array.of(0xff);
	const last = bytes.length - 1;
	bytes[last] = (bytes[last] ?? 0) + 1;
	return bytes;
}

const alive = '(expiration IS NULL OR expiration > ?)';

// Node 22 binds an array without bytes as NULL, hence the `ifnull`.
function prepared(database: WorldDatabase) {
	return {
		list: database.prepare(
			`SELECT key, expiration, metadata FROM entries
			WHERE namespace = ? AND key >= ifnull(?, x'') AND key < ? AND ${alive} ORDER BY key LIMIT ?`,
		),
		get: database.prepare(
			`SELECT value, expiration, metadata FROM entries WHERE namespace = ? AND key = ? AND ${alive}`,
		),
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
		sweep: database.prepare('DELETE FROM entries WHERE expiration <= ?'),
	} satisfies Record<string, StatementSync>;
}
