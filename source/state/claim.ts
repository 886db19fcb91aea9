import {createHash} from 'node:crypto';
import {basename, dirname, join} from 'node:path';
import {Failure, isFailure} from '../failure.ts';
import {buildAdvice} from '../text/advice.ts';
import {createFileFailure, getErrorCode} from './directory.ts';
import {getHolderState} from './holder.ts';
import {findLockHolder, takeLock} from './lock.ts';

/**
 * Claims a file for this ledge process until disposed; others are refused before they touch it. The lock is
 * beside the file, so it works across state directories. Fails with `job_running`, naming the holder, and
 * `file_failed` if the folder is not writable.
 */
export function claimFile(path: string): Disposable {
	try {
		return takeLock(getLockPath(path));
	} catch (cause) {
		if (isFailure(cause, 'job_running')) throw createBeingWrittenFailure(path, cause);
		const reason = isFailure(cause) ? (cause.details.cause ?? cause) : cause;
		throw createFileFailure(`The file ${JSON.stringify(path)} cannot be written.`, reason);
	}
}

/** True if a live process is writing the file. */
export function isClaimed(path: string): boolean {
	try {
		return findLockHolder(getLockPath(path)) !== undefined;
	} catch (cause) {
		if (getErrorCode(cause) === 'ENOENT') return false;
		throw createFileFailure(`The folder ${dirname(path)} cannot be read.`, cause);
	}
}

/**
 * Maximum length in bytes of a name that leaves room for the suffix of a lock: file systems limit names to
 * 255.
 */
const maxNameBytes = 200;

function getLockPath(path: string): string {
	const name = basename(path);
	// File systems of other systems are usually case-insensitive: names that differ only in case get the same
	// lock.
	const foldedName = process.platform === 'linux' ? name : name.normalize('NFC').toLowerCase();
	const shortName =
		Buffer.byteLength(foldedName) <= maxNameBytes
			? foldedName
			: createHash('sha256').update(foldedName).digest('hex');
	return join(dirname(path), `.${shortName}`);
}

function createBeingWrittenFailure(path: string, {details}: Failure): Failure {
	const holder = findLockHolder(getLockPath(path));
	const isCertain = holder === undefined || getHolderState(holder) !== 'out of sight';
	return new Failure(
		'job_running',
		`Another process ${isCertain ? 'is' : 'may be'} writing ${JSON.stringify(path)}.`,
		{
			why: details.why,
			next: buildAdvice`${details.next} Or choose another file.`,
		},
	);
}
