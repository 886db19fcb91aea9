import {randomBytes} from 'node:crypto';
import {
	closeSync,
	fsyncSync,
	mkdirSync,
	openSync,
	renameSync,
	rmSync,
	type Stats,
	statSync,
	writeFileSync,
} from 'node:fs';
import {basename, dirname, isAbsolute, join, resolve} from 'node:path';
import {type Advice, Failure} from '../failure.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Where ledge keeps what outlives a command: `LEDGE_STATE_DIR`, or `ledge` in `XDG_STATE_HOME`, or
 * in `~/.local/state`. Only the name: nothing is looked at or made. `undefined` without a home.
 */
export const stateDirectory = (environment: Environment): string | undefined =>
	environment.LEDGE_STATE_DIR
		? resolve(environment.LEDGE_STATE_DIR)
		: under(environment, environment.XDG_STATE_HOME, '.local/state');

/**
 * The state directory, or a folder in it, made with mode 0700 if it is not there. For those who have something
 * to keep. Fails with `file_failed` where there is no home, it cannot be made, or others could write in it.
 */
export function openStateDirectory(environment: Environment, folder = ''): string {
	const root = stateDirectory(environment);
	if (root === undefined) {
		throw new Failure('file_failed', 'There is no place to keep state.', {
			why: 'Neither LEDGE_STATE_DIR nor XDG_STATE_HOME nor HOME is set.',
			next: 'Set LEDGE_STATE_DIR to a folder of your own.',
		});
	}
	const path = join(root, folder);
	try {
		makeFolder(path, 0o700);
	} catch (cause) {
		throw fileFailed(`The state directory ${path} cannot be made.`, cause, wayOut);
	}
	checkOwned(root);
	return path;
}

const wayOut = 'Set LEDGE_STATE_DIR to a folder of your own.';

/**
 * Makes a folder and the missing ones above it; does nothing if it exists. Throws the error of the system. Unlike `mkdirSync`
 * with `recursive` it always ends: Node's repeats for ever where the system reports ENOENT for a folder whose parent
 * exists, as Linux does below `/proc`.
 */
export function makeFolder(path: string, mode = 0o777): void {
	const parent = dirname(path);
	if (errorOfMaking(path, mode) !== 'ENOENT' || parent === path) return;
	makeFolder(parent, mode);
	if (errorOfMaking(path, mode) === 'ENOENT') mkdirSync(path, {mode});
}

/** ENOENT if the parent is missing, undefined if the folder is there now; throws every other error. */
function errorOfMaking(path: string, mode: number): 'ENOENT' | undefined {
	try {
		mkdirSync(path, {mode});
		return undefined;
	} catch (error) {
		const code = errorCode(error);
		if (code === 'ENOENT') return code;
		if (isFolder(path)) return undefined;
		throw error;
	}
}

const isFolder = (path: string): boolean => statusOfPath(path)?.isDirectory() ?? false;

/** Fails with `file_failed` unless the folder belongs to us and nobody else can write in it. */
function checkOwned(directory: string): void {
	const {uid, mode} = statSync(directory);
	const self = process.getuid?.();
	if (self !== undefined && uid !== self) {
		throw new Failure('file_failed', `The state directory ${directory} belongs to someone else.`, {
			why: `Its owner is user ${uid}; ledge runs as user ${self}.`,
			next: wayOut,
		});
	}
	if (process.platform !== 'win32' && (mode & 0o022) !== 0) {
		throw new Failure('file_failed', `Others can write in the state directory ${directory}.`, {
			why: `Its mode is ${(mode & 0o777).toString(8)}; it must not be writable for group or others.`,
			next: `chmod 700 ${directory}`,
		});
	}
}

/** Writes a file that only we can read (0600), as `settle` does. Fails with `file_failed`. */
export function keepFile(path: string, content: string | Uint8Array): void {
	try {
		settle(path, content);
	} catch (cause) {
		throw fileFailed(`The file ${path} cannot be written.`, cause);
	}
}

