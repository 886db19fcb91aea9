import {
	accessSync,
	closeSync,
	constants,
	existsSync,
	fchmodSync,
	fchownSync,
	fstatSync,
	fsyncSync,
	openSync,
	realpathSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import {dirname} from 'node:path';
import {Failure, isFailure} from '../../failure.ts';
import {claimFile} from '../../state/claim.ts';
import {createFileAtomically, getErrorCode, writeFileAtomically} from '../../state/directory.ts';

/**
 * Claims the file of `--output` until disposed, before the work starts. Fails with `file_exists` if anything
 * exists there and `overwrite` is false, and with `job_running` if another process is writing the file.
 */
export function claimOutputFile(path: string, overwrite: boolean): Disposable | undefined {
	const claim = canWriteAtomically(path) ? claimFile(resolveLink(path)) : undefined;
	if (overwrite || !existsSync(path)) return claim;
	claim?.[Symbol.dispose]();
	throw buildFileExistsFailure(path);
}

/**
 * Writes the file of `--output` atomically, replacing an existing one only if `overwrite`. Devices, pipes and
 * files in a read-only folder are written in place, whatever `overwrite` is: `claimOutputFile` checks before.
 * A regular file is synced to disk on return.
 */
export function writeOutputFile(path: string, content: string | Uint8Array, overwrite: boolean): void {
	try {
		if (!canWriteAtomically(path)) writeInPlace(path, content);
		else if (overwrite) replaceOutputFile(resolveLink(path), content);
		else createFileAtomically(path, content, cause => buildFileExistsFailure(path, cause), 0o666);
	} catch (cause) {
		if (isFailure(cause)) throw cause;
		throw new Failure('file_failed', `Can't write the file "${path}".`, {
			why: cause instanceof Error ? cause.message : String(cause),
			next: 'Check the folder, its permissions, and the free disk space.',
			cause,
		});
	}
}

/**
 * Returns false for a device or pipe, and for a file in a folder that is not writable: such files are written
 * in place.
 */
function canWriteAtomically(path: string): boolean {
	const stats = statSync(path, {throwIfNoEntry: false});
	if (!stats) return true;
	if (!stats.isFile()) return false;
	try {
		accessSync(dirname(resolveLink(path)), constants.W_OK);
		return true;
	} catch {
		// Writing shows whether the file itself is writable.
		return false;
	}
}

/** Returns the target of a symbolic link, so that the link itself is not replaced. */
const resolveLink = (path: string): string => (existsSync(path) ? realpathSync(path) : path);

function replaceOutputFile(path: string, content: string | Uint8Array): void {
	const previousStats = statSync(path, {throwIfNoEntry: false});
	writeFileAtomically(path, content, {
		mode: 0o666,
		prepare: descriptor => previousStats && copyOwnerAndMode(descriptor, previousStats),
	});
}

function copyOwnerAndMode(
	descriptor: number,
	{mode, uid, gid}: {mode: number; uid: number; gid: number},
): void {
	const currentStats = fstatSync(descriptor);
	try {
		if (currentStats.uid !== uid || currentStats.gid !== gid) fchownSync(descriptor, uid, gid);
	} catch (cause) {
		// Only root can give a file away; without that, the current user becomes its owner.
		if (getErrorCode(cause) !== 'EPERM') throw cause;
	}
	fchmodSync(descriptor, mode & 0o777);
}

function writeInPlace(path: string, content: string | Uint8Array): void {
	const descriptor = openSync(path, 'w');
	try {
		writeFileSync(descriptor, content);
		// A pipe or terminal cannot be synced.
		if (fstatSync(descriptor).isFile()) fsyncSync(descriptor);
	} finally {
		closeSync(descriptor);
	}
}

const buildFileExistsFailure = (path: string, cause?: unknown): Failure =>
	new Failure('file_exists', `The file "${path}" already exists.`, {
		next: 'Choose another file, or add --yes to overwrite it.',
		cause,
	});
