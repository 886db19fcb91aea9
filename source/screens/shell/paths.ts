import {existsSync, readdirSync, statSync} from 'node:fs';
import {dirname, join, resolve, sep} from 'node:path';
import {partOf} from '../../kv/transfer/export-file.ts';

/** Where typed paths begin. */
type PathPlace = {readonly cwd: string; readonly home: string | undefined};

/** A path as a person types it: relative to the working folder, `~` for the home. */
export function typedPath(typed: string, {cwd, home}: PathPlace): string {
	const text = typed.trim();
	if (home !== undefined && (text === '~' || text.startsWith(`~${sep}`))) return join(home, text.slice(1));
	return resolve(cwd, text);
}

/** A path as a person would type it: `~` for the home. */
export const shownPath = (path: string, home: string | undefined): string =>
	home && (path === home || path.startsWith(`${home}${sep}`)) ? `~${path.slice(home.length)}` : path;

/** What is wrong with a typed path of a file, in a sentence. */
export function pathProblem(typed: string, place: PathPlace): string | undefined {
	if (typed.trim() === '') return 'Name a file.';
	try {
		const found = statSync(typedPath(typed, place), {throwIfNoEntry: false});
		if (!found) return 'No such file.';
		if (found.isDirectory()) return 'This is a folder.';
		// Opening a pipe waits until someone writes to it, and that may be never.
		return found.isFile() ? undefined : 'Not a regular file.';
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

/** What is wrong with the typed path of a file that is to be exported into, in a sentence. */
export function newPathProblem(typed: string, place: PathPlace): string | undefined {
	if (typed.trim() === '') return 'Name a file.';
	const path = typedPath(typed, place);
	if (existsSync(path)) return isFolder(path) ? 'This is a folder.' : 'The file exists already.';
	if (existsSync(partOf(path))) return 'An export into it was interrupted; resume it from the jobs (J).';
	return isFolder(dirname(path)) ? undefined : 'No such folder.';
}

/** What is wrong with the typed path of a file that is written, and may replace another file, in a sentence. */
export function savePathProblem(typed: string, place: PathPlace): string | undefined {
	if (typed.trim() === '') return 'Name a file.';
	const path = typedPath(typed, place);
	if (isFolder(path)) return 'This is a folder.';
	const found = statSync(path, {throwIfNoEntry: false});
	if (found) return found.isFile() ? undefined : 'Not a regular file.';
	return isFolder(dirname(path)) ? undefined : 'No such folder.';
}

/** A name for such a file in the working folder, numbered where it is taken. */
export function freeName(stem: string, extension: string, {cwd}: PathPlace): string {
	for (let number = 1; ; number++) {
		const name = `${stem}${number === 1 ? '' : `.${number}`}${extension}`;
		const path = resolve(cwd, name);
		if (!existsSync(path) && !existsSync(partOf(path))) return name;
	}
}

/** Entries of one folder that are looked through; in a larger one nothing is completed. */
const mostEntries = 20_000;

/** A typed path, completed as far as only one continuation exists; a whole folder gets its separator. */
export function completedPath(typed: string, place: PathPlace): string {
	const text = typed.trimStart();
	if (text === '~') return `~${sep}`;
	const folderEnd = text.lastIndexOf(sep) + 1;
	const begun = text.slice(folderEnd);
	const folder = typedPath(text.slice(0, folderEnd) || '.', place);
	const names = namesIn(folder).filter(
		name => name.startsWith(begun) && (begun.startsWith('.') || !name.startsWith('.')),
	);
	const [first] = names;
	if (first === undefined) return typed;
	const common = names.reduce(commonStart);
	const whole = names.length === 1 && isFolder(join(folder, first)) ? `${common}${sep}` : common;
	return text.slice(0, folderEnd) + whole;
}

function namesIn(folder: string): string[] {
	try {
		const names = readdirSync(folder);
		return names.length > mostEntries ? [] : names;
	} catch {
		// A folder that cannot be read completes nothing; naming a file in it reports why.
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

/** The characters that both names begin with; never half of one. */
function commonStart(one: string, other: string): string {
	const others = [...other];
	const all = [...one];
	const end = all.findIndex((character, at) => character !== others[at]);
	return end === -1 ? one : all.slice(0, end).join('');
}
