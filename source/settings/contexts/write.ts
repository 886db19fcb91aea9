import {chmodSync, existsSync, linkSync, renameSync, rmSync, statSync} from 'node:fs';
import {dirname} from 'node:path';
import {Failure} from '../../failure.ts';
import {
	createFileFailure,
	type Environment,
	getErrorCode,
	makeFolder,
	writeFileAtomically,
} from '../../state/directory.ts';
import {replaceFile} from '../../state/replace-file.ts';
import {applyContextChange, type ContextChange} from './edit.ts';
import {formatContextsPath, getContextsFile, readContexts, refuseForeignWriters} from './file.ts';

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
	const file = getContextsFile(env);
	if (file === undefined) {
		throw new Failure('file_failed', 'There is no place to store contexts.', {
			why: 'Neither XDG_CONFIG_HOME nor HOME is set.',
			next: 'Set XDG_CONFIG_HOME to a folder of your own.',
		});
	}
	const bytesBefore = (await readContexts(env))?.bytes;
	const text = bytesBefore?.toString('utf8') ?? '';
	const changedText = await applyContextChange(text, change, formatContextsPath(file, env));
	if (changedText === text || dryRun) return file;
	if (bytesBefore) {
		replaceFile(file, bytesBefore, changedText);
		chmodSync(file, 0o600);
		return file;
	}
	try {
		makeFolder(dirname(file), 0o700);
	} catch (cause) {
		throw createFileFailure(`The folder ${dirname(file)} cannot be created.`, cause);
	}
	refuseForeignWriters('folder', dirname(file), statSync(dirname(file)));
	try {
		writeFileAtomically(file, changedText, {
			moveIntoPlace: temporaryPath => linkNewFile(temporaryPath, file),
		});
	} catch (cause) {
		throw createFileFailure(`The file ${file} cannot be written.`, cause);
	}
	return file;
}

function linkNewFile(temporaryPath: string, file: string): void {
	try {
		// Unlike a rename, a link never replaces a file that another process created.
		linkSync(temporaryPath, file);
		rmSync(temporaryPath);
	} catch (cause) {
		if (getErrorCode(cause) === 'EEXIST' || existsSync(file))
			throw new Failure(
				'changed_meanwhile',
				`${file} was created by someone else; nothing was written to it.`,
				{
					next: 'Check the file, then try again.',
				},
			);
		// The file system has no links.
		renameSync(temporaryPath, file);
	}
}
