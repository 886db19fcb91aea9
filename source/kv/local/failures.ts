import {setTimeout as pause} from 'node:timers/promises';
import {type Advice, createInterruptedFailure, Failure} from '../../failure.ts';
import {buildAdvice, buildCommand} from '../../text/advice.ts';

/** SQLite primary result codes that ledge distinguishes. */
const sqlite = {
	permission: 3,
	busy: 5,
	locked: 6,
	readOnly: 8,
	inputOutput: 10,
	full: 13,
	cannotOpen: 14,
} as const;

const getSqliteCode = (error: unknown): number | undefined =>
	error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
		? error.errcode & 0xff
		: undefined;

const getSystemCode = (error: unknown): string | undefined =>
	error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string'
		? error.code
		: undefined;

/** True if a file or folder did not exist. A path below a file, or one without permission, is not absent. */
export const isAbsentError = (error: unknown): boolean => getSystemCode(error) === 'ENOENT';

/** True if the path is a link, or leads through circular links. FreeBSD reports EMLINK. */
export const isLinkError = (error: unknown): boolean =>
	['ELOOP', 'EMLINK'].includes(getSystemCode(error) ?? '');

function isBusy(error: unknown): boolean {
	const code = getSqliteCode(error);
	return code === sqlite.busy || code === sqlite.locked;
}

/** True if SQLite could not open the file in place: no permission, or no room for its shared memory. */
export function isOpenError(error: unknown): boolean {
	const code = getSqliteCode(error);
	return code === sqlite.cannotOpen || code === sqlite.readOnly || code === sqlite.permission;
}

export const createStoreDamagedFailure = (file: string, why: string, cause?: unknown): Failure =>
	new Failure('local_store_damaged', `The local data in ${file} cannot be read.`, {
		why,
		next: buildAdvice`Run \`${buildCommand('kv local check')}\` to see what is left. To start over, move the file away together with its -wal and -shm files.`,
		cause,
	});

/**
 * Creates the failure for a key whose value is missing although its row exists, which only damage explains.
 */
export const createLostValueFailure = (key: string, why: string): Failure =>
	new Failure('local_store_damaged', `The value of the key ${JSON.stringify(key)} cannot be read.`, {
		why,
		next: buildAdvice`Put or delete the key. \`${buildCommand('kv local check')}\` lists all such keys.`,
	});

/** Converts a file system or SQLite error to a failure that names the file; returns failures unchanged. */
export function toLocalFailure(error: unknown, file: string, operation: 'read' | 'written'): Failure {
	if (error instanceof Failure) return error;
	const message = error instanceof Error ? error.message : String(error);
	const createFileFailure = (next: Advice): Failure =>
		new Failure('file_failed', `${file} could not be ${operation}.`, {why: message, next, cause: error});
	const code = getSystemCode(error);
	if (code !== undefined) return createFileFailure(adviseOnSystemError(code));
	switch (getSqliteCode(error)) {
		case sqlite.full:
			return createFileFailure(adviseOnSystemError('ENOSPC'));
		case sqlite.permission:
		case sqlite.readOnly:
		case sqlite.cannotOpen:
			return createFileFailure(adviseOnSystemError('EACCES'));
		case sqlite.inputOutput:
			return createFileFailure(buildAdvice`Check the disk, then run \`${buildCommand('kv local check')}\`.`);
		case sqlite.busy:
		case sqlite.locked:
			return createBusyFailure(file, 0);
		case undefined:
			return new Failure('internal', `Something in ledge itself went wrong: ${message}`, {cause: error});
		default:
			return createStoreDamagedFailure(file, message, error);
	}
}

function adviseOnSystemError(code: string): string {
	switch (code) {
		case 'ENOSPC':
		case 'EDQUOT':
			return 'Free up disk space, then try again.';
		case 'EACCES':
		case 'EPERM':
		case 'EROFS':
			return 'Check who owns the file and its folder, and whether they are writable.';
		case 'ENAMETOOLONG':
			return 'Choose a shorter namespace id: this one is too long for the file system.';
		case 'EMFILE':
		case 'ENFILE':
			return 'Raise the limit of open files (`ulimit -n`), or close other programs.';
		default:
			return 'Check the path, then try again.';
	}
}

const createBusyFailure = (file: string, waitedMs: number): Failure =>
	new Failure('local_store_busy', `The local data in ${file} is locked by another process.`, {
		why: `It was not released within ${Math.round(waitedMs)} ms. A dev server or another command may be using it.`,
		next: 'Try again; if it stays locked, stop the dev server first.',
	});

/**
 * Runs work, retrying while another process holds the lock, for up to `patienceMs` milliseconds. The process
 * stays responsive between attempts, so an abort is noticed.
 */
export async function retryWhileBusy<T>(
	file: string,
	patienceMs: number,
	signal: AbortSignal,
	work: () => T,
): Promise<T> {
	let busySince: number | undefined;
	for (;;) {
		if (signal.aborted) throw createInterruptedFailure();
		try {
			return work();
		} catch (error) {
			if (!isBusy(error)) throw error;
			busySince ??= performance.now();
			const waitedMs = performance.now() - busySince;
			if (waitedMs >= patienceMs) throw createBusyFailure(file, waitedMs);
		}
		// Random, to avoid lockstep with other waiting processes.
		await pause(1 + Math.random() * 9);
	}
}
