import {isUtf8} from 'node:buffer';
import type {DatabaseSync, StatementSync} from 'node:sqlite';
import {type JsonValue, parseJsonText} from '../../text/json.ts';
import {compareKeys} from '../../text/utf8-order.ts';
import type {KeyEntry} from '../store.ts';
import {createStoreDamagedFailure} from './failures.ts';

/** A stored row. `blobId` names the file with the value; `expiration` is in milliseconds. */
export type StoredRow = {
	readonly blobId: string;
	readonly expiration: number | null;
	readonly metadata: string | null;
};

export type NewRow = StoredRow & {readonly key: string};

/**
 * Selects names that begin with `prefix`, come after `after`, and have not expired at `now` (milliseconds).
 */
type PageQuery = {
	readonly prefix: string;
	readonly after: string;
	readonly limit: number;
	readonly now: number;
	readonly includesMetadata: boolean;
};

/**
 * Reads integers of any size as REAL, since an INTEGER beyond 2^53 would throw. Values of other types stay as
 * they are, since a cast would turn them into 0.
 */
const expirationColumn = `CASE WHEN typeof(expiration) = 'integer' THEN CAST(expiration AS REAL) ELSE expiration END AS expiration`;

/**
 * Builds a query for a page of rows as one JSON text: SQLite builds it and `JSON.parse` reads it two to four
 * times faster than `node:sqlite` returns rows one by one. Before Node 24, `node:sqlite` also cuts texts at
 * the first NUL.
 */
const buildPageQuery = (columns: string, condition: string): string =>
	`SELECT json_group_array(json_array(${columns})) AS page FROM
	(SELECT ${columns} FROM _mf_entries WHERE ${condition} ORDER BY key LIMIT ?)`;

/** A row as a check sees it, with any content. */
type CheckedRow = {
	/** The key, or its closest text form. */
	readonly key: string;
	readonly blobId: string;
	/** Problems, one per column. */
	readonly problems: readonly string[];
	/** True if the row still references that blob. */
	isCurrent(): boolean;
};

/** Rows per query of `readRows`. */
const rowBatchSize = 1000;

/** All rows in batches, with any key: a key that is not valid UTF-8 cannot be queried. */
const checkedRowsQuery = `SELECT CAST(rowid AS TEXT) AS at, typeof(key) AS kind, CAST(key AS BLOB) AS key,
	CAST(blob_id AS BLOB) AS blob, expiration IS NULL OR typeof(expiration) = 'integer' OR
		(typeof(expiration) = 'real' AND abs(expiration) < 9e999) AS is_expiration_valid,
	metadata IS NULL OR (typeof(metadata) = 'text' AND json_valid(metadata)) AS is_metadata_valid
	FROM _mf_entries WHERE rowid > ? ORDER BY rowid LIMIT ${rowBatchSize}`;

const minRowid = -(2n ** 63n);
const emptyBytes = new Uint8Array();
/** Replaces invalid UTF-8 in decoded text. */
const replacementCharacter = '\ufffd';

const decodeText = (value: unknown): string =>
	typeof value === 'string' ? value : Buffer.from(value as Uint8Array).toString('utf8');

/** Reads the entries of a namespace. Statements are prepared once, and none stays open between calls. */
export class EntryReader {
	readonly #sql: DatabaseSync;
	readonly #file: string;
	readonly #find: StatementSync;
	readonly #pageStatements = new Map<string, StatementSync>();

	/** `file` appears only in failures. */
	constructor(sql: DatabaseSync, file: string) {
		this.#sql = sql;
		this.#file = file;
		this.#find = sql.prepare(`SELECT blob_id, ${expirationColumn}, metadata FROM _mf_entries WHERE key = ?`);
	}

	find(key: string): StoredRow | undefined {
		const row = this.#find.get(key);
		if (row === undefined) return undefined;
		return {
			blobId: decodeText(row.blob_id),
			expiration: this.#parseExpiration(key, row.expiration),
			metadata: row.metadata === null ? null : decodeText(row.metadata),
		};
	}

