import {isUtf8} from 'node:buffer';
import type {DatabaseSync, StatementSync} from 'node:sqlite';
import {type JsonValue, parseJsonText} from '../../text/json.ts';
import {compareKeys} from '../../text/utf8-order.ts';
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
type PageQuery = {
	readonly prefix: string;
	readonly after: string;
	readonly limit: number;
	readonly now: number;
	readonly metadata: boolean;
};

/**
 * As REAL a number of any size can be read; an INTEGER beyond 2^53 would throw. A column of SQLite holds values of any
 * kind, and what is not a number would be cast to 0: it stays as it is.
 */
const expirationNumber = `CASE WHEN typeof(expiration) = 'integer' THEN CAST(expiration AS REAL) ELSE expiration END AS expiration`;

/**
 * A page of rows as one JSON text: SQLite makes it and `JSON.parse` reads it two to four times faster than rows
 * come out of `node:sqlite` one by one, which before Node 24 also cuts a text at its first NUL.
 */
const pageOf = (columns: string, condition: string): string =>
	`SELECT json_group_array(json_array(${columns})) AS page FROM
	(SELECT ${columns} FROM _mf_entries WHERE ${condition} ORDER BY key LIMIT ?)`;

/** A row as a check sees it, whatever is in it. */
type CheckedRow = {
	/** Of a key that is not text what comes nearest to it. */
	readonly key: string;
	readonly blob: string;
	/** What is wrong with it, for each part. */
	readonly problems: readonly string[];
	/** Whether the row still names that blob. */
	isCurrent(): boolean;
};

/** Rows of one round of `rows`. */
const rowsAtOnce = 1000;

/** All rows in pieces, whatever their keys are: a key that is not valid UTF-8 cannot be asked for. */
const checkedRows = `SELECT CAST(rowid AS TEXT) AS at, typeof(key) AS kind, CAST(key AS BLOB) AS key,
	CAST(blob_id AS BLOB) AS blob, expiration IS NULL OR typeof(expiration) = 'integer' OR
		(typeof(expiration) = 'real' AND abs(expiration) < 9e999) AS has_expiration,
	metadata IS NULL OR (typeof(metadata) = 'text' AND json_valid(metadata)) AS has_metadata
	FROM _mf_entries WHERE rowid > ? ORDER BY rowid LIMIT ${rowsAtOnce}`;

const leastRowid = -(2n ** 63n);
const emptyBytes = new Uint8Array();
/** What represents bytes that are not UTF-8 in a text that was read from them. */
const replacement = '\ufffd';

const text = (value: unknown): string =>
	typeof value === 'string' ? value : Buffer.from(value as Uint8Array).toString('utf8');

/** Reads the entries of a namespace. Statements are prepared once, and none stays open between calls. */
export class EntryReader {
	readonly #sql: DatabaseSync;
	readonly #file: string;
	readonly #find: StatementSync;
	readonly #pages = new Map<string, StatementSync>();

	/** `file` is only named in failures. */
	constructor(sql: DatabaseSync, file: string) {
		this.#sql = sql;
		this.#file = file;
		this.#find = sql.prepare(`SELECT blob_id, ${expirationNumber}, metadata FROM _mf_entries WHERE key = ?`);
	}

