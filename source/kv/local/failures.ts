import {setTimeout as pause} from 'node:timers/promises';
import {type Advice, Failure, interrupted} from '../../failure.ts';
import {advice, ledge} from '../../text/advice.ts';

/** Primary result codes of SQLite that ledge distinguishes. */
const sqlite = {
	permission: 3,
	busy: 5,
	locked: 6,
	readOnly: 8,
	inputOutput: 10,
	full: 13,
	cannotOpen: 14,
} as const;

const sqliteCode = (error: unknown): number | undefined =>
	error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
		? error.errcode & 0xff
		: undefined;

const systemCode = (error: unknown): string | undefined =>
	error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string'
		? error.code
		: undefined;

/** Whether a file or folder was not there. A path below a file, or without permission to look, is not absent. */
export const isAbsent = (error: unknown): boolean => systemCode(error) === 'ENOENT';

/** Whether what was to be opened is a link, or was behind links that go round in a circle. FreeBSD reports EMLINK. */
export const isLink = (error: unknown): boolean => ['ELOOP', 'EMLINK'].includes(systemCode(error) ?? '');

function isBusy(error: unknown): boolean {
	const code = sqliteCode(error);
	return code === sqlite.busy || code === sqlite.locked;
}

/** Whether SQLite could not open the file as it lies there: no permission, or no place for its shared memory. */
export function isNotOpened(error: unknown): boolean {
	const code = sqliteCode(error);
	return code === sqlite.cannotOpen || code === sqlite.readOnly || code === sqlite.permission;
}

export const damaged = (file: string, why: string, cause?: unknown): Failure =>
	new Failure('local_store_damaged', `The local data in ${file} cannot be read.`, {
		why,
		next: advice`Run \`${ledge('kv local check')}\` to see what is left. To start afresh, move the file away together with its -wal and -shm.`,
		cause,
	});

/** That the value of a key cannot be read, though its row is there: nothing but damage leaves it so. */
export const lostValue = (key: string, why: string): Failure =>
	new Failure('local_store_damaged', `The value of the key ${JSON.stringify(key)} cannot be read.`, {
		why,
		next: advice`Put or delete the key. \`${ledge('kv local check')}\` lists all such keys.`,
	});

/** An error of the file system or of SQLite as a failure that names the file; failures stay as they are. */
export function localFailure(error: unknown, file: string, doing: 'read' | 'written'): Failure {
	if (error instanceof Failure) return error;
	const message = error instanceof Error ? error.message : String(error);
	const fileFailed = (next: Advice): Failure =>
		new Failure('file_failed', `${file} could not be ${doing}.`, {why: message, next, cause: error});
	const code = systemCode(error);
	if (code !== undefined) return fileFailed(nextFor(code));
	switch (sqliteCode(error)) {
		case sqlite.full:
			return fileFailed(nextFor('ENOSPC'));
		case sqlite.permission:
		case sqlite.readOnly:
		case sqlite.cannotOpen:
			return fileFailed(nextFor('EACCES'));
		case sqlite.inputOutput:
			return fileFailed(advice`Check the disk, then run \`${ledge('kv local check')}\`.`);
		case sqlite.busy:
		case sqlite.locked:
			return busy(file, 0);
		case undefined:
			return new Failure('internal', `Something in ledge itself went wrong: ${message}`, {cause: error});
		default:
			return damaged(file, message, error);
	}
}

function nextFor(code: string): string {
	switch (code) {
		case 'ENOSPC':
		case 'EDQUOT':
			return 'Make room on the disk, then do it again.';
		case 'EACCES':
		case 'EPERM':
		case 'EROFS':
			return 'Check who owns the file and its folder, and whether they may be written.';
		case 'ENAMETOOLONG':
			return 'Choose a shorter namespace id: the file system cannot hold this one.';
		case 'EMFILE':
		case 'ENFILE':
			return 'Raise the limit of open files (`ulimit -n`), or close other programs.';
		default:
			return 'Check the path, then do it again.';
	}
}

const busy = (file: string, waited: number): Failure =>
	new Failure('local_store_busy', `The local data in ${file} is locked by another process.`, {
		why: `It was not free within ${Math.round(waited)} ms. A dev server or another command may hold it.`,
		next: 'Do it again; if it stays locked, stop the dev server first.',
	});

/**
 * Does the work, again and again while another process holds the lock, for as long as `patience` (milliseconds).
 * Between attempts everything else in this process goes on, so that an abort is seen.
 */
export async function whenFree<T>(
	file: string,
	patience: number,
	signal: AbortSignal,
	work: () => T,
): Promise<T> {
	let busySince: number | undefined;
	for (;;) {
		if (signal.aborted) throw interrupted();
		try {
			return work();
		} catch (error) {
			if (!isBusy(error)) throw error;
			busySince ??= performance.now();
			const waited = performance.now() - busySince;
			if (waited >= patience) throw busy(file, waited);
		}
		// Not in step with others that wait for the same lock.
		await pause(1 + Math.random() * 9);
	}
}