	/** Returns the rows of keys in one transaction: consistent, and three times as fast. */
	findAll(keys: readonly string[]): (StoredRow | undefined)[] {
		return runTransaction(this.#sql, 'BEGIN', () => keys.map(key => this.find(key)));
	}

	/** Returns up to `limit` entries in byte order of their names. */
	readPage({prefix, after, limit, now, includesMetadata}: PageQuery): KeyEntry[] {
		// A single lower bound, so that the index is entered at the right place on every page.
		const isContinued = after !== '' && Buffer.compare(Buffer.from(after), Buffer.from(prefix)) >= 0;
		const end = prefix === '' ? undefined : computePrefixEnd(prefix);
		const statement = this.#getPageStatement(isContinued, end !== undefined, includesMetadata);
		const start = isContinued ? after : prefix;
		const row = end ? statement.get(start, end, now, limit) : statement.get(start, now, limit);
		const json = decodeText(row?.page);
		const rows = JSON.parse(json) as [string, unknown, string | null | undefined][];
		// Invalid UTF-8 is decoded to this character; the listing would continue after a name that does not
		// exist, and list the same keys again.
		if (json.includes(replacementCharacter))
			this.#checkNames([...(after === '' ? [] : [after]), ...rows.map(([name]) => name)]);
		return rows.map(([name, expires, metadataText]) => {
			const entry: {name: string; expiration?: number; metadata?: JsonValue} = {name};
			const expiration = this.#parseExpiration(name, expires);
			if (expiration !== null) entry.expiration = Math.floor(expiration / 1000);
			if (typeof metadataText === 'string') {
				const parsed = this.parseMetadata(name, metadataText);
				if (parsed !== null) entry.metadata = parsed;
			}
			return entry;
		});
	}

	/** Yields every row, including expired and damaged ones. */
	*readRows(): Generator<CheckedRow> {
		const rowsStatement = this.#sql.prepare(checkedRowsQuery);
		const blobStatement = this.#sql.prepare(
			'SELECT CAST(blob_id AS BLOB) AS blob FROM _mf_entries WHERE rowid = ?',
		);
		for (let after = minRowid; ; ) {
			const rows = rowsStatement.all(after);
			for (const {
				at,
				kind,
				key,
				blob,
				is_expiration_valid: isExpirationValid,
				is_metadata_valid: isMetadataValid,
			} of rows) {
				after = BigInt(decodeText(at));
				const [rowid, bytes, id] = [after, key ?? emptyBytes, decodeText(blob)];
				const problems = [
					...(kind === 'text' ? [] : ['is not text']),
					...(isUtf8(bytes as Uint8Array) ? [] : ['is not valid UTF-8']),
					...(isExpirationValid ? [] : ['has an expiration that is not a number']),
					...(isMetadataValid ? [] : ['has metadata that is not JSON']),
				];
				const isCurrent = () => {
					const row = blobStatement.get(rowid);
					return row !== undefined && decodeText(row.blob) === id;
				};
				yield {key: decodeText(bytes), blobId: id, problems, isCurrent};
			}
			if (rows.length < rowBatchSize) return;
		}
	}

	parseMetadata(key: string, json: string): JsonValue {
		try {
			return parseJsonText(json);
		} catch (error) {
			throw createStoreDamagedFailure(
				this.#file,
				`The metadata of the key "${key}" cannot be read as JSON.`,
				error,
			);
		}
	}

	/** Validates an expiration in milliseconds. */
	#parseExpiration(key: string, value: unknown): number | null {
		if (value === null || (typeof value === 'number' && Number.isFinite(value))) return value;
		throw createStoreDamagedFailure(
			this.#file,
			`The expiration of the key ${JSON.stringify(key)} is not a number.`,
		);
	}

	/** Checks listed names: each exists exactly in the table and sorts after the one before. */
	#checkNames(names: readonly string[]): void {
		for (const [index, name] of names.entries()) {
			const previousName = names[index - 1];
			const isInOrder = previousName === undefined || compareKeys(previousName, name) < 0;
			if (isInOrder && (!name.includes(replacementCharacter) || this.find(name))) continue;
			throw createStoreDamagedFailure(this.#file, `The key ${JSON.stringify(name)} is not valid UTF-8.`);
		}
	}

	#getPageStatement(isContinued: boolean, hasEnd: boolean, includesMetadata: boolean): StatementSync {
		const columns = includesMetadata ? 'key, expiration, metadata' : 'key, expiration';
		const bounds = `key ${isContinued ? '>' : '>='} ? ${hasEnd ? 'AND key < CAST(? AS TEXT)' : ''}`;
		const query = buildPageQuery(columns, `${bounds} AND (expiration IS NULL OR expiration >= ?)`);
		let statement = this.#pageStatements.get(query);
		if (!statement) {
			statement = this.#sql.prepare(query);
			this.#pageStatements.set(query, statement);
		}
		return statement;
	}
}

