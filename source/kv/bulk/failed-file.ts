import {accessSync, constants, existsSync} from 'node:fs';
import {open} from 'node:fs/promises';
import {basename, dirname, join, resolve} from 'node:path';
import {discard, type Environment, errorCode, fileFailed, openStateDirectory} from '../../config/state.ts';
import {Failure} from '../../failure.ts';
import type {BulkInput} from './input.ts';

/** The file for what fails where none was named: beside the input, or in the working directory for a copy (decision 13). */
export const defaultFailedFile = (input: BulkInput, command: string, cwd: string): string =>
	resolve(cwd, `${input.spooled ? command : input.path}.failed.ndjson`);

/**
 * The same, where nobody can be asked for another name: numbered where there is such a file already, and in the state
 * directory where that folder cannot be written in.
 */
export function freeFailedFile(
	input: BulkInput,
	command: string,
	{cwd, environment}: {readonly cwd: string; readonly environment: Environment},
): string {
	return freeFailedPath(defaultFailedFile(input, command, cwd), {cwd, environment});
}

/** The same for a file of that name. */
export function freeFailedPath(
	named: string,
	{cwd, environment}: {readonly cwd: string; readonly environment: Environment},
): string {
	const wanted = resolve(cwd, named);
	const folder = isWritable(dirname(wanted)) ? dirname(wanted) : openStateDirectory(environment, 'failed');
	const name = basename(wanted, '.ndjson');
	for (let number = 1; ; number++) {
		const path = join(folder, `${name}${number === 1 ? '' : `.${number}`}.ndjson`);
		if (!existsSync(path)) return path;
	}
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

/** Fails with `file_exists` when the file is there already, and with `file_failed` when one that was named cannot be made. */
export function checkFailedFile(path: string, named: boolean): void {
	if (existsSync(path)) throw exists(path);
	if (!named) return;
	try {
		accessSync(dirname(path), constants.W_OK);
	} catch (cause) {
		throw fileFailed(`The file ${JSON.stringify(path)} for what fails cannot be written.`, cause);
	}
}

/**
 * Writes a file that we alone can read (0600), never in the place of another, and syncs it. What is in the way is
 * returned: the job is over then, and its result must be told. An interruption is thrown, with no file left.
 */
export async function writeFailed(
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
