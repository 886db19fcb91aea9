import {chmodSync, closeSync, mkdirSync, openSync, rmSync, statSync} from 'node:fs';
import {dirname} from 'node:path';
import {DatabaseSync, type StatementSync} from 'node:sqlite';
import {getSystemCode, SimulatorError} from '../http/error.ts';

/** Increases with changes of the tables or of the content of a new world. */
const schemaVersion = 3;
/** `ledg` in ASCII: marks the file as a world of ledge. */
const applicationId = 0x6c656467;

const busyTimeoutMs = 10_000;

// Keys are blobs, so that they sort by their UTF-8 bytes. The value is the last column: listings never read
// it.
const tableDefinitions = `
CREATE TABLE namespaces (
	number INTEGER PRIMARY KEY,
	id TEXT NOT NULL UNIQUE,
	title TEXT NOT NULL UNIQUE,
	jurisdiction TEXT,
	sample TEXT
);
CREATE TABLE entries (
	namespace INTEGER NOT NULL,
	key BLOB NOT NULL,
	expiration INTEGER,
	metadata TEXT,
	value BLOB NOT NULL,
	PRIMARY KEY (namespace, key)
) WITHOUT ROWID;
CREATE INDEX entries_expiration ON entries (expiration) WHERE expiration IS NOT NULL;
CREATE TABLE resources (
	number INTEGER PRIMARY KEY,
	kind TEXT NOT NULL,
	parent TEXT NOT NULL,
	id TEXT NOT NULL,
	body TEXT NOT NULL,
	UNIQUE (kind, parent, id)
);
`;

/**
 * Converts an error of opening a world. A file that could not be opened is not reported as damaged: replacing
 * it would lose its content.
 */
function toOpenError(file: string, error: unknown): SimulatorError {
	if (error instanceof SimulatorError) return error;
	if (!isOpenError(error))
		return createUnusableError(file, 'It is damaged, or not a simulated world.', error);
	return new SimulatorError('file_failed', `The simulated world ${file} could not be opened.`, {
		why: error instanceof Error ? error.message : String(error),
		next: 'Check the permissions of the file and its folder, and how many files may be open (`ulimit -n`).',
		cause: error,
	});
}

/** The tables of the simulated service, in a file that several processes may share, or in memory. */
export class WorldDatabase {
	readonly #connection: DatabaseSync;
	readonly #statements = new Map<string, StatementSync>();
	#transactionDepth = 0;
	#isClosed = false;

