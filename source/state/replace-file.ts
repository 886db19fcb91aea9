import {randomBytes} from 'node:crypto';
import {
	closeSync,
	fchmodSync,
	fsyncSync,
	openSync,
	readFileSync,
	realpathSync,
	renameSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {Failure, isFailure} from '../failure.ts';
import {discard} from './directory.ts';

/**
 * Puts new content into a file that exists, all of it or none: written beside it, synced, then renamed. Keeps
 * the mode; a link stays one, and its target changes. Fails with `changed_meanwhile` when the file no longer
 * holds `before`, and with `file_failed`.
 */
export function replaceFile(file: string, before: Buffer, after: string): void {
	let temporary: string | undefined;
	try {
		const target = realpathSync(file);
		temporary = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}`);
		writeSynced(temporary, after, statSync(target).mode & 0o7777);
		if (!readFileSync(target).equals(before)) {
			throw new Failure(
				'changed_meanwhile',
				`${file} was changed by someone else; nothing was written to it.`,
				{
					next: 'Look at the file, then try again.',
				},
			);
		}
		renameSync(temporary, target);
		temporary = undefined;
	} catch (error) {
		if (isFailure(error)) throw error;
		throw new Failure('file_failed', `${file} could not be written; it is as it was.`, {
			why: error instanceof Error ? error.message : String(error),
			next: 'Check the space on the disk, and who may write to the file and its folder.',
			cause: error,
		});
	} finally {
		if (temporary !== undefined) discard(temporary);
	}
}

function writeSynced(file: string, content: string, mode: number): void {
	const descriptor = openSync(file, 'wx', 0o600);
	try {
		writeFileSync(descriptor, content);
		fchmodSync(descriptor, mode);
		fsyncSync(descriptor);
	} finally {
		closeSync(descriptor);
	}
}