/**
 * Returns the smallest byte string that sorts after all texts with the prefix. The last byte can always be
 * incremented, because UTF-8 has no 0xff. The result may not be UTF-8, so it is bound as bytes.
 */
function computePrefixEnd(prefix: string): Uint8Array {
	const bytes = Buffer.from(prefix);
	const last = bytes.length - 1;
	bytes[last] = (bytes[last] ?? 0) + 1;
	return bytes;
}

/** Expired rows removed with each write: few, so that the lock is held briefly. */
const purgeBatchSize = 1000;

/** Changes the entries of a namespace. Every call must be inside a transaction (`transact`). */
export class EntryWriter {
	readonly #sql: DatabaseSync;
	readonly #findBlob: StatementSync;
	readonly #add: StatementSync;
	readonly #put: StatementSync;
	readonly #delete: StatementSync;
	readonly #purge: StatementSync;

	constructor(sql: DatabaseSync) {
		this.#sql = sql;
		this.#findBlob = sql.prepare('SELECT blob_id FROM _mf_entries WHERE key = ?');
		const intoClause = 'INTO _mf_entries (key, blob_id, expiration, metadata) VALUES (?, ?, ?, ?)';
		this.#add = sql.prepare(`INSERT OR IGNORE ${intoClause}`);
		this.#put = sql.prepare(`INSERT OR REPLACE ${intoClause}`);
		this.#delete = sql.prepare(
			`DELETE FROM _mf_entries WHERE key = ? RETURNING blob_id, ${expirationColumn}`,
		);
		this.#purge = sql.prepare(
			`DELETE FROM _mf_entries WHERE rowid IN
			(SELECT rowid FROM _mf_entries WHERE expiration < ? LIMIT ${purgeBatchSize}) RETURNING blob_id`,
		);
	}

	/** Runs work in a transaction that takes the write lock at its start. Throws if the lock is taken. */
	transact<T>(work: () => T): T {
		return runTransaction(this.#sql, 'BEGIN IMMEDIATE', work);
	}

	/** Writes an entry; returns the id of the blob it replaces. */
	put({key, blobId, expiration, metadata}: NewRow): string | undefined {
		// Most keys are new and need no lookup.
		if (this.#add.run(key, blobId, expiration, metadata).changes > 0) return undefined;
		const replacedBlobId = this.findBlob(key);
		this.#put.run(key, blobId, expiration, metadata);
		return replacedBlobId;
	}

	/** Deletes an entry; returns its former row, whose blob is no longer needed. */
	delete(key: string): Pick<StoredRow, 'blobId' | 'expiration'> | undefined {
		const row = this.#delete.get(key);
		return row && {blobId: decodeText(row.blob_id), expiration: row.expiration as number | null};
	}

	/** Deletes some rows that expired before `now` (milliseconds); returns the ids of their blobs. */
	purge(now: number): string[] {
		return this.#purge.all(now).map(row => decodeText(row.blob_id));
	}

	findBlob(key: string): string | undefined {
		const row = this.#findBlob.get(key);
		return row && decodeText(row.blob_id);
	}
}

function runTransaction<T>(sql: DatabaseSync, beginStatement: 'BEGIN' | 'BEGIN IMMEDIATE', work: () => T): T {
	sql.exec(beginStatement);
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
		// SQLite rolled back by itself (disk full, damaged file): the transaction is over.
	}
}

/**
 * Counts all rows minus expired ones. A query for unexpired rows would make SQLite remember each row to avoid
 * counting it twice: 24 MB per million.
 */
const liveKeysQuery = `SELECT (SELECT count(*) FROM _mf_entries) -
	(SELECT count(*) FROM _mf_entries WHERE expiration < ?) AS keys`;

/** Counts keys that have not expired at `now` (milliseconds). */
export const countLiveEntries = (sql: DatabaseSync, now: number): number =>
	Number(sql.prepare(liveKeysQuery).get(now)?.keys);
