import {accessSync, constants, existsSync} from 'node:fs';
import {open} from 'node:fs/promises';
import {basename, dirname, join, resolve} from 'node:path';
import {Failure, isFailure} from '../../failure.ts';
import {claimFile, isClaimed} from '../../state/claim.ts';
import {discard, type Environment, errorCode, fileFailed, openStateDirectory} from '../../state/directory.ts';
import type {BulkInput} from './input.ts';

/** The file for what fails where none was named: beside the input, or in the working directory for a copy. */
export const defaultFailedFile = (input: BulkInput, command: string, cwd: string): string =>
	resolve(cwd, `${input.spooled ? command : input.path}.failed.ndjson`);

/**
 * A file of that name, where nobody can be asked for another one: numbered where there is such a file already, and in the
 * state directory where that folder cannot be written in.
 */
export function freeFailedPath(
	named: string,
	{cwd, environment}: {readonly cwd: string; readonly environment: Environment},
): string {
	const wanted = resolve(cwd, named);
	const folder = isWritable(dirname(wanted)) ? dirname(wanted) : openStateDirectory(environment, 'failed');
	for (const path of numbered(join(folder, basename(wanted))))
		if (!existsSync(path) && !isClaimed(path)) return path;
	throw new TypeError('There is always a next number.');
}

/** The file for what fails of this process alone, until disposed: the first that is free, as `freeFailedPath` finds it. */
export function claimFreeFailed(
	named: string,
	place: {readonly cwd: string; readonly environment: Environment},
): {readonly path: string; readonly claim: Disposable} {
	for (;;) {
		const path = freeFailedPath(named, place);
		try {
			const claim = claimFile(path);
			if (!existsSync(path)) return {path, claim};
			claim[Symbol.dispose]();
		} catch (error) {
			// Another process was quicker: the next number is looked for.
			if (!isFailure(error, 'job_running')) throw error;
		}
	}
}

/**
 * The same for the file of that name; a file that nobody named is not worth failing for where it cannot be claimed, unless
 * another process writes it.
 */
export function claimFailed(path: string, isNamed: boolean): Disposable | undefined {
	try {
		return claimFile(path);
	} catch (error) {
		if (isNamed || !isFailure(error, 'file_failed')) throw error;
		return undefined;
	}
}

/** A path, and then the same with a number in it. */
function* numbered(path: string): Generator<string> {
	const stem = join(dirname(path), basename(path, '.ndjson'));
	yield path;
	for (let number = 2; ; number++) yield `${stem}.${number}.ndjson`;
}

function isWritable(folder: string): boolean {
	try {
		accessSync(folder, constants.W_OK);
		return true;
	} catch {
		// Whatever the reason is, another folder is taken.
		return false;
	}
}

/** Fails with `file_exists` when the file is there already, and with `file_failed` when a named one cannot be made. */
export function checkFailedFile(path: string, named: boolean): void {
	if (existsSync(path)) throw exists(path);
	if (!named) return;
	try {
		accessSync(dirname(path), constants.W_OK);
	} catch (cause) {
		throw fileFailed(`The file ${JSON.stringify(path)} for what fails cannot be written.`, cause);
	}
}

/** What came of writing what failed: its file, or why there is none. */
export type WrittenFailed = {readonly path: string} | {readonly trouble: Failure};

/**
 * Writes a file that we alone can read (0600), never in the place of another, and syncs it. Where nobody named it, one
 * that is taken by now is replaced by the next number. The failure is returned: the job is over then, and its
 * result must be reported. An interruption is thrown, with no file left.
 */
export async function writeFailed(
	wanted: string,
	isNamed: boolean,
	lines: () => AsyncIterable<string>,
	signal: AbortSignal,
): Promise<WrittenFailed> {
	for (const path of isNamed ? [wanted] : numbered(wanted)) {
		const trouble = await writtenFailed(path, lines(), signal);
		if (!trouble) return {path};
		if (isNamed || trouble.code !== 'file_exists') return {trouble};
	}
	return {trouble: exists(wanted)};
}

async function writtenFailed(
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
			discard(path);
			throw error;
		}
		return undefined;
	} catch (cause) {
		if (signal.aborted) throw cause;
		return errorCode(cause) === 'EEXIST'
			? exists(path)
			: fileFailed(`The file ${path} cannot be written.`, cause);
	}
}

const exists = (path: string): Failure =>
	new Failure('file_exists', `The file ${basename(path)} for what fails exists already.`, {
		why: `It may hold what an earlier run could not write: ${path}`,
		next: 'Move it away, or name another with --failed.',
	});
