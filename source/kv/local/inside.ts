import {lstatSync, type Stats} from 'node:fs';
import {damaged, isAbsent} from './failures.ts';

/**
 * What is under a path, not followed if it is a link; `undefined` only if nothing is. Other errors of the system are
 * thrown: what cannot be looked at is not absent.
 */
export function statusOf(path: string): Stats | undefined {
	try {
		return lstatSync(path);
	} catch (error) {
		if (isAbsent(error)) return undefined;
		throw error;
	}
}

/**
 * Fails with `local_store_damaged` where one of these folders is a link. Local data comes with a checkout or an archive of
 * someone else: a link in it would have files read, and written, that are not part of it.
 */
export function refuseLinks(...folders: readonly string[]): void {
	for (const folder of folders)
		if (statusOf(folder)?.isSymbolicLink())
			throw damaged(folder, 'It is a symbolic link, and only what is inside the local data is used.');
}

/** Whether there is such a file. Fails with `local_store_damaged` where it is a link, a pipe or anything but a file. */
export function isRegularFile(file: string): boolean {
	const status = statusOf(file);
	if (status && !status.isFile()) throw damaged(file, 'It is not a regular file.');
	return status !== undefined;
}