	find(key: string): Row | undefined {
		const row = this.#find.get(key);
		if (row === undefined) return undefined;
		return {
			blob: text(row.blob_id),
			expiration: this.#expirationOf(key, row.expiration),
			metadata: row.metadata === null ? null : text(row.metadata),
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
		const json = text(found?.page);
		const rows = JSON.parse(json) as [string, unknown, string | null | undefined][];
		// What is not valid UTF-8 is read with this in its place, and would be listed over and over.
		if (json.includes(replacement))
			this.#checkNames([...(after === '' ? [] : [after]), ...rows.map(([name]) => name)]);
		return rows.map(([name, expires, json]) => {
			const entry: {name: string; expiration?: number; metadata?: JsonValue} = {name};
			const expiration = this.#expirationOf(name, expires);
			if (expiration !== null) entry.expiration = Math.floor(expiration / 1000);
			if (typeof json === 'string') {
				const parsed = this.metadataOf(name, json);
				if (parsed !== null) entry.metadata = parsed;
			}
			return entry;
		});
	}

	/** Every row, expired and damaged ones too. */
	*rows(): Generator<CheckedRow> {
		const next = this.#sql.prepare(checkedRows);
		const blobOf = this.#sql.prepare('SELECT CAST(blob_id AS BLOB) AS blob FROM _mf_entries WHERE rowid = ?');
		for (let after = leastRowid; ; ) {
			const rows = next.all(after);
			for (const {at, kind, key, blob, has_expiration: hasExpiration, has_metadata: hasMetadata} of rows) {
				after = BigInt(text(at));
				const [rowid, bytes, id] = [after, key ?? emptyBytes, text(blob)];
				const problems = [
					...(kind === 'text' ? [] : ['is not text']),
					...(isUtf8(bytes as Uint8Array) ? [] : ['is not valid UTF-8']),
					...(hasExpiration ? [] : ['has an expiration that is not a number']),
					...(hasMetadata ? [] : ['has metadata that is not JSON']),
				];
				const isCurrent = () => {
					const row = blobOf.get(rowid);
					return row !== undefined && text(row.blob) === id;
				};
				yield {key: text(bytes), blob: id, problems, isCurrent};
			}
			if (rows.length < rowsAtOnce) return;
		}
	}

	metadataOf(key: string, json: string): JsonValue {
		try {
			return parseJsonText(json);
		} catch (error) {
			throw damaged(this.#file, `The metadata of the key "${key}" cannot be read as JSON.`, error);
		}
	}

	/** Milliseconds, as a row holds them. */
	#expirationOf(key: string, value: unknown): number | null {
		if (value === null || (typeof value === 'number' && Number.isFinite(value))) return value;
		throw damaged(this.#file, `The expiration of the key ${JSON.stringify(key)} is not a number.`);
	}

	/** Names as they were listed: each is in the table as it is, and comes after the one before. */
	#checkNames(names: readonly string[]): void {
		for (const [at, name] of names.entries()) {
			const before = names[at - 1];
			const isBehind = before === undefined || compareKeys(before, name) < 0;
			if (isBehind && (!name.includes(replacement) || this.find(name))) continue;
			throw damaged(this.#file, `The key ${JSON.stringify(name)} is not valid UTF-8.`);
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
	readonly #add: StatementSync;
	readonly #put: StatementSync;
	readonly #delete: StatementSync;
	readonly #purge: StatementSync;

	constructor(sql: DatabaseSync) {
		this.#sql = sql;
		this.#blobOf = sql.prepare('SELECT blob_id FROM _mf_entries WHERE key = ?');
		const row = 'INTO _mf_entries (key, blob_id, expiration, metadata) VALUES (?, ?, ?, ?)';
		this.#add = sql.prepare(`INSERT OR IGNORE ${row}`);
		this.#put = sql.prepare(`INSERT OR REPLACE ${row}`);
		this.#delete = sql.prepare(
			`DELETE FROM _mf_entries WHERE key = ? RETURNING blob_id, ${expirationNumber}`,
		);
		this.#purge = sql.prepare(
			`DELETE FROM _mf_entries WHERE rowid IN
			(SELECT rowid FROM _mf_entries WHERE expiration < ? LIMIT ${purgedAtOnce}) RETURNING blob_id`,
		);
	}

	/** Runs the work as one transaction that has the write lock from its start. Throws when the lock is taken. */
	transact<T>(work: () => T): T {
		return inTransaction(this.#sql, 'BEGIN IMMEDIATE', work);
	}

	/** Writes an entry; returns the blob it no longer needs. */
	put({key, blob, expiration, metadata}: NewRow): string | undefined {
		// Most keys are new, and then nothing has to be looked up.
		if (this.#add.run(key, blob, expiration, metadata).changes > 0) return undefined;
		const old = this.blobOf(key);
		this.#put.run(key, blob, expiration, metadata);
		return old;
	}

	/** Deletes an entry and returns what its row held, if there was one: the blob is no longer needed. */
	delete(key: string): Pick<Row, 'blob' | 'expiration'> | undefined {
		const row = this.#delete.get(key);
		return row && {blob: text(row.blob_id), expiration: row.expiration as number | null};
	}

	/** Deletes some of what had expired by `now` (milliseconds); returns the blobs. */
	purge(now: number): string[] {
		return this.#purge.all(now).map(row => text(row.blob_id));
	}

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
		// SQLite has rolled back by itself (disk full, damaged file): the transaction is over.
	}
}

/**
 * All keys without those that have expired. Asked for what has no expiry or a later one, SQLite remembers each row, so as not
 * to count it twice: 24 MB a million of them.
 */
const livingKeys = `SELECT (SELECT count(*) FROM _mf_entries) -
	(SELECT count(*) FROM _mf_entries WHERE expiration < ?) AS keys`;

/** How many keys have not expired at `now` (milliseconds). */
export const countEntries = (sql: DatabaseSync, now: number): number =>
	Number(sql.prepare(livingKeys).get(now)?.keys);
