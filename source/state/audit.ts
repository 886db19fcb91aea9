import {
	closeSync,
	constants,
	fstatSync,
	ftruncateSync,
	openSync,
	readSync,
	renameSync,
	statSync,
	writeSync,
} from 'node:fs';
import {join} from 'node:path';
import {asFailure, type Failure, isFailure} from '../failure.ts';
import {type Environment, fileFailed, openStateDirectory, stateDirectory} from './directory.ts';
import {takeLock} from './lock.ts';

/** A line of the audit log. Never holds the value of a key, nor a credential. */
type AuditEntry = {
	/** Where it was written to: the label of the store or account. */
	readonly target: string;
	/** What was done: `put user:1`. */
	readonly what: string;
	/** `done`, or the code of the failure. */
	readonly result: string;
};

/** The log is begun again at this size; the one before stays beside it as `audit.1.ndjson`. */
const mostBytes = 5_000_000;

/** Where the audit log is, whether or not there is one yet. */
export function auditLog(environment: Environment): string | undefined {
	const directory = stateDirectory(environment);
	return directory === undefined ? undefined : join(directory, 'audit.ndjson');
}

/**
 * Adds a line to the audit log. What is in the way (no home, a read-only one, a full disk) never makes the write
 * fail that it reports: it is returned as `file_failed`.
 */
export function appendAudit(
	entry: AuditEntry,
	environment: Environment,
	now: number = Date.now(),
): Failure | undefined {
	try {
		const {target, what, result} = entry;
		const line = `${JSON.stringify({time: new Date(now).toISOString(), target, what, result})}\n`;
		const path = join(openStateDirectory(environment), 'audit.ndjson');
		try {
			append(path, Buffer.from(line));
			beginAnewWhenFull(path);
		} catch (cause) {
			throw fileFailed(`The audit log ${path} cannot be written.`, cause);
		}
		return undefined;
	} catch (error) {
		return asFailure(error);
	}
}

/** One write in append mode, so that lines of several processes never mix; a line that does not fit leaves nothing of it. */
function append(path: string, line: Uint8Array): void {
	const {O_APPEND, O_CREAT, O_RDWR, O_NOFOLLOW = 0} = constants;
	const file = openSync(path, O_APPEND | O_CREAT | O_RDWR | O_NOFOLLOW, 0o600);
	try {
		const written = writeSync(file, line);
		if (written === line.length) return;
		const {size} = fstatSync(file);
		// What another process wrote behind it since is not cut off.
		const half = Buffer.alloc(written);
		readSync(file, half, 0, written, size - written);
		if (half.equals(line.subarray(0, written))) ftruncateSync(file, size - written);
		throw Object.assign(new Error(`${written} of ${line.length} bytes were written`), {code: 'ENOSPC'});
	} finally {
		closeSync(file);
	}
}

/** One process at a time: the second would put the new, short log in the place of the long one. */
function beginAnewWhenFull(path: string): void {
	if (statSync(path).size <= mostBytes) return;
	let lock: Disposable;
	try {
		lock = takeLock(path);
	} catch (error) {
		if (isFailure(error, 'job_running')) return;
		throw error;
	}
	using _lock = lock;
	if (statSync(path).size > mostBytes) renameSync(path, path.replace(/ndjson$/, '1.ndjson'));
}
