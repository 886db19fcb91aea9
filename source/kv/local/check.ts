import {join} from 'node:path';
import type {DatabaseSync} from 'node:sqlite';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {interrupted} from '../../failure.ts';
import {isPlainName} from './blobs.ts';
import {hasSchema, type OpenDatabase, openForReading} from './database.ts';
import {EntryReader} from './entries.ts';
import {localFailure} from './failures.ts';
import {statusOf} from './inside.ts';
import {blobFolders, contentsOf, type DatabaseFile, databaseFiles, keepsBlobsIn} from './inventory.ts';
import {isBlobId, storesFolder} from './naming.ts';

/** Younger blobs may be about to get a row. Milliseconds. */
const orphanAge = 24 * 60 * 60 * 1000;

/** A database and its problems: messages of SQLite, and unreadable rows; none if it is sound. */
type CheckedDatabase = DatabaseFile & {
	readonly keys: number;
	readonly problems: readonly string[];
};

/** A key whose value cannot be read: its file does not exist, or is not a regular file. */
type LostValue = DatabaseFile & {readonly key: string; readonly blob: string};

/** A blob that no database references. `modified` in milliseconds since the epoch. */
export type Orphan = {
	readonly file: string;
	/** The namespace's folder in the store. */
	readonly folder: string;
	readonly bytes: number;
	readonly modified: number;
};

export type StoreReport = {
	readonly root: string;
	readonly databases: readonly CheckedDatabase[];
	readonly lost: readonly LostValue[];
	readonly orphans: readonly Orphan[];
	/** Unreferenced blobs younger than 24 hours. */
	readonly young: number;
	/** Why orphans are unknown: a database that cannot be read fully may reference any blob. */
	readonly orphansUnknown?: string;
};

/**
 * Checks the local data under a root (`…/v3`) without changing it: database integrity, keys with lost values,
 * unreferenced blobs. Safe beside a running dev server: blobs are listed before rows are read, and a value
 * that looks lost is checked twice.
 */
export async function checkLocalData(options: {
	readonly root: string;
	/** Namespace ids in the configuration. */
	readonly ids?: readonly string[];
	readonly now?: () => number;
	readonly signal: AbortSignal;
}): Promise<StoreReport> {
	const {root, ids = [], now = Date.now, signal} = options;
	const folders = new Map(blobFolders(root).map(folder => [folder, blobsIn(root, folder)] as const));
	const databases: CheckedDatabase[] = [];
	let unsound: DatabaseFile | undefined;
	const lost: LostValue[] = [];
	const named = new Set<string>();
	for (const database of databaseFiles(root, ids)) {
		// Checking one database blocks, so interruptions are handled between two.
		await nextTurn();
		if (signal.aborted) throw interrupted();
		const {checked, isWhole} = checkDatabase(database, root, folders, named, lost);
		databases.push(checked);
		if (!isWhole) unsound ??= database;
	}
	const unnamed = [...folders].flatMap(([folder, blobs]) =>
		[...blobs].filter(blob => !named.has(blob)).flatMap(blob => orphanOf(root, folder, blob)),
	);
	const old = unnamed.filter(orphan => now() - orphan.modified > orphanAge);
	const report = {root, databases, lost, young: unnamed.length - old.length};
	if (!unsound) return {...report, orphans: old};
	return {
		...report,
		orphans: [],
		orphansUnknown: `${unsound.file} cannot be trusted, and may name any blob.`,
	};
}

const blobFile = (root: string, folder: string, blob: string): string =>
	join(storesFolder(root), folder, 'blobs', blob);

/** Lists the blobs in a folder, ignoring other files. */
const blobsIn = (root: string, folder: string): Set<string> =>
	new Set(
		contentsOf(join(storesFolder(root), folder, 'blobs'))
			.filter(entry => entry.isFile() && isBlobId(entry.name))
			.map(entry => entry.name),
	);

function orphanOf(root: string, folder: string, blob: string): Orphan[] {
	const file = blobFile(root, folder, blob);
	const status = statusOf(file);
	return status?.isFile() ? [{file, folder, bytes: status.size, modified: status.mtimeMs}] : [];
}

/** Problems to list individually; integrity_check has the same limit. */
const mostProblems = 100;

/**
 * Checks one database; adds referenced blobs to `named`, and keys without a value to `lost`. `isWhole` if all
 * rows were read and SQLite reports no damage.
 */
function checkDatabase(
	database: DatabaseFile,
	root: string,
	listed: ReadonlyMap<string, ReadonlySet<string>>,
	named: Set<string>,
	lost: LostValue[],
): {readonly checked: CheckedDatabase; readonly isWhole: boolean} {
	let open: OpenDatabase | undefined;
	let keys = 0;
	try {
		open = openForReading(database.file);
		if (!open) return {checked: {...database, keys, problems: []}, isWhole: true};
		const problems = integrityProblems(open.sql);
		const isWhole = problems.length === 0;
		if (hasSchema(open.sql)) {
			const reader = new EntryReader(open.sql, database.file);
			let unnamed = 0;
			for (const {key, blob, problems: wrong, isCurrent} of reader.rows()) {
				keys++;
				named.add(blob);
				for (const what of wrong)
					if (problems.length < mostProblems) problems.push(`the key ${JSON.stringify(key)} ${what}`);
					else unnamed++;
				const isLost = !wasListed(listed, database, blob) && !isThere(root, database, blob) && isCurrent();
				if (isLost) lost.push({...database, key, blob});
			}
			if (unnamed > 0) problems.push(`and ${unnamed} more`);
		}
		return {checked: {...database, keys, problems}, isWhole};
	} catch (error) {
		const failure = localFailure(error, database.file, 'read');
		const problems = [failure.details.why ?? failure.message];
		return {checked: {...database, keys, problems}, isWhole: false};
	} finally {
		open?.close();
	}
}

const wasListed = (
	listed: ReadonlyMap<string, ReadonlySet<string>>,
	database: DatabaseFile,
	blob: string,
): boolean => [...listed].some(([folder, blobs]) => keepsBlobsIn(database, folder) && blobs.has(blob));

/** True if the blob exists now: it may be newer than the listing, or have a name of another kind. */
const isThere = (root: string, database: DatabaseFile, blob: string): boolean =>
	isPlainName(blob) &&
	blobFolders(root).some(
		folder => keepsBlobsIn(database, folder) && statusOf(blobFile(root, folder, blob))?.isFile() === true,
	);

/** Lists the integrity errors SQLite reports, up to its own limit of 100. */
const integrityProblems = (sql: DatabaseSync): string[] =>
	sql
		.prepare('PRAGMA integrity_check')
		.all()
		.map(row => String(row.integrity_check))
		.filter(line => line !== 'ok');
