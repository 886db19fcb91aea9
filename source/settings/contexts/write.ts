import {chmodSync, existsSync, linkSync, renameSync, rmSync, statSync} from 'node:fs';
import {dirname} from 'node:path';
import {Failure} from '../../failure.ts';
import {type Environment, errorCode, fileFailed, makeFolder, settle} from '../../state/directory.ts';
import {replaceFile} from '../../state/replace-file.ts';
import {type ContextChange, changedContexts} from './edit.ts';
import {contextsFile, readContexts, refuseOthers, shownFile} from './file.ts';

/**
 * Changes the file of contexts and returns its path; with `dryRun` only checks that it could. Afterwards only
 * its owner can read it (0600); creates a missing file with its folder. Fails like `applyContextChange`, with
 * `changed_meanwhile` and `file_failed`.
 */
export async function changeContexts(
	change: ContextChange,
	env: Environment,
	{dryRun = false}: {readonly dryRun?: boolean | undefined} = {},
): Promise<string> {
	const file = contextsFile(env);
	if (file === undefined) {
		throw new Failure('file_failed', 'There is no place to keep contexts.', {
			why: 'Neither XDG_CONFIG_HOME nor HOME is set.',
			next: 'Set XDG_CONFIG_HOME to a folder of your own.',
		});
	}
	const before = (await readContexts(env))?.bytes;
	const text = before?.toString('utf8') ?? '';
	const changed = await changedContexts(text, change, shownFile(file, env));
	if (changed === text || dryRun) return file;
	if (before) {
		replaceFile(file, before, changed);
		chmodSync(file, 0o600);
		return file;
	}
	try {
		makeFolder(dirname(file), 0o700);
	} catch (cause) {
		throw fileFailed(`The folder ${dirname(file)} cannot be made.`, cause);
	}
	refuseOthers('folder', dirname(file), statSync(dirname(file)));
	try {
		settle(file, changed, {place: draft => placeNew(draft, file)});
	} catch (cause) {
		throw fileFailed(`The file ${file} cannot be written.`, cause);
	}
	return file;
}

function placeNew(draft: string, file: string): void {
	try {
		// Unlike a rename, a link never replaces a file that another process created.
		linkSync(draft, file);
		rmSync(draft);
	} catch (cause) {
		if (errorCode(cause) === 'EEXIST' || existsSync(file))
			throw new Failure('changed_meanwhile', `${file} was made by someone else; nothing was written to it.`, {
				next: 'Look at the file, then try again.',
			});
		// The file system has no links.
		renameSync(draft, file);
	}
}
