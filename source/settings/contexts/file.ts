import type {Environment} from '../../state/directory.ts';
import {formatOwnPath, getOwnFile, readOwnFile} from '../own-file.ts';
import type {ContextsFile} from './context.ts';

export const contextsNoun = 'the contexts file';

/** Returns the path of the file of contexts, see `getOwnFile`. Does not access the file. */
export const getContextsFile = (env: Environment): string | undefined => getOwnFile('contexts.toml', env);

/**
 * Reads the contexts, if the file exists. Fails with `configuration_invalid` if others can write the file or
 * its folder, which decides which account is written to, or if it is unreadable or malformed.
 */
export async function readContexts(env: Environment): Promise<ContextsFile | undefined> {
	const file = getContextsFile(env);
	const bytes = file === undefined ? undefined : readOwnFile(contextsNoun, file);
	if (file === undefined || !bytes) return undefined;
	const {parseContexts} = await import('./read.ts');
	return parseContexts(bytes, file, formatOwnPath(file, env));
}
