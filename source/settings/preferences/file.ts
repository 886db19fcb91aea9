import {isFailure, toFailure} from '../../failure.ts';
import type {Environment} from '../../state/directory.ts';
import {formatOwnPath, getOwnFile, readOwnFile} from '../own-file.ts';
import type {Preferences} from './preferences.ts';

export const preferencesNoun = 'the configuration file';

/** Returns the path of the user's `config.toml`, see `getOwnFile`. Does not access the file. */
export const getPreferencesFile = (env: Environment): string | undefined => getOwnFile('config.toml', env);

/**
 * Reads the preferences, if the file exists. Never fails: a file that cannot be read, or that others can
 * write, is a problem of line 0 and sets nothing.
 */
export async function readPreferences(env: Environment): Promise<Preferences | undefined> {
	const file = getPreferencesFile(env);
	if (file === undefined) return undefined;
	const shownAs = formatOwnPath(file, env);
	try {
		const bytes = readOwnFile(preferencesNoun, file);
		if (!bytes) return undefined;
		const {parsePreferences} = await import('./read.ts');
		return {file, shownAs, ...(await parsePreferences(bytes.toString('utf8'), shownAs))};
	} catch (error) {
		if (!isFailure(error, 'configuration_invalid')) throw error;
		const {message, details} = toFailure(error);
		const text = `${message} Nothing in it is used. ${details.why ?? ''}`.trimEnd();
		return {
			file,
			shownAs,
			defaults: {},
			keys: {settings: []},
			theme: {roles: {}},
			commands: [],
			problems: [{line: 0, column: 0, text}],
		};
	}
}
