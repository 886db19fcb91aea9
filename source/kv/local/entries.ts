import type {DatabaseSync, StatementSync} from 'node:sqlite';
import type {JsonValue} from '../../json.ts';
import type {KeyEntry} from '../store.ts';
import {damaged} from './failures.ts';

/** A row as it is stored. `expiration` in milliseconds. */
export type Row = {
	readonly blob: string;
	readonly expiration: number | null;
	readonly metadata: string | null;
};

export type NewRow = Row & {readonly key: string};

/** What to list: names that begin with `prefix` and come after `after`, without those expired at `now` (milliseconds). */
export type PageQuery = {
	readonly prefix: string;
	readonly after: string;
	readonly limit: number;
	readonly now: number;
	readonly metadata: boolean;
};

// As REAL a number of any size can be read; an INTEGER beyond 2^53 would throw.
const expirationNumber = 'CAST(expiration AS REAL) AS expiration';

/**
 * A page of rows as one JSON text: SQLite makes it and `JSON.parse` reads it two to four times faster than rows
 * come out of `node:sqlite` one by one, which before Node 24 also cuts a text at its first NUL.
 */
const pageOf = (columns: string, condition: string): string =>
	`SELECT json_group_array(json_array(${columns})) AS page FROM
	(SELECT ${columns} FROM _mf_entries WHERE ${condition} ORDER BY key LIMIT ?)`;

/** Rows of one round of `blobs`. */
const blobsAtOnce = 1000;

const text = (value: unknown): string =>
	typeof value === 'string' ? value : Buffer.from(value as Uint8Array).toString('utf8');

/** Reads the entries of a namespace. Statements are prepared once, and none stays open between calls. */
export class EntryReader {
	readonly #sql: DatabaseSync;
	readonly #file: string;
	readonly #find: StatementSync;
	readonly #blobPage: StatementSync;
	readonly #pages = new Map<string, StatementSync>();

	/** `file` is only named in failures. */
	constructor(sql: DatabaseSync, file: string) {
		this.#sql = sql;
		this.#file = file;
		this.#find = sql.prepare(`SELECT blob_id, ${expirationNumber}, metadata FROM _mf_entries WHERE key = ?`);
		this.#blobPage = sql.prepare(pageOf('key, blob_id', 'key > ?'));
	}

	find(key: string): Row | undefined {
		const row = this.#find.get(key);
		if (row === undefined) return undefined;
		return {
			blob: text(row.blob_id),
			expiration: row.expiration as number | null,
			metadata: row.metadata as string | null,
		};
	}

	/** The rows of keys as they are at one moment, and under one lock: that takes a third of the time. */
	findAll(keys: readonly string[]): (Row | undefined)[] {
		return inTransaction(this.#sql, 'BEGIN', () => keys.map(key => this.find(key)));
	}

	/** Up to `limit` entries in the byte order of their names. */
	page({prefix, after, limit, now, metadata}: PageQuery): KeyEntry[] {
		// One lower bound, so that the index is entered at the right place however far the listing has got.
		const goesOn = after !== '' && Buffer.compare(Buffer.from(after), Buffer.from(prefix)) >= 0;
		const end = prefix === '' ? undefined : firstAfter(prefix);
		const statement = this.#pageStatement(goesOn, end !== undefined, metadata);
		const start = goesOn ? after : prefix;
		const found = end ? statement.get(start, end, now, limit) : statement.get(start, now, limit);
		const rows = JSON.parse(text(found?.page)) as [string, number | null, string | null | undefined][];
		return rows.map(([name, expiration, json]) => {
			const entry: {name: string; expiration?: number; metadata?: JsonValue} = {name};
			if (expiration !== null) entry.expiration = Math.floor(expiration / 1000);
			if (typeof json === 'string') {
				const parsed = this.metadataOf(name, json);
				if (parsed !== null) entry.metadata = parsed;
			}
			return entry;
		});
	}

	/** Every key with the blob it names, expired ones too. */
	*blobs(): Generator<{key: string; blob: string}> {
		for (let after = ''; ; ) {
			const page = this.#blobPage.get(after, blobsAtOnce)?.page;
			const rows = JSON.parse(text(page)) as [string, string][];
			for (const [key, blob] of rows) yield {key, blob};
			const last = rows.at(-1);
			if (!last) return;
			after = last[0];
		}
	}

	/** The metadata that a row holds as JSON text. */
	metadataOf(key: string, json: string): JsonValue {
		try {
			return JSON.parse(json) as JsonValue;
		} catch (error) {
			throw damaged(this.#file, `The metadata of the key "${key}" is not JSON.`, error);
		}
	}

	#pageStatement(goesOn: boolean, ends: boolean, metadata: boolean): StatementSync {
		const columns = metadata ? 'key, expiration, metadata' : 'key, expiration';
		const bounds = `key ${goesOn ? '>' : '>='} ? ${ends ? 'AND key < CAST(? AS TEXT)' : ''}`;
		const query = pageOf(columns, `${bounds} AND (expiration IS NULL OR expiration >= ?)`);
		let statement = this.#pages.get(query);
		if (!statement) {
			statement = this.#sql.prepare(query);
			this.#pages.set(query, statement);
		}
		return statement;
	}
}

/**
 * The least bytes above all texts that begin with the prefix. The last byte can always be raised: UTF-8 has no
 * 0xff. What comes out need not be UTF-8, so it is bound as bytes.
 */
function firstAfter(prefix: string): Uint8Array {
	const bytes = Buffer.from(prefix);
	const last = bytes.length - 1;
	bytes[last] = (bytes[last] ?? 0) + 1;
	return bytes;
}

/** Expired rows that go with one write: few, so that the lock is held for a short time. */
const purgedAtOnce = 1000;

/** Changes the entries of a namespace. Each call belongs inside a transaction (`transact`). */
export class EntryWriter {
	readonly #sql: DatabaseSync;
	readonly #blobOf: StatementSync;
	readonly #put: StatementSync;
	readonly #delete: StatementSync;
	readonly #purge: StatementSync;

