import {literal, picklist, string, union} from 'valibot';
import type {JsonValue} from '../text/json.ts';
import {parseOrUndefined, pickFields} from '../text/schema.ts';
import type {Environment} from './directory.ts';
import {readScopedFile, storeScopedFile} from './scoped-file.ts';

/** A recently opened zone, or namespace with its key filter. Never a value. */
export type Recent =
	| {
			readonly kind: 'namespace';
			readonly where: 'remote' | 'local';
			readonly id: string;
			readonly title: string;
			readonly filter: string;
	  }
	| {readonly kind: 'zone'; readonly id: string; readonly name: string};

const maxRecents = 8;

/** Puts an entry first and removes its duplicates (same zone, or same namespace and filter). */
export const withRecent = (recents: readonly Recent[], recent: Recent): readonly Recent[] =>
	[recent, ...recents.filter(one => !isSameRecent(one, recent))].slice(0, maxRecents);

/** True for the same zone, or the same namespace and filter. */
export const isSameRecent = (one: Recent, other: Recent): boolean =>
	one.kind === other.kind &&
	one.id === other.id &&
	(one.kind !== 'namespace' ||
		(other.kind === 'namespace' && one.where === other.where && one.filter === other.filter));

const recentFields = union([
	pickFields({kind: literal('zone'), id: string(), name: string()}),
	pickFields({
		kind: literal('namespace'),
		where: picklist(['remote', 'local']),
		id: string(),
		title: string(),
		filter: string(),
	}),
]);

/** Parses a stored list. Leaves out entries of other versions; empty if it is no list. */
export const parseRecents = (json: JsonValue | undefined): readonly Recent[] =>
	Array.isArray(json) ? json.flatMap(entry => parseOrUndefined(recentFields, entry) ?? []) : [];

/** Reads the list of a service and account; empty if missing or unreadable. */
export const readRecents = (environment: Environment, scope: string): readonly Recent[] =>
	parseRecents(readScopedFile(environment, {kind: 'recent', scope})).slice(0, maxRecents);

/**
 * Stores the list of a service and account in a file of mode 0600; an empty list removes the file. Fails with
 * `file_failed`.
 */
export const storeRecents = (environment: Environment, scope: string, recents: readonly Recent[]): void =>
	storeScopedFile(environment, {kind: 'recent', scope}, recents.length === 0 ? undefined : recents);
