import {copyFileSync, existsSync, mkdtempSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, dirname, join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {makeFolder} from '../../state/directory.ts';
import {isOpenError} from './failures.ts';
import {checkRegularFile, refuseLinks} from './link-checks.ts';

/** wrangler's schema, verbatim. */
const schema = `CREATE TABLE IF NOT EXISTS _mf_entries (
  key TEXT PRIMARY KEY,
  blob_id TEXT NOT NULL,
  expiration INTEGER,
  metadata TEXT
);
CREATE INDEX IF NOT EXISTS _mf_entries_expiration_idx ON _mf_entries(expiration);`;

/** Milliseconds that SQLite itself waits for a lock. */
const readerPatienceMs = 5000;
/** Short, because a writer waits longer in `retryWhileBusy`, where an abort is noticed. */
const writerPatienceMs = 250;

/**
 * A reader's page cache in KiB, half of SQLite's default: comparisons have three readers, and the system
 * caches pages, too.
 */
const readerCacheKib = 1000;

/** An open database, which knows its file: another may take its place under the same name. */
export type OpenDatabase = {
	readonly sql: DatabaseSync;
	/** True if the path still refers to the opened file. */
	isCurrent(): boolean;
	close(): void;
};

/**
 * Opens the database of a namespace for reading; undefined if it does not exist. Takes no lock that blocks a
 * writer. If the folder is read-only, so that SQLite cannot share memory with writers, a copy is read.
 */
export function openForReading(file: string): OpenDatabase | undefined {
	if (!checkDatabaseFile(file)) return undefined;
	try {
		return openReadOnly(file, file, () => {});
	} catch (error) {
		if (!isOpenError(error) || !existsSync(file)) throw error;
		return openCopy(file, error);
	}
}

/** Opens the database of a namespace for writing, creating it and its folder if necessary. */
export function openForWriting(file: string): OpenDatabase {
	checkDatabaseFile(file);
	makeFolder(dirname(file));
	const sql = new DatabaseSync(file);
	try {
		sql.exec(`PRAGMA busy_timeout = ${writerPatienceMs}`);
		// In WAL mode this survives the death of the process, and syncs only at checkpoints.
		sql.exec('PRAGMA synchronous = NORMAL');
		if (!hasSchema(sql)) {
			sql.exec('PRAGMA journal_mode = WAL');
			sql.exec(`BEGIN IMMEDIATE; ${schema} COMMIT`);
		}
		return {sql, isCurrent: createFileCheck(file), close: () => sql.close()};
	} catch (error) {
		sql.close();
		throw error;
	}
}

/**
 * Returns whether the database exists. Fails with `local_store_damaged` if the database, its log or a parent
 * folder is a link or a special file (SQLite follows links), and with a system error if that cannot be
 * determined.
 */
function checkDatabaseFile(file: string): boolean {
	const folder = dirname(file);
	refuseLinks(dirname(folder), folder);
	for (const suffix of ['-wal', '-shm']) checkRegularFile(`${file}${suffix}`);
	return checkRegularFile(file);
}

/** True if the database contains a namespace. */
export const hasSchema = (sql: DatabaseSync): boolean =>
	sql.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = '_mf_entries'").get() !==
	undefined;

/**
 * Opens a file for reading. `originalFile`: the file that `isCurrent` checks, which differs from `file` for a
 * copy.
 */
function openReadOnly(file: string, originalFile: string, onClose: () => void): OpenDatabase {
	const sql = new DatabaseSync(file, {readOnly: true});
	try {
		sql.exec(`PRAGMA busy_timeout = ${readerPatienceMs}; PRAGMA cache_size = -${readerCacheKib}`);
		// Opening reads nothing; the first query shows whether the file is readable.
		sql.prepare('SELECT 1 FROM sqlite_schema').get();
	} catch (error) {
		sql.close();
		throw error;
	}
	const close = () => {
		sql.close();
		onClose();
	};
	return {sql, isCurrent: createFileCheck(originalFile), close};
}

/**
 * Opens a private copy of the database and its log. Unlike `immutable=1`, this includes what only the log
 * contains.
 */
function openCopy(file: string, openError: unknown): OpenDatabase {
	// Existing shared memory means that a writer may be active: a copy could be torn.
	if (existsSync(`${file}-shm`)) throw openError;
	const folder = mkdtempSync(join(tmpdir(), 'ledge-'));
	const remove = () => rmSync(folder, {recursive: true, force: true});
	try {
		const copy = join(folder, basename(file));
		copyFileSync(file, copy);
		if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`);
		return openReadOnly(copy, file, remove);
	} catch (error) {
		remove();
		throw error;
	}
}

function createFileCheck(file: string): () => boolean {
	const openedStats = statSync(file);
	return () => {
		const currentStats = statSync(file, {throwIfNoEntry: false});
		return (
			currentStats !== undefined &&
			currentStats.ino === openedStats.ino &&
			currentStats.dev === openedStats.dev
		);
	};
}
