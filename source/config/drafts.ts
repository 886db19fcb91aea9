import {mkdtempSync, readdirSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {type Environment, keepFile, openStateDirectory} from './state.ts';

/** How long an edit that was not saved is kept, in milliseconds (decision 28). */
const kept = 7 * 24 * 60 * 60 * 1000;

/**
 * Keeps what someone wrote and could not save, in a file that only they can read, and gives its path. Without a
 * state directory it lies in a folder of its own among the temporary files. Older drafts are cleared away.
 */
export function keepDraft(content: Uint8Array, environment: Environment, now: number = Date.now()): string {
	const folder = draftFolder(environment);
	for (const name of readdirSync(folder)) {
		const file = join(folder, name);
		if (now - statSync(file).mtimeMs > kept) rmSync(file, {force: true});
	}
	const path = join(folder, `${new Date(now).toISOString().replaceAll(':', '')}-${process.pid}`);
	keepFile(path, content);
	return path;
}

function draftFolder(environment: Environment): string {
	try {
		return openStateDirectory(environment, 'drafts');
	} catch {
		// No home, or a read-only one: what was written must be kept all the same.
		return mkdtempSync(join(tmpdir(), 'ledge-draft-'));
	}
}
