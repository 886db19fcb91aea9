import {existsSync, writeFileSync} from 'node:fs';
import {Failure} from '../failure.ts';

/** Fails with `file_exists` before any work is done, where `writeOutputFile` would afterwards. */
export function refuseExisting(path: string, over: boolean): void {
	if (!over && existsSync(path)) throw exists(path);
}

/** Writes what `--output` was given for; over a file that exists only where that was confirmed. */
export function writeOutputFile(path: string, content: string | Uint8Array, over: boolean): void {
	try {
		writeFileSync(path, content, {flag: over ? 'w' : 'wx'});
	} catch (cause) {
		if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') throw exists(path, cause);
		throw new Failure('file_failed', `The file "${path}" cannot be written.`, {
			why: cause instanceof Error ? cause.message : String(cause),
			next: 'Check the folder, the space on the disk, and who may write there.',
			cause,
		});
	}
}

const exists = (path: string, cause?: unknown): Failure =>
	new Failure('file_exists', `The file "${path}" exists already.`, {
		next: 'Name another file, or add --yes to write over it.',
		cause,
	});
