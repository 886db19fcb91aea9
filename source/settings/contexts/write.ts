import {chmodSync} from 'node:fs';
import {Failure} from '../../failure.ts';
import type {Environment} from '../../state/directory.ts';
import {replaceFile} from '../../state/replace-file.ts';
import {createOwnFile, formatOwnPath} from '../own-file.ts';
import {applyContextChange, type ContextChange} from './edit.ts';
import {contextsNoun, getContextsFile, readContexts} from './file.ts';

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
	const changedText = await applyContextChange(text, change, formatOwnPath(file, env));
	if (changedText === text || dryRun) return file;
	if (bytesBefore) {
		replaceFile(file, bytesBefore, changedText);
		chmodSync(file, 0o600);
		return file;
	}
	createOwnFile(contextsNoun, file, changedText);
	return file;
}
