import {type Dirent, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {isAbsent, localFailure} from './failures.ts';
import {blobFolderName, databaseName, databasesFolder, isDatabaseName, storesFolder} from './naming.ts';

/** Where orphans are moved to begins with this: no folder of blobs, then. wrangler looks at no such folder. */
export const asidePrefix = '.ledge-orphans-';

/** A database under a root, and the namespace id if one is known whose database this is. */
export type DatabaseFile = {readonly file: string; readonly namespace?: string};

/** What is in a folder; nothing, if there is none. */
export function contentsOf(folder: string): Dirent[] {
	try {
		return readdirSync(folder, {withFileTypes: true});
	} catch (error) {
		if (isAbsent(error)) return [];
		throw localFailure(error, folder, 'read');
	}
}

/** A link is not followed: what it leads to is not part of the local data. */
const isBlobFolder = (entry: Dirent): boolean => entry.name === 'blobs' && entry.isDirectory();

/** The names of the folders that hold blobs, under a root (`…/v3`). */
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
 * The databases under a root. A file's name does not tell the namespace id; an id is known when a configuration
 * names it (`ids`), or when the folder of its blobs bears it unchanged.
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

/** The id of the namespace of each database, where it is among those given. Ends when all are found: the name of a database takes time to compute. */
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
