import {type Dirent, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {isAbsentError, toLocalFailure} from './failures.ts';
import {
	computeDatabaseName,
	getDatabasesFolder,
	getStoresFolder,
	isDatabaseName,
	toBlobFolderName,
} from './naming.ts';

/** Name prefix of folders for set-aside orphans, which are not blob folders. wrangler ignores them. */
export const orphanFolderPrefix = '.ledge-orphans-';

/** A database file, and its namespace id if known. */
export type DatabaseFile = {readonly file: string; readonly namespace?: string};

/** Lists a folder; empty if it does not exist. */
export function readFolderEntries(folder: string): Dirent[] {
	try {
		return readdirSync(folder, {withFileTypes: true});
	} catch (error) {
		if (isAbsentError(error)) return [];
		throw toLocalFailure(error, folder, 'read');
	}
}

/** Ignores links: their targets are not part of the local data. */
const isBlobFolder = (entry: Dirent): boolean => entry.name === 'blobs' && entry.isDirectory();

/** Lists the names of blob folders under a root (`…/v3`). */
export function listBlobFolders(root: string): string[] {
	const folders = readFolderEntries(getStoresFolder(root)).filter(
		entry => entry.isDirectory() && !entry.name.startsWith(orphanFolderPrefix),
	);
	return folders
		.map(entry => entry.name)
		.filter(name => readFolderEntries(join(getStoresFolder(root), name)).some(isBlobFolder))
		.sort();
}

/**
 * Lists the databases under a root. File names do not reveal namespace ids; an id is known if a configuration
 * contains it (`ids`), or if its blob folder is named exactly so.
 */
export function listDatabaseFiles(root: string, ids: readonly string[]): DatabaseFile[] {
	const names = readFolderEntries(getDatabasesFolder(root))
		.filter(entry => entry.isFile() && entry.name.endsWith('.sqlite'))
		.map(entry => entry.name)
		.sort();
	const idsByName = matchDatabaseIds(names, [...listBlobFolders(root), ...ids]);
	return names.map(name => {
		const namespace = idsByName.get(name);
		const file = join(getDatabasesFolder(root), name);
		return namespace === undefined ? {file} : {file, namespace};
	});
}

/**
 * Matches databases to the given ids. Stops when all are matched, because computing a database name takes
 * time.
 */
function matchDatabaseIds(names: readonly string[], ids: readonly string[]): ReadonlyMap<string, string> {
	const unmatchedNames = new Set(names.filter(isDatabaseName));
	const idsByName = new Map<string, string>();
	for (const id of ids) {
		if (unmatchedNames.size === 0) break;
		const name = computeDatabaseName(id);
		if (id !== '' && unmatchedNames.delete(name)) idsByName.set(name, id);
	}
	return idsByName;
}

export const ownsBlobFolder = (database: DatabaseFile, folder: string): boolean =>
	database.namespace === undefined || toBlobFolderName(database.namespace) === folder;
