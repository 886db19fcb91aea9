import {createHash} from 'node:crypto';
import {basename, dirname, join} from 'node:path';
import {Failure, isFailure} from '../failure.ts';
import {advice} from '../text/advice.ts';
import {errorCode, fileFailed} from './directory.ts';
import {standingOf} from './holder.ts';
import {lockHolder, takeLock} from './lock.ts';

/**
 * Claims a file for this ledge process until disposed; others are refused before they touch it. The lock is
 * beside the file, so it works across state directories. Fails with `job_running`, naming the holder, and
 * `file_failed` if the folder is not writable.
 */
export function claimFile(path: string): Disposable {
	try {
		return takeLock(lockName(path));
	} catch (cause) {
		if (isFailure(cause, 'job_running')) throw beingWritten(path, cause);
		const reason = isFailure(cause) ? (cause.details.cause ?? cause) : cause;
		throw fileFailed(`The file ${JSON.stringify(path)} cannot be written.`, reason);
	}
}

/** True if a live process is writing the file. */
export function isClaimed(path: string): boolean {
	try {
		return lockHolder(lockName(path)) !== undefined;
	} catch (cause) {
		if (errorCode(cause) === 'ENOENT') return false;
		throw fileFailed(`The folder ${dirname(path)} cannot be read.`, cause);
	}
}

/** Name length in bytes that leaves room for a lock's suffix: file systems limit names to 255. */
const longestName = 200;

function lockName(path: string): string {
	const name = basename(path);
	// Other systems' file systems are case-insensitive.
	const one = process.platform === 'linux' ? name : name.normalize('NFC').toLowerCase();
	const short = Buffer.byteLength(one) <= longestName ? one : createHash('sha256').update(one).digest('hex');
	return join(dirname(path), `.${short}`);
}

function beingWritten(path: string, {details}: Failure): Failure {
	const holder = lockHolder(lockName(path));
	const isSure = holder === undefined || standingOf(holder) !== 'out of sight';
	return new Failure(
		'job_running',
		`Another process ${isSure ? 'is' : 'may be'} writing ${JSON.stringify(path)}.`,
		{
			why: details.why,
			next: advice`${details.next} Or name another file.`,
		},
	);
}
