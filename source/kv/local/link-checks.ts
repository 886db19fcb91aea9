import {lstatSync, type Stats} from 'node:fs';
import {createStoreDamagedFailure, isAbsentError} from './failures.ts';

/**
 * Returns the status of a path without following links; undefined if it does not exist. Throws other system
 * errors: a path that cannot be examined is not absent.
 */
export function readLinkStatus(path: string): Stats | undefined {
	try {
		return lstatSync(path);
	} catch (error) {
		if (isAbsentError(error)) return undefined;
		throw error;
	}
}

/**
 * Fails with `local_store_damaged` if a folder is a link. Local data may come from someone else's checkout or
 * archive: a link would make ledge read and write files outside it.
 */
export function refuseLinks(...folders: readonly string[]): void {
	for (const folder of folders)
		if (readLinkStatus(folder)?.isSymbolicLink())
			throw createStoreDamagedFailure(
				folder,
				'It is a symbolic link, and ledge only uses files inside the local data.',
			);
}

/**
 * Returns whether the file exists. Fails with `local_store_damaged` if it is anything but a regular file,
 * such as a link or a pipe.
 */
export function checkRegularFile(file: string): boolean {
	const status = readLinkStatus(file);
	if (status && !status.isFile()) throw createStoreDamagedFailure(file, 'It is not a regular file.');
	return status !== undefined;
}
