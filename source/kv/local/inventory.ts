import {type Dirent, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {isAbsent, localFailure} from './failures.ts';
import {blobFolderName, databaseName, databasesFolder, isDatabaseName, storesFolder} from './naming.ts';

/** Name prefix of folders for set-aside orphans, which are not blob folders. wrangler ignores them. */
export const asidePrefix = '.ledge-orphans-';

/** A database file, and its namespace id if known. */
export type DatabaseFile = {readonly file: string; readonly namespace?: string};

/** Lists a folder; empty if it does not exist. */
export function contentsOf(folder: string): Dirent[] {
	try {
		return readdirSync(folder, {withFileTypes: true});
	} catch (error) {
		if (isAbsent(error)) return [];
		throw localFailure(error, folder, 'read');
	}
}

/** Ignores links: their targets are not part of the local data. */
const isBlobFolder = (entry: Dirent): boolean => entry.name === 'blobs' && entry.isDirectory();

/** Lists the names of blob folders under a root (`…/v3`). */
export function blobFolders(root: string): string[] {
	const folders = contentsOf(storesFolder(root)).filter(
		entry => entry.isDirectory() && !entry.name.startsWith(asidePrefix),
	);
	return folders
		.map(entry => entry.name)
		.filter(name => contentsOf(join(storesFolder(root), name)).some(isBlobFolder))
		.sort();
}

/**
 * Lists the databases under a root. File names do not reveal namespace ids; an id is known if a configuration
 * contains it (`ids`), or if its blob folder is named exactly so.
 */
export function databaseFiles(root: string, ids: readonly string[]): DatabaseFile[] {
	const names = contentsOf(databasesFolder(root))
		.filter(entry => entry.isFile() && entry.name.endsWith('.sqlite'))
		.map(entry => entry.name)
		.sort();
	const known = findNamespaces(names, [...blobFolders(root), ...ids]);
	return names.map(name => {
		const namespace = known.get(name);
		const file = join(databasesFolder(root), name);
		return namespace === undefined ? {file} : {file, namespace};
	});
}

/**
 * Matches databases to the given ids. Stops when all are matched, because computing a database name takes
 * time.
 */
function findNamespaces(names: readonly string[], ids: readonly string[]): ReadonlyMap<string, string> {
	const sought = new Set(names.filter(isDatabaseName));
	const found = new Map<string, string>();
	for (const id of ids) {
		if (sought.size === 0) break;
		const name = databaseName(id);
		if (id !== '' && sought.delete(name)) found.set(name, id);
	}
	return found;
}

export const keepsBlobsIn = (database: DatabaseFile, folder: string): boolean =>
	database.namespace === undefined || blobFolderName(database.namespace) === folder;