	constructor(sql: DatabaseSync) {
		this.#sql = sql;
		this.#blobOf = sql.prepare('SELECT blob_id FROM _mf_entries WHERE key = ?');
		this.#put = sql.prepare(
			'INSERT OR REPLACE INTO _mf_entries (key, blob_id, expiration, metadata) VALUES (?, ?, ?, ?)',
		);
		this.#delete = sql.prepare('DELETE FROM _mf_entries WHERE key = ? RETURNING blob_id');
		this.#purge = sql.prepare(
			`DELETE FROM _mf_entries WHERE rowid IN
			(SELECT rowid FROM _mf_entries WHERE expiration < ? LIMIT ${purgedAtOnce}) RETURNING blob_id`,
		);
	}

	/** Runs the work as one transaction that has the write lock from its start. Throws when the lock is taken. */
	transact<T>(work: () => T): T {
		return inTransaction(this.#sql, 'BEGIN IMMEDIATE', work);
	}

	/** Writes an entry; gives the blob it no longer needs. */
	put({key, blob, expiration, metadata}: NewRow): string | undefined {
		const old = this.blobOf(key);
		this.#put.run(key, blob, expiration, metadata);
		return old;
	}

	/** Deletes an entry; gives the blob it no longer needs. */
	delete(key: string): string | undefined {
		const row = this.#delete.get(key);
		return row && text(row.blob_id);
	}

	/** Deletes some of what had expired by `now` (milliseconds); gives the blobs. */
	purge(now: number): string[] {
		return this.#purge.all(now).map(row => text(row.blob_id));
	}

	/** The blob that an entry names now. */
	blobOf(key: string): string | undefined {
		const row = this.#blobOf.get(key);
		return row && text(row.blob_id);
	}
}

function inTransaction<T>(sql: DatabaseSync, begin: 'BEGIN' | 'BEGIN IMMEDIATE', work: () => T): T {
	sql.exec(begin);
	try {
		const result = work();
		sql.exec('COMMIT');
		return result;
	} catch (error) {
		rollBack(sql);
		throw error;
	}
}

function rollBack(sql: DatabaseSync): void {
	try {
		sql.exec('ROLLBACK');
	} catch {
		// SQLite has rolled back by itself (disk full, damaged file): there is no transaction any more.
	}
}

/** How many keys have not expired at `now` (milliseconds). */
export const countEntries = (sql: DatabaseSync, now: number): number =>
	Number(
		sql
			.prepare('SELECT count(*) AS keys FROM _mf_entries WHERE expiration IS NULL OR expiration >= ?')
			.get(now)?.keys,
	);
