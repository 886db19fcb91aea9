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
import {type Failure, isFailure, toFailure} from '../failure.ts';
import {createFileFailure, type Environment, getStateDirectory, openStateDirectory} from './directory.ts';
import {takeLock} from './lock.ts';

/** A line of the audit log. Contains no value of a key and no credential. */
type AuditEntry = {
	/** Destination: the label of the store or account. */
	readonly target: string;
	/** Action: `put user:1`. */
	readonly what: string;
	/** `done`, or the code of the failure. */
	readonly result: string;
};

/** Size in bytes at which the log is rotated; the previous one stays as `audit.1.ndjson`. */
const maxLogBytes = 5_000_000;

/** Returns the path of the audit log, which may not exist yet. */
export function getAuditLogPath(environment: Environment): string | undefined {
	const directory = getStateDirectory(environment);
	return directory === undefined ? undefined : join(directory, 'audit.ndjson');
}

/**
 * Appends a line to the audit log. Problems (no home, a read-only one, a full disk) never fail the reported
 * write: they are returned as `file_failed`.
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
			appendLine(path, Buffer.from(line));
			rotateWhenFull(path);
		} catch (cause) {
			throw createFileFailure(`The audit log ${path} cannot be written.`, cause);
		}
		return undefined;
	} catch (error) {
		return toFailure(error);
	}
}

/** Appends with one write, so that lines of several processes never mix; removes a partial line. */
function appendLine(path: string, line: Uint8Array): void {
	const {O_APPEND, O_CREAT, O_RDWR, O_NOFOLLOW = 0} = constants;
	const file = openSync(path, O_APPEND | O_CREAT | O_RDWR | O_NOFOLLOW, 0o600);
	try {
		const writtenBytes = writeSync(file, line);
		if (writtenBytes === line.length) return;
		const {size} = fstatSync(file);
		// Do not cut off what another process appended.
		const readBack = Buffer.alloc(writtenBytes);
		readSync(file, readBack, 0, writtenBytes, size - writtenBytes);
		if (readBack.equals(line.subarray(0, writtenBytes))) ftruncateSync(file, size - writtenBytes);
		throw Object.assign(new Error(`${writtenBytes} of ${line.length} bytes were written`), {code: 'ENOSPC'});
	} finally {
		closeSync(file);
	}
}

/**
 * Renames the log if it is too long. Locked, since a second process would replace the old log by the new,
 * short one.
 */
function rotateWhenFull(path: string): void {
	if (statSync(path).size <= maxLogBytes) return;
	let lock: Disposable;
	try {
		lock = takeLock(path);
	} catch (error) {
		if (isFailure(error, 'job_running')) return;
		throw error;
	}
	using _lock = lock;
	if (statSync(path).size > maxLogBytes) renameSync(path, path.replace(/ndjson$/, '1.ndjson'));
}
