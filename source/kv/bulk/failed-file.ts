import {accessSync, constants, existsSync} from 'node:fs';
import {open} from 'node:fs/promises';
import {basename, dirname, join, resolve} from 'node:path';
import {Failure, isFailure} from '../../failure.ts';
import {claimFile, isClaimed} from '../../state/claim.ts';
import {
	createFileFailure,
	discardPath,
	type Environment,
	getErrorCode,
	openStateDirectory,
} from '../../state/directory.ts';
import type {BulkInput} from './input.ts';

/**
 * Returns the default path for failed entries: beside the input. If the input is a copy of a source that can
 * be read only once (standard input, a pipe, a gzip file): in the working directory, named after the command.
 */
export const getDefaultFailedPath = (input: BulkInput, command: string, cwd: string): string =>
	resolve(cwd, `${input.isCopy ? command : input.path}.failed.ndjson`);

/**
 * Finds a free path when the user cannot be asked: numbered if the file exists, and in the state directory if
 * the folder is not writable.
 */
export function findFreeFailedPath(
	defaultPath: string,
	{cwd, environment}: {readonly cwd: string; readonly environment: Environment},
): string {
	const wantedPath = resolve(cwd, defaultPath);
	const folder = isWritable(dirname(wantedPath))
		? dirname(wantedPath)
		: openStateDirectory(environment, 'failed');
	for (const path of listNumberedPaths(join(folder, basename(wantedPath))))
		if (!existsSync(path) && !isClaimed(path)) return path;
	throw new TypeError('There is always a next number.');
}

/** Claims the first free path (see `findFreeFailedPath`) for this process, until disposed. */
export function claimFreeFailedFile(
	defaultPath: string,
	location: {readonly cwd: string; readonly environment: Environment},
): {readonly path: string; readonly claim: Disposable} {
	for (;;) {
		const path = findFreeFailedPath(defaultPath, location);
		try {
			const claim = claimFile(path);
			if (!existsSync(path)) return {path, claim};
			claim[Symbol.dispose]();
		} catch (error) {
			// Another process was faster: try the next number.
			if (!isFailure(error, 'job_running')) throw error;
		}
	}
}

/**
 * Claims a path for this process. If the user did not name it, a path that cannot be claimed is not an error,
 * unless another process writes it.
 */
export function claimFailedPath(path: string, isNamed: boolean): Disposable | undefined {
	try {
		return claimFile(path);
	} catch (error) {
		if (isNamed || !isFailure(error, 'file_failed')) throw error;
		return undefined;
	}
}

/** Yields a path, then numbered variants. */
function* listNumberedPaths(path: string): Generator<string> {
	const stem = join(dirname(path), basename(path, '.ndjson'));
	yield path;
	for (let number = 2; ; number++) yield `${stem}.${number}.ndjson`;
}

function isWritable(folder: string): boolean {
	try {
		accessSync(folder, constants.W_OK);
		return true;
	} catch {
		// For whatever reason: use another folder.
		return false;
	}
}

/** Fails with `file_exists` if the file exists, and with `file_failed` if a named one cannot be created. */
export function checkFailedFile(path: string, isNamed: boolean): void {
	if (existsSync(path)) throw createFileExistsFailure(path);
	if (!isNamed) return;
	try {
		accessSync(dirname(path), constants.W_OK);
	} catch (cause) {
		throw createFileFailure(`The file ${JSON.stringify(path)} for failed entries cannot be written.`, cause);
	}
}

/** Result of writing failed entries: the path of the file, or the failure. */
export type FailedFileResult = {readonly path: string} | {readonly trouble: Failure};

/**
 * Writes a private file (0600), never overwriting, and syncs it. If the user did not name it, uses the next
 * free number. Returns the failure instead of throwing, because the job is over and its result must be
 * reported. Throws on an interruption, leaving no file.
 */
export async function writeFailedFile(
	wantedPath: string,
	isNamed: boolean,
	lines: () => AsyncIterable<string>,
	signal: AbortSignal,
): Promise<FailedFileResult> {
	for (const path of isNamed ? [wantedPath] : listNumberedPaths(wantedPath)) {
		const trouble = await tryWriteFailedFile(path, lines(), signal);
		if (!trouble) return {path};
		if (isNamed || trouble.code !== 'file_exists') return {trouble};
	}
	return {trouble: createFileExistsFailure(wantedPath)};
}

async function tryWriteFailedFile(
	path: string,
	lines: AsyncIterable<string>,
	signal: AbortSignal,
): Promise<Failure | undefined> {
	try {
		await using file = await open(path, 'wx', 0o600);
		try {
			for await (const line of lines) await file.appendFile(line);
			await file.sync();
		} catch (error) {
			discardPath(path);
			throw error;
		}
		return undefined;
	} catch (cause) {
		if (signal.aborted) throw cause;
		return getErrorCode(cause) === 'EEXIST'
			? createFileExistsFailure(path)
			: createFileFailure(`The file ${path} cannot be written.`, cause);
	}
}

const createFileExistsFailure = (path: string): Failure =>
	new Failure('file_exists', `The file ${basename(path)} for failed entries already exists.`, {
		why: `It may contain what an earlier run could not write: ${path}`,
		next: 'Move it away, or choose another file with --failed.',
	});
