import {lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {Failure, toFailure} from '../failure.ts';
import {
	createFileFailure,
	type Environment,
	getErrorCode,
	getStateDirectory,
	makeFolder,
	openStateDirectory,
	writePrivateFile,
} from './directory.ts';
import {writePrivateFileIfWanted} from './private-file-later.ts';

/** Lifetime of a draft in milliseconds. */
export const draftLifetimeMs = 7 * 24 * 60 * 60 * 1000;

/**
 * A place for drafts. `open` creates it and returns its path; `isListed` is true if `listDraftFolders`
 * includes it.
 */
type DraftPlace = {readonly isListed: boolean; open(environment: Environment): string};

/** Places for drafts in order of preference: typed text must not be lost for lack of a home. */
const places: readonly DraftPlace[] = [
	{isListed: true, open: environment => openStateDirectory(environment, 'drafts')},
	{isListed: true, open: openTemporaryFolder},
	{isListed: false, open: openLastResort},
];

/**
 * Writes a file in the first place that works. `isListed`: `listDraftFolders` includes that place. Fails with
 * the error of the first place if none works.
 */
export const writeDraftFile = (
	environment: Environment,
	name: string,
	content: string | Uint8Array,
): {readonly path: string; readonly isListed: boolean} =>
	useFirstWorkingPlace(environment, name, path => writePrivateFile(path, content));

/**
 * Like `writeDraftFile`, asynchronously; returns undefined if `isWanted` no longer holds once all is on disk.
 */
export async function writeDraftFileIfWanted(
	environment: Environment,
	name: string,
	content: string,
	isWanted: () => boolean,
): Promise<{readonly path: string; readonly isListed: boolean} | undefined> {
	const failures: unknown[] = [];
	for (const {isListed, open} of places) {
		try {
			const path = join(open(environment), name);
			return (await writePrivateFileIfWanted(path, content, isWanted)) ? {path, isListed} : undefined;
		} catch (error) {
			failures.push(error);
		}
	}
	throw createNoPlaceFailure(failures);
}

/**
 * Creates a folder that only its owner can read in the first place that works, and returns its path. Fails
 * like `writeDraftFile`.
 */
export const makeDraftFolder = (environment: Environment, name: string): string =>
	useFirstWorkingPlace(environment, name, path => mkdirSync(path, {mode: 0o700})).path;

function useFirstWorkingPlace(
	environment: Environment,
	name: string,
	createEntry: (path: string) => void,
): {readonly path: string; readonly isListed: boolean} {
	const failures: unknown[] = [];
	for (const {isListed, open} of places) {
		try {
			const path = join(open(environment), name);
			createEntry(path);
			return {path, isListed};
		} catch (error) {
			failures.push(error);
		}
	}
	throw createNoPlaceFailure(failures);
}

/** Creates the failure if no place works; it reports the error of the first place. */
function createNoPlaceFailure([firstError]: readonly unknown[]): Failure {
	const {message, details} = toFailure(firstError);
	return new Failure('file_failed', 'Your input cannot be saved as a draft.', {
		why: details.why ?? message,
		next: details.next,
		cause: firstError,
	});
}

/** Lists the folders that may hold drafts, existing or not. */
export function listDraftFolders(environment: Environment): string[] {
	const stateFolder = getStateDirectory(environment);
	const temporaryFolder = getTemporaryFolder(environment);
	return [
		...(stateFolder === undefined ? [] : [join(stateFolder, 'drafts')]),
		...(isPrivateFolder(temporaryFolder) ? [temporaryFolder] : []),
	];
}

/** Removes expired drafts and returns the remaining files and the failures. Never fails. */
export function removeExpiredDrafts(folder: string, now: number): {names: string[]; failures: Failure[]} {
	const names: string[] = [];
	const failures: Failure[] = [];
	for (const name of listFileNames(folder, failures)) {
		const path = join(folder, name);
		try {
			const status = lstatSync(path, {throwIfNoEntry: false});
			if (!status) continue;
			if (now - status.mtimeMs > draftLifetimeMs && !status.isDirectory()) rmSync(path, {force: true});
			else names.push(name);
		} catch (cause) {
			failures.push(createFileFailure(`The old draft ${path} cannot be removed.`, cause));
		}
	}
	return {names, failures};
}

function listFileNames(folder: string, failures: Failure[]): string[] {
	try {
		return readdirSync(folder);
	} catch (cause) {
		if (getErrorCode(cause) !== 'ENOENT')
			failures.push(createFileFailure(`The drafts in ${folder} cannot be read.`, cause));
		return [];
	}
}

const getTemporaryRoot = (environment: Environment): string => environment.TMPDIR || tmpdir();

const getTemporaryFolder = (environment: Environment): string =>
	join(getTemporaryRoot(environment), `ledge-drafts-${process.getuid?.() ?? 'own'}`);

/** Folders of this process by parent, reused for repeated drafts. */
const lastResorts = new Map<string, string>();

function openLastResort(environment: Environment): string {
	const parent = getTemporaryRoot(environment);
	const knownFolder = lastResorts.get(parent);
	if (knownFolder !== undefined && isPrivateFolder(knownFolder)) return knownFolder;
	const newFolder = mkdtempSync(join(parent, 'ledge-draft-'));
	lastResorts.set(parent, newFolder);
	return newFolder;
}

/** Its name is predictable, so someone else may have created it. */
function openTemporaryFolder(environment: Environment): string {
	const path = getTemporaryFolder(environment);
	makeFolder(path, 0o700);
	if (isPrivateFolder(path)) return path;
	throw new Failure('file_failed', `The folder ${path} is not private.`, {
		why: 'It belongs to someone else, or others can access it.',
		next: 'Remove it, or set LEDGE_STATE_DIR to a folder of your own.',
	});
}

function isPrivateFolder(path: string): boolean {
	try {
		const status = lstatSync(path, {throwIfNoEntry: false});
		if (!status?.isDirectory()) return false;
		return process.platform === 'win32' || (status.uid === process.getuid?.() && (status.mode & 0o077) === 0);
	} catch {
		// A place that cannot be accessed is not this user's.
		return false;
	}
}