	/** `populate` fills a new world, in the transaction that creates it. */
	constructor(file: string | undefined, populate: (database: WorldDatabase) => void) {
		this.#connection = file === undefined ? new DatabaseSync(':memory:') : openDatabaseFile(file);
		try {
			this.#connection.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
			if (this.#isNew(file)) this.#create(file, populate);
			if (file !== undefined) this.#connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
		} catch (error) {
			this.#connection.close();
			throw toOpenError(file ?? ':memory:', error);
		}
	}

	/** Prepares a statement, or returns the same one for the same text. */
	prepare(sql: string): StatementSync {
		const cachedStatement = this.#statements.get(sql);
		if (cachedStatement) return cachedStatement;
		const statement = this.#connection.prepare(sql);
		this.#statements.set(sql, statement);
		return statement;
	}

	/** Runs `work` in a transaction that excludes other writers; a nested call joins it. */
	runTransaction<T>(work: () => T): T {
		if (this.#transactionDepth > 0) return work();
		this.#connection.exec('BEGIN IMMEDIATE');
		this.#transactionDepth = 1;
		try {
			const result = work();
			this.#connection.exec('COMMIT');
			return result;
		} catch (error) {
			this.#connection.exec('ROLLBACK');
			throw error;
		} finally {
			this.#transactionDepth = 0;
		}
	}

	/** Empties every table. */
	clear(): void {
		this.#connection.exec('DELETE FROM entries; DELETE FROM namespaces; DELETE FROM resources');
	}

	/** Closes the database; does nothing if already closed. */
	close(): void {
		if (this.#isClosed) return;
		this.#isClosed = true;
		this.#connection.close();
	}

	/** True if the database is empty; throws if it is anything but a world of this version. */
	#isNew(file: string | undefined): boolean {
		const foundId = this.#readPragma('application_id');
		if (foundId === 0 && this.#isEmpty()) return true;
		if (foundId !== applicationId) throw createUnusableError(file ?? '', 'It is not a world of ledge.');
		const foundVersion = this.#readPragma('user_version');
		if (foundVersion !== schemaVersion)
			throw createUnusableError(
				file ?? '',
				`It has version ${foundVersion}; this ledge works with version ${schemaVersion}.`,
			);
		return false;
	}

	#create(file: string | undefined, populate: (database: WorldDatabase) => void): void {
		this.runTransaction(() => {
			// Another process may have created it while this one waited for the lock.
			if (!this.#isNew(file)) return;
			this.#connection.exec(tableDefinitions);
			populate(this);
			this.#connection.exec(
				`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion}`,
			);
		});
	}

	#readPragma(pragma: 'application_id' | 'user_version'): number {
		return Number(this.#connection.prepare(`PRAGMA ${pragma}`).get()?.[pragma]);
	}

	#isEmpty(): boolean {
		return this.#connection.prepare('SELECT count(*) AS count FROM sqlite_schema').get()?.count === 0;
	}
}

/** Removes the file of a world and SQLite's files beside it, if they exist. */
export function removeWorldFile(file: string): void {
	for (const suffix of ['', '-wal', '-shm', '-journal']) removeIfPresent(`${file}${suffix}`);
}

/** Removes a file if it exists; does nothing if its path runs through a file instead of a folder. */
function removeIfPresent(file: string): void {
	try {
		rmSync(file, {force: true});
	} catch (error) {
		if (getSystemCode(error) !== 'ENOTDIR') throw error;
	}
}

/**
 * Creates a folder and its parents. Node's `recursive` hangs below `/proc`, where the system reports ENOENT.
 */
function makeFolder(path: string): void {
	const tryMake = (): boolean => {
		try {
			mkdirSync(path, {mode: 0o700});
		} catch (error) {
			if (getSystemCode(error) === 'ENOENT') return false;
			if (!statSync(path, {throwIfNoEntry: false})?.isDirectory()) throw error;
		}
		return true;
	};
	if (tryMake() || dirname(path) === path) return;
	makeFolder(dirname(path));
	// Throws the ENOENT that `tryMake` hides.
	if (!tryMake()) mkdirSync(path, {mode: 0o700});
}

/** Primary result codes of SQLite for a file that could not be opened: PERM, READONLY, CANTOPEN. */
const openErrorCodes: readonly number[] = [3, 8, 14];

const isOpenError = (error: unknown): boolean =>
	error instanceof Error &&
	'errcode' in error &&
	typeof error.errcode === 'number' &&
	openErrorCodes.includes(error.errcode & 0xff);

/**
 * Opens a file. Creates it first, because SQLite gives its auxiliary files the permissions of the main file.
 */
function openDatabaseFile(file: string): DatabaseSync {
	try {
		makeFolder(dirname(file));
		closeSync(openSync(file, 'a', 0o600));
		chmodSync(file, 0o600);
		return new DatabaseSync(file);
	} catch (error) {
		throw new SimulatorError('file_failed', `The simulated world ${file} cannot be opened.`, {
			why: error instanceof Error ? error.message : String(error),
			next: 'Name another file with --state, or make that one writable.',
			cause: error,
		});
	}
}

const createUnusableError = (file: string, why: string, cause?: unknown): SimulatorError =>
	new SimulatorError('world_unusable', `The simulated world ${file} cannot be used.`, {
		why: cause instanceof Error ? `${why} (${cause.message})` : why,
		next: `Start a new one with \`ledge simulate --reset --state "${file}"\`.`,
		...(cause !== undefined && {cause}),
	});