type Settling = {
	readonly mode?: number;
	/** Makes the open file what it has to be, before it is on the disk. */
	readonly prepare?: (file: number) => void;
	/** Renames the draft, or whatever else puts it in place. */
	readonly place?: (draft: string) => void;
};

/**
 * Writes a file in one step: whoever reads it sees the old content or the new one, and after the return the new one
 * survives a crash. Of a write that failed nothing is left.
 */
export function settle(
	path: string,
	content: string | Uint8Array,
	{mode = 0o600, prepare, place = draft => renameSync(draft, path)}: Settling = {},
): void {
	const draft = draftName(path);
	try {
		const file = openSync(draft, 'wx', mode);
		try {
			writeFileSync(file, content);
			prepare?.(file);
			fsyncSync(file);
		} finally {
			closeSync(file);
		}
		place(draft);
		syncDirectory(dirname(path));
	} catch (error) {
		discard(draft);
		throw error;
	}
}

/** A name beside a file, under which it is written; not longer than names can be. */
export const draftName = (path: string): string =>
	join(dirname(path), `.${basename(path).slice(0, 100)}.${randomBytes(6).toString('hex')}.new`);

/**
 * Removes a file if it exists. Below a path that is not a folder nothing exists: Node's `force` covers that for
 * folders only, and on Node 22 not even for them. Other errors of the system are thrown.
 */
export function removeIfPresent(path: string, {recursive = false} = {}): void {
	try {
		rmSync(path, {force: true, recursive});
	} catch (error) {
		if (errorCode(error) !== 'ENOTDIR') throw error;
	}
}

/** Removes what a failed write has left, a file or a folder. Never fails: the error that led here is the one to report. */
export function discard(path: string): void {
	try {
		removeIfPresent(path, {recursive: true});
	} catch {
		// It has a name of its own, so that it is in nobody's way.
	}
}

/** Makes the names in a folder survive a crash; where the system has no such thing (Windows) it does nothing. */
export function syncDirectory(directory: string): void {
	if (process.platform === 'win32') return;
	const handle = openSync(directory, 'r');
	try {
		fsyncSync(handle);
	} finally {
		closeSync(handle);
	}
}

/** What the system said about a file, as the failure `file_failed`. */
export function fileFailed(what: string, cause: unknown, next?: Advice): Failure {
	if (cause instanceof Failure) return cause;
	const full = errorCode(cause) === 'ENOSPC' || errorCode(cause) === 'EDQUOT';
	// A path may be longer than a line: what it is about comes first.
	const said = full ? `The disk is full: ${what.charAt(0).toLowerCase()}${what.slice(1)}` : what;
	return new Failure('file_failed', said, {
		why: full ? undefined : cause instanceof Error ? cause.message : String(cause),
		next: next ?? (full ? 'Make room and try again.' : 'Check the path and its permissions.'),
		cause,
	});
}

/** That a file cannot be read, with the reason of the system; `label` is its path in quotes, or what it is called. */
export const inputMissing = (label: string, cause: unknown): Failure =>
	new Failure('input_missing', `The file ${label} cannot be read.`, {
		why: cause instanceof Error ? cause.message : String(cause),
		next: 'Check the path and its permissions.',
		cause,
	});

/**
 * What is at a path; nothing where there is none. That a file is where a folder of the path should be is the same to
 * everybody but the oldest Node that ledge runs on, which fails.
 */
export function statusOfPath(path: string): Stats | undefined {
	try {
		return statSync(path, {throwIfNoEntry: false});
	} catch (error) {
		if (errorCode(error) === 'ENOTDIR') return undefined;
		throw error;
	}
}

/** The code of an error of the system (`ENOENT`), if it has one. */
export function errorCode(error: unknown): string | undefined {
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	return typeof code === 'string' ? code : undefined;
}

/** A folder for ledge below an XDG one. The XDG rules: a relative path in its variable is ignored. */
function under(environment: Environment, xdg: string | undefined, inHome: string): string | undefined {
	if (xdg && isAbsolute(xdg)) return join(xdg, 'ledge');
	return environment.HOME && isAbsolute(environment.HOME)
		? join(environment.HOME, inHome, 'ledge')
		: undefined;
}
