import {renameSync} from 'node:fs';
import {dirname} from 'node:path';
import {buildTemporaryPath, createFileFailure, discardPath} from './directory.ts';

/**
 * Like `writePrivateFile`, asynchronously: a sync can take longer than a key press may. Puts the file in
 * place only if `isWanted` still holds once all is on disk, and returns whether it did. Check and rename are
 * one step, so that older content never replaces what a signal handler wrote. Fails with `file_failed`.
 */
export async function writePrivateFileIfWanted(
	path: string,
	content: string,
	isWanted: () => boolean,
): Promise<boolean> {
	const {open} = await import('node:fs/promises');
	const temporaryPath = buildTemporaryPath(path);
	try {
		const file = await open(temporaryPath, 'wx', 0o600);
		try {
			await file.writeFile(content);
			await file.sync();
		} finally {
			await file.close();
		}
		if (!isWanted()) {
			discardPath(temporaryPath);
			return false;
		}
		renameSync(temporaryPath, path);
		if (process.platform === 'win32') return true;
		const folder = await open(dirname(path), 'r');
		try {
			await folder.sync();
		} finally {
			await folder.close();
		}
		return true;
	} catch (cause) {
		discardPath(temporaryPath);
		throw createFileFailure(`The file ${path} cannot be written.`, cause);
	}
}
