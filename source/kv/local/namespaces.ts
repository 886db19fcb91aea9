import {hasSchema, type OpenDatabase, openForReading} from './database.ts';
import {countEntries} from './entries.ts';
import {localFailure} from './failures.ts';
import {type DatabaseFile, databaseFiles} from './inventory.ts';

/** A namespace of the local data. Without `namespace` its id is unknown: the file name does not reveal it. */
export type LocalNamespace = DatabaseFile & {
	/** Number of keys that have not expired. */
	readonly keys: number;
};

/**
 * Lists the namespaces under a root (`…/v3`) with their number of keys. Ids come from folder names and `ids`.
 * Fails with `local_store_damaged`.
 */
export function localNamespaces(
	root: string,
	ids: readonly string[] = [],
	now: number = Date.now(),
): LocalNamespace[] {
	return databaseFiles(root, ids).flatMap(database => {
		const keys = keysIn(database.file, now);
		return keys === undefined ? [] : [{...database, keys}];
	});
}

/** Counts the keys of a database; undefined if it holds no namespace, such as wrangler's own bookkeeping. */
function keysIn(file: string, now: number): number | undefined {
	let open: OpenDatabase | undefined;
	try {
		open = openForReading(file);
		return open && hasSchema(open.sql) ? countEntries(open.sql, now) : undefined;
	} catch (error) {
		throw localFailure(error, file, 'read');
	} finally {
		open?.close();
	}
}
