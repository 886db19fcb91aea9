import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {isJsonObject, type JsonValue, parseJsonText} from '../text/json.ts';
import {computeSha256} from '../text/sha256.ts';
import {
	type Environment,
	getStateDirectory,
	openStateDirectory,
	removeIfPresent,
	writePrivateFile,
} from './directory.ts';

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

const getRecentFileName = (scope: string): string =>
	`recent-${computeSha256(Buffer.from(scope)).toString('hex').slice(0, 16)}.json`;

/** Reads the list of a service and account; empty if missing or unreadable. */
export function readRecents(environment: Environment, scope: string): readonly Recent[] {
	const root = getStateDirectory(environment);
	if (root === undefined) return [];
	try {
		const json = parseJsonText(readFileSync(join(root, getRecentFileName(scope)), 'utf8'));
		return Array.isArray(json) ? json.flatMap(parseRecent).slice(0, maxRecents) : [];
	} catch {
		// Nothing depends on it: a damaged file is rewritten.
		return [];
	}
}

function parseRecent(json: JsonValue): readonly Recent[] {
	if (!isJsonObject(json) || typeof json.id !== 'string') return [];
	const {kind, id, name, where, title, filter} = json;
	if (kind === 'zone' && typeof name === 'string') return [{kind, id, name}];
	const isKnownTarget = where === 'remote' || where === 'local';
	if (kind !== 'namespace' || !isKnownTarget || typeof title !== 'string' || typeof filter !== 'string')
		return [];
	return [{kind, where, id, title, filter}];
}

/**
 * Stores the list of a service and account in a file of mode 0600; an empty list removes the file. Fails with
 * `file_failed`.
 */
export function storeRecents(environment: Environment, scope: string, recents: readonly Recent[]): void {
	const path = join(openStateDirectory(environment), getRecentFileName(scope));
	if (recents.length === 0) removeIfPresent(path);
	else writePrivateFile(path, JSON.stringify(recents));
}
