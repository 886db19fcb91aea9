import {copyFileSync, existsSync, mkdtempSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, dirname, join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {makeFolder} from '../../state/directory.ts';
import {isNotOpened} from './failures.ts';
import {isRegularFile, refuseLinks} from './inside.ts';

/** wrangler's schema, word for word. */
const schema = `CREATE TABLE IF NOT EXISTS _mf_entries (
  key TEXT PRIMARY KEY,
  blob_id TEXT NOT NULL,
  expiration INTEGER,
  metadata TEXT
);
CREATE INDEX IF NOT EXISTS _mf_entries_expiration_idx ON _mf_entries(expiration);`;

/** How long SQLite itself waits for a lock, in milliseconds. */
const readerPatience = 5000;
/** Short: the rest of a writer's patience is spent where an abort is seen (`whenFree`). */
const writerPatience = 250;

/** KiB of its pages that a reader keeps, half of what SQLite would: comparisons have three of them, and the system keeps pages, too. */
const readerCache = 1000;

/** An open database, and which file that was: another may take its place under the same name. */
export type OpenDatabase = {
	readonly sql: DatabaseSync;
	/** Whether the file under that name is still the opened one. */
	isCurrent(): boolean;
	close(): void;
};

/**
 * Opens the database of a namespace for reading; `undefined` when there is none yet. Takes no lock that a writer
 * would meet. Where the folder cannot be written and SQLite therefore cannot share memory with writers, a copy is read.
 */
export function openForReading(file: string): OpenDatabase | undefined {
	if (!isUsable(file)) return undefined;
	try {
		return opened(file, file, () => {});
	} catch (error) {
		if (!isNotOpened(error) || !existsSync(file)) throw error;
		return openCopy(file, error);
	}
}

/** Opens the database of a namespace for writing, and makes it and its folder if need be. */
export function openForWriting(file: string): OpenDatabase {
	isUsable(file);
	makeFolder(dirname(file));
	const sql = new DatabaseSync(file);
	try {
		sql.exec(`PRAGMA busy_timeout = ${writerPatience}`);
		// In WAL mode this is safe against the death of the process, and syncs only when the log is folded in.
		sql.exec('PRAGMA synchronous = NORMAL');
		if (!hasSchema(sql)) {
			sql.exec('PRAGMA journal_mode = WAL');
			sql.exec(`BEGIN IMMEDIATE; ${schema} COMMIT`);
		}
		return {sql, isCurrent: sameFile(file), close: () => sql.close()};
	} catch (error) {
		sql.close();
		throw error;
	}
}

/**
 * Whether there is a database. Fails with `local_store_damaged` where it, its log or a folder on the way to it is not
 * what SQLite would make (SQLite follows links), and with an error of the system where that cannot be found out.
 */
function isUsable(file: string): boolean {
	const folder = dirname(file);
	refuseLinks(dirname(folder), folder);
	for (const suffix of ['-wal', '-shm']) isRegularFile(`${file}${suffix}`);
	return isRegularFile(file);
}

/** Whether the database holds entries of a namespace at all. */
export const hasSchema = (sql: DatabaseSync): boolean =>
	sql.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = '_mf_entries'").get() !==
	undefined;

function opened(file: string, name: string, afterwards: () => void): OpenDatabase {
	const sql = new DatabaseSync(file, {readOnly: true});
	try {
		sql.exec(`PRAGMA busy_timeout = ${readerPatience}; PRAGMA cache_size = -${readerCache}`);
		// Opening touches nothing; the first query shows whether it can be read.
		sql.prepare('SELECT 1 FROM sqlite_schema').get();
	} catch (error) {
		sql.close();
		throw error;
	}
	const close = () => {
		sql.close();
		afterwards();
	};
	return {sql, isCurrent: sameFile(name), close};
}

/** A copy in a folder of our own, its log with it: what `immutable=1` would read, and also what only the log holds. */
function openCopy(file: string, reason: unknown): OpenDatabase {
	// Shared memory there means that someone may be writing: a copy could be torn.
	if (existsSync(`${file}-shm`)) throw reason;
	const folder = mkdtempSync(join(tmpdir(), 'ledge-'));
	const remove = () => rmSync(folder, {recursive: true, force: true});
	try {
		const copy = join(folder, basename(file));
		copyFileSync(file, copy);
		if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`);
		return opened(copy, file, remove);
	} catch (error) {
		remove();
		throw error;
	}
}

function sameFile(file: string): () => boolean {
	const first = statSync(file);
	return () => {
		const current = statSync(file, {throwIfNoEntry: false});
		return current !== undefined && current.ino === first.ino && current.dev === first.dev;
	};
}
