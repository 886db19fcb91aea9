import {picklist, string} from 'valibot';
import {ignoreInvalid, parseOrUndefined, pickFields, type Schema} from '../text/schema.ts';
import type {Environment} from './directory.ts';
import {readScopedFile, storeScopedFile} from './scoped-file.ts';

/** The screen on which ledge was left, with the ids and names that find it again. Never a value. */
export type LastPlace = {
	readonly screen: string;
	/** Of a namespace or the list of namespaces. */
	readonly where?: 'remote' | 'local' | undefined;
	/** Id and name of a zone or namespace. */
	readonly id?: string | undefined;
	readonly name?: string | undefined;
	/** Filter of a list of keys, the row under its cursor, and the open key. */
	readonly filter?: string | undefined;
	readonly cursorName?: string | undefined;
	readonly key?: string | undefined;
};

const lastPlaceFields: Schema<LastPlace> = pickFields({
	screen: string(),
	where: ignoreInvalid(picklist(['remote', 'local'])),
	id: ignoreInvalid(string()),
	name: ignoreInvalid(string()),
	filter: ignoreInvalid(string()),
	cursorName: ignoreInvalid(string()),
	key: ignoreInvalid(string()),
});

/** Reads where ledge was left in a scope, such as a service and context; undefined if that is not stored. */
export const readLastPlace = (environment: Environment, scope: string): LastPlace | undefined =>
	parseOrUndefined(lastPlaceFields, readScopedFile(environment, {kind: 'last', scope}));

/** Stores where ledge is left, in a file of mode 0600. Fails with `file_failed`. */
export const storeLastPlace = (environment: Environment, scope: string, place: LastPlace): void =>
	storeScopedFile(environment, {kind: 'last', scope}, place);
