import {existsSync, readdirSync, statSync} from 'node:fs';
import {dirname, join, resolve, sep} from 'node:path';
import {nameKey} from '../../keyboard/named-keys.ts';
import {getPartPath} from '../../kv/transfer/export-file.ts';
import {expandHome} from '../../settings/home-folder.ts';

type PathContext = {readonly cwd: string; readonly home: string | undefined};

/** Resolves a typed path: relative to the working folder, `~` for the home folder. */
export function resolveTypedPath(typedPath: string, {cwd, home}: PathContext): string {
	return resolve(cwd, expandHome(typedPath.trim(), home));
}

/** Replaces the home folder by `~`. */
export const abbreviateHome = (path: string, home: string | undefined): string =>
	home && (path === home || path.startsWith(`${home}${sep}`)) ? `~${path.slice(home.length)}` : path;

/** Returns what is wrong with the path of a file to read, as a sentence. */
export function checkInputPath(typedPath: string, pathContext: PathContext): string | undefined {
	if (typedPath.trim() === '') return 'Enter a file name.';
	try {
		const stats = statSync(resolveTypedPath(typedPath, pathContext), {throwIfNoEntry: false});
		if (!stats) return 'No such file.';
		if (stats.isDirectory()) return 'This is a folder.';
		// Opening a pipe blocks until someone writes to it, which may be never.
		return stats.isFile() ? undefined : 'Not a regular file.';
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

/** Returns what is wrong with the path of a new file to export into, as a sentence. */
export function checkNewPath(typedPath: string, pathContext: PathContext): string | undefined {
	if (typedPath.trim() === '') return 'Enter a file name.';
	const path = resolveTypedPath(typedPath, pathContext);
	if (/\.[ct]sv(\.gz)?$/i.test(path)) return 'ledge exports NDJSON: use a name such as keys.ndjson.';
	if (existsSync(path)) return isFolder(path) ? 'This is a folder.' : 'The file already exists.';
	if (existsSync(getPartPath(path)))
		return `An export to it was interrupted; resume it from Jobs (${nameKey('go.jobs', '7')}).`;
	return isFolder(dirname(path)) ? undefined : 'No such folder.';
}

/** Returns what is wrong with the path of a file to save, as a sentence. The file may exist. */
export function checkSavePath(typedPath: string, pathContext: PathContext): string | undefined {
	if (typedPath.trim() === '') return 'Enter a file name.';
	const path = resolveTypedPath(typedPath, pathContext);
	if (isFolder(path)) return 'This is a folder.';
	const stats = statSync(path, {throwIfNoEntry: false});
	if (stats) return stats.isFile() ? undefined : 'Not a regular file.';
	return isFolder(dirname(path)) ? undefined : 'No such folder.';
}

/** Returns an unused name in the working folder, numbered if taken. */
export function findFreeName(stem: string, extension: string, {cwd}: PathContext): string {
	for (let number = 1; ; number++) {
		const name = `${stem}${number === 1 ? '' : `.${number}`}${extension}`;
		const path = resolve(cwd, name);
		if (!existsSync(path) && !existsSync(getPartPath(path))) return name;
	}
}

/** Maximum entries of a folder that is searched; a larger one completes nothing. */
const maxEntries = 20_000;

/** A completed text, and the names that it may become; one if it is complete, none if nothing matches. */
export type TextCompletion = {readonly text: string; readonly matches: readonly string[]};

/** Completes a typed path up to the first ambiguity; a complete folder gets its separator. */
export function completePath(typedPath: string, pathContext: PathContext): TextCompletion {
	const text = typedPath.trimStart();
	if (text === '~') return {text: `~${sep}`, matches: ['~']};
	const folderEnd = text.lastIndexOf(sep) + 1;
	const prefix = text.slice(folderEnd);
	const folder = resolveTypedPath(text.slice(0, folderEnd) || '.', pathContext);
	const names = listFolderNames(folder).filter(
		name => name.startsWith(prefix) && (prefix.startsWith('.') || !name.startsWith('.')),
	);
	const [firstName] = names;
	if (firstName === undefined) return {text: typedPath, matches: []};
	const common = names.reduce(findCommonStart);
	const completed = names.length === 1 && isFolder(join(folder, firstName)) ? `${common}${sep}` : common;
	return {text: text.slice(0, folderEnd) + completed, matches: names.toSorted()};
}

function listFolderNames(folder: string): string[] {
	try {
		const names = readdirSync(folder);
		return names.length > maxEntries ? [] : names;
	} catch {
		// An unreadable folder completes nothing; naming a file in it reports why.
		return [];
	}
}

function isFolder(path: string): boolean {
	try {
		return statSync(path).isDirectory();
	} catch {
		// A broken link is not a folder either.
		return false;
	}
}

/** Returns the common beginning of two names; never splits a character. */
export function findCommonStart(one: string, other: string): string {
	const otherCharacters = [...other];
	const characters = [...one];
	const end = characters.findIndex((character, index) => character !== otherCharacters[index]);
	return end === -1 ? one : characters.slice(0, end).join('');
}
