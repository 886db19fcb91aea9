import {createHash} from 'node:crypto';
import {basename, dirname, join} from 'node:path';
import {Failure, isFailure} from '../failure.ts';
import {advice} from '../text/advice.ts';
import {errorCode, fileFailed} from './directory.ts';
import {standingOf} from './holder.ts';
import {lockHolder, takeLock} from './lock.ts';

/**
 * Makes this process the only one of ledge that writes a file, until disposed: whoever comes second is refused before
 * the file is touched. The lock is beside the file, so that it holds whatever state directory each of them has. Fails
 * with `job_running`, naming the holder, and with `file_failed` where nothing can be written in that folder.
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

/** Whether a live process writes the file at this moment. */
export function isClaimed(path: string): boolean {
	try {
		return lockHolder(lockName(path)) !== undefined;
	} catch (cause) {
		if (errorCode(cause) === 'ENOENT') return false;
		throw fileFailed(`The folder ${dirname(path)} cannot be read.`, cause);
	}
}

/** Bytes of a name that leave room for what a lock adds to it: file systems end names at 255. */
const longestName = 200;

function lockName(path: string): string {
	const name = basename(path);
	// File systems elsewhere take names that differ in case only for one name.
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
