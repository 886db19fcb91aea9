import {hasSchema, type OpenDatabase, openForReading} from './database.ts';
import {countLiveEntries} from './entries.ts';
import {toLocalFailure} from './failures.ts';
import {type DatabaseFile, listDatabaseFiles} from './inventory.ts';

/** A namespace of the local data. Without `namespace` its id is unknown: the file name does not reveal it. */
export type LocalNamespace = DatabaseFile & {
	/** Number of keys that have not expired. */
	readonly keys: number;
};

/**
 * Lists the namespaces under a root (`…/v3`) with their number of keys. Ids come from folder names and `ids`.
 * Fails with `local_store_damaged`.
 */
export function listLocalNamespaces(
	root: string,
	ids: readonly string[] = [],
	now: number = Date.now(),
): LocalNamespace[] {
	return listDatabaseFiles(root, ids).flatMap(database => {
		const keys = countDatabaseKeys(database.file, now);
		return keys === undefined ? [] : [{...database, keys}];
	});
}

/** Counts the keys of a database; undefined if it holds no namespace, such as wrangler's own bookkeeping. */
function countDatabaseKeys(file: string, now: number): number | undefined {
	let openedDatabase: OpenDatabase | undefined;
	try {
		openedDatabase = openForReading(file);
		return openedDatabase && hasSchema(openedDatabase.sql)
			? countLiveEntries(openedDatabase.sql, now)
			: undefined;
	} catch (error) {
		throw toLocalFailure(error, file, 'read');
	} finally {
		openedDatabase?.close();
	}
}
