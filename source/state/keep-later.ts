import {renameSync} from 'node:fs';
import {dirname} from 'node:path';
import {discard, draftName, fileFailed} from './directory.ts';

/**
 * Like `keepFile`, but the disk is waited for in the background: a sync can take longer than a key may. Put in place
 * only if `isWanted` still holds when all is on disk; returns whether it was. The look and the rename are one step, so
 * that what a signal handler kept meanwhile is never replaced by something older. Fails with `file_failed`.
 */
export async function keepFileLater(
	path: string,
	content: string,
	isWanted: () => boolean,
): Promise<boolean> {
	const {open} = await import('node:fs/promises');
	const draft = draftName(path);
	try {
		const file = await open(draft, 'wx', 0o600);
		try {
			await file.writeFile(content);
			await file.sync();
		} finally {
			await file.close();
		}
		if (!isWanted()) {
			discard(draft);
			return false;
		}
		renameSync(draft, path);
		if (process.platform === 'win32') return true;
		const folder = await open(dirname(path), 'r');
		try {
			await folder.sync();
		} finally {
			await folder.close();
		}
		return true;
	} catch (cause) {
		discard(draft);
		throw fileFailed(`The file ${path} cannot be written.`, cause);
	}
}
