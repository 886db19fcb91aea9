import {randomBytes} from 'node:crypto';
import {
	closeSync,
	type Dirent,
	existsSync,
	fsyncSync,
	linkSync,
	mkdirSync,
	openSync,
	readdirSync,
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
 * Returns the folder for persistent state: `LEDGE_STATE_DIR`, or `ledge` in `XDG_STATE_HOME` or
 * `~/.local/state`. Does not access it. Undefined without a home.
 */
export const getStateDirectory = (environment: Environment): string | undefined =>
	environment.LEDGE_STATE_DIR
		? resolve(environment.LEDGE_STATE_DIR)
		: resolveXdgFolder(environment, environment.XDG_STATE_HOME, '.local/state');

/**
 * Returns the state directory, or a folder in it, and creates it with mode 0700 if missing. Fails with
 * `file_failed` without a home, if it cannot be created, or if others can write in it.
 */
export function openStateDirectory(environment: Environment, folder = ''): string {
	const root = getStateDirectory(environment);
	if (root === undefined) {
		throw new Failure('file_failed', 'There is no place to store state.', {
			why: 'Neither LEDGE_STATE_DIR nor XDG_STATE_HOME nor HOME is set.',
			next: 'Set LEDGE_STATE_DIR to a folder of your own.',
		});
	}
	const path = join(root, folder);
	try {
		makeFolder(path, 0o700);
	} catch (cause) {
		throw createFileFailure(`The state directory ${path} cannot be created.`, cause, stateDirectoryAdvice);
	}
	checkOwned(root);
	return path;
}

const stateDirectoryAdvice = 'Set LEDGE_STATE_DIR to a folder of your own.';

/**
 * Creates a folder and its missing parents; does nothing if it exists. Throws the system's error. Unlike
 * `mkdirSync` with `recursive` it always ends: Node retries for ever if the system reports ENOENT for a
 * folder whose parent exists, as Linux does below `/proc`.
 */
export function makeFolder(path: string, mode = 0o777): void {
	const parent = dirname(path);
	if (tryMakeFolder(path, mode) !== 'ENOENT' || parent === path) return;
	makeFolder(parent, mode);
	if (tryMakeFolder(path, mode) === 'ENOENT') mkdirSync(path, {mode});
}

/** Returns ENOENT if the parent is missing, undefined if the folder exists now; throws other errors. */
function tryMakeFolder(path: string, mode: number): 'ENOENT' | undefined {
	try {
		mkdirSync(path, {mode});
		return undefined;
	} catch (error) {
		const code = getErrorCode(error);
		if (code === 'ENOENT') return code;
		if (isFolder(path)) return undefined;
		throw error;
	}
}

const isFolder = (path: string): boolean => getPathStatus(path)?.isDirectory() ?? false;

/** Fails with `file_failed` unless the folder is this user's and no one else can write in it. */
function checkOwned(directory: string): void {
	const {uid, mode} = statSync(directory);
	const ownUid = process.getuid?.();
	if (ownUid !== undefined && uid !== ownUid) {
		throw new Failure('file_failed', `The state directory ${directory} belongs to someone else.`, {
			why: `Its owner is user ${uid}; ledge runs as user ${ownUid}.`,
			next: stateDirectoryAdvice,
		});
	}
	if (process.platform !== 'win32' && (mode & 0o022) !== 0) {
		throw new Failure('file_failed', `Others can write to the state directory ${directory}.`, {
			why: `Its mode is ${(mode & 0o777).toString(8)}; it must not be writable by group or others.`,
			next: `chmod 700 ${directory}`,
		});
	}
}

/**
 * Writes a file that only its owner can read (0600), like `writeFileAtomically`. Fails with `file_failed`.
 */
export function writePrivateFile(path: string, content: string | Uint8Array): void {
	try {
		writeFileAtomically(path, content);
	} catch (cause) {
		throw createFileFailure(`The file ${path} cannot be written.`, cause);
	}
}

type AtomicWriteOptions = {
	readonly mode?: number;
	/** Called with the descriptor of the temporary file before it is synced. */
	readonly prepare?: (descriptor: number) => void;
	/** Moves the temporary file to its place; default: a rename. */
	readonly moveIntoPlace?: (temporaryPath: string) => void;
};

/**
 * Writes a file atomically: readers see the old or the new content, which survives a crash after the return.
 * A failed write leaves nothing.
 */
export function writeFileAtomically(
	path: string,
	content: string | Uint8Array,
	{
		mode = 0o600,
		prepare,
		moveIntoPlace = temporaryPath => renameSync(temporaryPath, path),
	}: AtomicWriteOptions = {},
): void {
	const temporaryPath = buildTemporaryPath(path);
	try {
		const descriptor = openSync(temporaryPath, 'wx', mode);
		try {
			writeFileSync(descriptor, content);
			prepare?.(descriptor);
			fsyncSync(descriptor);
		} finally {
			closeSync(descriptor);
		}
		moveIntoPlace(temporaryPath);
		syncDirectory(dirname(path));
	} catch (error) {
		discardPath(temporaryPath);
		throw error;
	}
}

/**
 * Like `writeFileAtomically`, for a new file: throws the failure that `createExistsFailure` returns if the path
 * exists, even if another process creates it meanwhile.
 */
export function createFileAtomically(
	path: string,
	content: string | Uint8Array,
	createExistsFailure: (cause: unknown) => Failure,
	mode = 0o600,
): void {
	writeFileAtomically(path, content, {
		mode,
		moveIntoPlace(temporaryPath) {
			try {
				// Unlike a rename, a link never replaces a file.
				linkSync(temporaryPath, path);
				rmSync(temporaryPath);
			} catch (cause) {
				if (getErrorCode(cause) === 'EEXIST' || existsSync(path)) throw createExistsFailure(cause);
				// The file system has no links.
				renameSync(temporaryPath, path);
			}
		},
	});
}

/** Lists a folder; empty if it does not exist. Fails with `file_failed`. */
export function listFolder(path: string): readonly Dirent[] {
	try {
		return readdirSync(path, {withFileTypes: true});
	} catch (cause) {
		if (getErrorCode(cause) === 'ENOENT') return [];
		throw createFileFailure(`The folder ${path} cannot be read.`, cause);
	}
}

/** Returns a temporary name beside a file, within the limit of names. */
export const buildTemporaryPath = (path: string): string =>
	join(dirname(path), `.${basename(path).slice(0, 100)}.${randomBytes(6).toString('hex')}.new`);

/**
 * Removes a file if it exists. Nothing exists below a path that is not a folder: Node's `force` covers that
 * for folders only, and on Node 22 not even for them. Throws other system errors.
 */
export function removeIfPresent(path: string, {recursive = false} = {}): void {
	try {
		rmSync(path, {force: true, recursive});
	} catch (error) {
		if (getErrorCode(error) !== 'ENOTDIR') throw error;
	}
}

/** Removes what a failed write left, file or folder. Never fails: the original error is the one to report. */
export function discardPath(path: string): void {
	try {
		removeIfPresent(path, {recursive: true});
	} catch {
		// The name of the file is unique, so leaving it does no harm.
	}
}

/** Makes a folder's names survive a crash; does nothing on Windows, which has no equivalent. */
export function syncDirectory(directory: string): void {
	if (process.platform === 'win32') return;
	const handle = openSync(directory, 'r');
	try {
		fsyncSync(handle);
	} finally {
		closeSync(handle);
	}
}

/** Converts a system error about a file to `file_failed`. */
export function createFileFailure(sentence: string, cause: unknown, next?: Advice): Failure {
	if (cause instanceof Failure) return cause;
	const isDiskFull = getErrorCode(cause) === 'ENOSPC' || getErrorCode(cause) === 'EDQUOT';
	// A path may be longer than the line, so the cause comes first.
	const message = isDiskFull
		? `The disk is full: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`
		: sentence;
	return new Failure('file_failed', message, {
		why: isDiskFull ? undefined : cause instanceof Error ? cause.message : String(cause),
		next: next ?? (isDiskFull ? 'Free up disk space and try again.' : 'Check the path and its permissions.'),
		cause,
	});
}

/** Failure of an unreadable file with the system's reason; `label` is its quoted path or name. */
export const createInputMissingFailure = (label: string, cause: unknown): Failure =>
	new Failure('input_missing', `The file ${label} cannot be read.`, {
		why: cause instanceof Error ? cause.message : String(cause),
		next: 'Check the path and its permissions.',
		cause,
	});

/**
 * Returns the status of a path; undefined if nothing exists. A file in place of a parent folder counts as
 * that too, where the oldest supported Node would throw.
 */
export function getPathStatus(path: string): Stats | undefined {
	try {
		return statSync(path, {throwIfNoEntry: false});
	} catch (error) {
		if (getErrorCode(error) === 'ENOTDIR') return undefined;
		throw error;
	}
}

/** Returns the code of a system error (`ENOENT`), if any. */
export function getErrorCode(error: unknown): string | undefined {
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	return typeof code === 'string' ? code : undefined;
}

/** Returns ledge's folder in an XDG directory. As XDG requires, ignores a relative path in the variable. */
function resolveXdgFolder(
	environment: Environment,
	xdg: string | undefined,
	homeSubfolder: string,
): string | undefined {
	if (xdg && isAbsolute(xdg)) return join(xdg, 'ledge');
	return environment.HOME && isAbsolute(environment.HOME)
		? join(environment.HOME, homeSubfolder, 'ledge')
		: undefined;
}
