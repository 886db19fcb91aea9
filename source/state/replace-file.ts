import {fchmodSync, readFileSync, realpathSync, renameSync, statSync} from 'node:fs';
import {Failure, isFailure} from '../failure.ts';
import {writeFileAtomically} from './directory.ts';

/**
 * Replaces the content of an existing file atomically. Keeps the mode; a link stays, and its target changes.
 * Fails with `changed_meanwhile` if the file no longer contains `expectedBytes`, and with `file_failed`.
 */
export function replaceFile(file: string, expectedBytes: Buffer, newContent: string): void {
	try {
		const target = realpathSync(file);
		const {mode} = statSync(target);
		writeFileAtomically(target, newContent, {
			prepare: descriptor => fchmodSync(descriptor, mode & 0o7777),
			moveIntoPlace(temporaryPath) {
				if (!readFileSync(target).equals(expectedBytes))
					throw new Failure(
						'changed_meanwhile',
						`${file} was changed by someone else; nothing was written to it.`,
						{next: 'Check the file, then try again.'},
					);
				renameSync(temporaryPath, target);
			},
		});
	} catch (error) {
		if (isFailure(error)) throw error;
		throw new Failure('file_failed', `${file} could not be written; it is unchanged.`, {
			why: error instanceof Error ? error.message : String(error),
			next: 'Check the free disk space, and who can write to the file and its folder.',
			cause: error,
		});
	}
}
