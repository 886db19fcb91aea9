import {closeSync, constants, fstatSync, openSync, renameSync, writeSync} from 'node:fs';
import {join} from 'node:path';
import {asFailure, type Failure} from '../failure.ts';
import {type Environment, openStateDirectory, stateDirectory} from './state.ts';

/** A line of the audit log (decision 23). Never holds the value of a key, nor a credential. */
export type AuditEntry = {
	/** Where it was written to: the label of the store or account. */
	readonly target: string;
	/** What was done: `put user:1`. */
	readonly what: string;
	/** `done`, or the code of the failure. */
	readonly result: string;
};

/** The log is begun anew at this size; the one before stays beside it as `audit.1.ndjson`. */
const mostBytes = 5_000_000;

/** Where the audit log is, whether or not there is one yet. */
export function auditLog(environment: Environment): string | undefined {
	const directory = stateDirectory(environment);
	return directory === undefined ? undefined : join(directory, 'audit.ndjson');
}

/**
 * Adds a line to the audit log. What is in the way (no home, a read-only one, a full disk) never makes the write
 * fail that it tells of: it is returned, for `--verbose` and `ledge config`.
 */
export function appendAudit(
	entry: AuditEntry,
	environment: Environment,
	now: number = Date.now(),
): Failure | undefined {
	try {
		const path = join(openStateDirectory(environment), 'audit.ndjson');
		const {target, what, result} = entry;
		const line = `${JSON.stringify({time: new Date(now).toISOString(), target, what, result})}\n`;
		if (append(path, line) + line.length > mostBytes) renameSync(path, path.replace(/ndjson$/, '1.ndjson'));
		return undefined;
	} catch (error) {
		return asFailure(error);
	}
}

/** One write in append mode, so that lines of several processes never mix. Gives the size before it. */
function append(path: string, line: string): number {
	const {O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0} = constants;
	const file = openSync(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600);
	try {
		const {size} = fstatSync(file);
		writeSync(file, line);
		return size;
	} finally {
		closeSync(file);
	}
}
