import {join} from 'node:path';
import type {DatabaseSync} from 'node:sqlite';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {createInterruptedFailure} from '../../failure.ts';
import {isPlainName} from './blobs.ts';
import {hasSchema, type OpenDatabase, openForReading} from './database.ts';
import {EntryReader} from './entries.ts';
import {toLocalFailure} from './failures.ts';
import {
	type DatabaseFile,
	listBlobFolders,
	listDatabaseFiles,
	ownsBlobFolder,
	readFolderEntries,
} from './inventory.ts';
import {readLinkStatus} from './link-checks.ts';
import {getStoresFolder, isBlobId} from './naming.ts';

/** Minimum age of an orphan in milliseconds. A row for a younger blob may be about to be written. */
const minOrphanAgeMs = 24 * 60 * 60 * 1000;

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
	/** The reason why orphans are unknown: a database that cannot be read completely may reference any blob. */
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
	const folders = new Map(listBlobFolders(root).map(folder => [folder, listBlobs(root, folder)] as const));
	const databases: CheckedDatabase[] = [];
	let unsoundDatabase: DatabaseFile | undefined;
	const lost: LostValue[] = [];
	const referencedBlobs = new Set<string>();
	for (const database of listDatabaseFiles(root, ids)) {
		// Checking one database blocks, so interruptions are handled between two.
		await nextTurn();
		if (signal.aborted) throw createInterruptedFailure();
		const {checkedDatabase, isSound} = checkDatabase(database, root, folders, referencedBlobs, lost);
		databases.push(checkedDatabase);
		if (!isSound) unsoundDatabase ??= database;
	}
	const orphanCandidates = [...folders].flatMap(([folder, blobs]) =>
		[...blobs].filter(blob => !referencedBlobs.has(blob)).flatMap(blob => findOrphan(root, folder, blob)),
	);
	const oldOrphans = orphanCandidates.filter(orphan => now() - orphan.modified > minOrphanAgeMs);
	const report = {root, databases, lost, young: orphanCandidates.length - oldOrphans.length};
	if (!unsoundDatabase) return {...report, orphans: oldOrphans};
	return {
		...report,
		orphans: [],
		orphansUnknown: `${unsoundDatabase.file} cannot be trusted, and may refer to any blob.`,
	};
}

const getBlobPath = (root: string, folder: string, blob: string): string =>
	join(getStoresFolder(root), folder, 'blobs', blob);

/** Lists the blobs in a folder, ignoring other files. */
const listBlobs = (root: string, folder: string): Set<string> =>
	new Set(
		readFolderEntries(join(getStoresFolder(root), folder, 'blobs'))
			.filter(entry => entry.isFile() && isBlobId(entry.name))
			.map(entry => entry.name),
	);

function findOrphan(root: string, folder: string, blob: string): Orphan[] {
	const file = getBlobPath(root, folder, blob);
	const status = readLinkStatus(file);
	return status?.isFile() ? [{file, folder, bytes: status.size, modified: status.mtimeMs}] : [];
}

/** Problems to list individually; integrity_check has the same limit. */
const maxProblems = 100;

/**
 * Checks one database; adds referenced blobs to `referencedBlobs`, and keys without a value to `lost`.
 * `isSound` is true if all rows were read and SQLite reports no damage.
 */
function checkDatabase(
	database: DatabaseFile,
	root: string,
	listedBlobs: ReadonlyMap<string, ReadonlySet<string>>,
	referencedBlobs: Set<string>,
	lost: LostValue[],
): {readonly checkedDatabase: CheckedDatabase; readonly isSound: boolean} {
	let openedDatabase: OpenDatabase | undefined;
	let keys = 0;
	try {
		openedDatabase = openForReading(database.file);
		if (!openedDatabase) return {checkedDatabase: {...database, keys, problems: []}, isSound: true};
		const problems = listIntegrityProblems(openedDatabase.sql);
		const isSound = problems.length === 0;
		if (hasSchema(openedDatabase.sql)) {
			const reader = new EntryReader(openedDatabase.sql, database.file);
			let unlistedCount = 0;
			for (const {key, blobId, problems: rowProblems, isCurrent} of reader.readRows()) {
				keys++;
				referencedBlobs.add(blobId);
				for (const problem of rowProblems)
					if (problems.length < maxProblems) problems.push(`the key ${JSON.stringify(key)} ${problem}`);
					else unlistedCount++;
				const isLost =
					!wasListed(listedBlobs, database, blobId) &&
					!hasReadableBlob(root, database, blobId) &&
					isCurrent();
				if (isLost) lost.push({...database, key, blob: blobId});
			}
			if (unlistedCount > 0) problems.push(`and ${unlistedCount} more`);
		}
		return {checkedDatabase: {...database, keys, problems}, isSound};
	} catch (error) {
		const failure = toLocalFailure(error, database.file, 'read');
		const problems = [failure.details.why ?? failure.message];
		return {checkedDatabase: {...database, keys, problems}, isSound: false};
	} finally {
		openedDatabase?.close();
	}
}

const wasListed = (
	listedBlobs: ReadonlyMap<string, ReadonlySet<string>>,
	database: DatabaseFile,
	blob: string,
): boolean => [...listedBlobs].some(([folder, blobs]) => ownsBlobFolder(database, folder) && blobs.has(blob));

/** True if the blob exists now: it may be newer than the listing, or have a name of another kind. */
const hasReadableBlob = (root: string, database: DatabaseFile, blob: string): boolean =>
	isPlainName(blob) &&
	listBlobFolders(root).some(
		folder =>
			ownsBlobFolder(database, folder) && readLinkStatus(getBlobPath(root, folder, blob))?.isFile() === true,
	);

/** Lists the integrity errors SQLite reports, up to its own limit of 100. */
const listIntegrityProblems = (sql: DatabaseSync): string[] =>
	sql
		.prepare('PRAGMA integrity_check')
		.all()
		.map(row => String(row.integrity_check))
		.filter(line => line !== 'ok');
