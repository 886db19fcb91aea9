import {homedir} from 'node:os';
import {isAbsolute, join} from 'node:path';
import type {Variables} from '../settings/variables.ts';
import {getPathStatus} from '../state/directory.ts';
import {attempt} from '../text/attempt.ts';

/** Properties of this machine, replaceable by tests. */
export type Machine = {
	readonly home?: string;
	readonly platform?: NodeJS.Platform;
	readonly now?: () => Date;
};

/** wrangler's configuration folder. */
export type WranglerFolder = {
	readonly path: string;
	readonly platform: NodeJS.Platform;
	/** Formats a path with `~` for the home folder. */
	formatPath(path: string): string;
};

/**
 * Returns wrangler's configuration folder, which may not exist; undefined for a user without a home folder.
 */
export function findWranglerFolder(readVariable: Variables, machine: Machine): WranglerFolder | undefined {
	const platform = machine.platform ?? process.platform;
	const home = machine.home ?? getHomeFolder(readVariable, platform);
	if (home === undefined) return undefined;
	return {
		path: chooseFolder(home, readVariable, platform),
		platform,
		formatPath: path => (path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path),
	};
}

/**
 * Returns the old `~/.wrangler` if it exists, else `.wrangler` in `$XDG_CONFIG_HOME` or the system's
 * equivalent.
 */
function chooseFolder(home: string, readVariable: Variables, platform: NodeJS.Platform): string {
	const legacyFolder = join(home, '.wrangler');
	if (getPathStatus(legacyFolder)?.isDirectory()) return legacyFolder;
	const configuredFolder = readVariable('XDG_CONFIG_HOME')?.value;
	const folder =
		configuredFolder !== undefined && isAbsolute(configuredFolder)
			? configuredFolder
			: getSystemFolder(readVariable, home, platform);
	return join(folder, '.wrangler');
}

function getSystemFolder(readVariable: Variables, home: string, platform: NodeJS.Platform): string {
	if (platform === 'darwin') return join(home, 'Library', 'Preferences');
	if (platform === 'win32')
		return join(readVariable('APPDATA')?.value ?? join(home, 'AppData', 'Roaming'), 'xdg.config');
	return join(home, '.config');
}

/** Returns the home folder: from these variables, else from the system. */
function getHomeFolder(readVariable: Variables, platform: NodeJS.Platform): string | undefined {
	const name = platform === 'win32' ? 'USERPROFILE' : 'HOME';
	// A user without an entry in the password database has no home folder, and thus no login.
	return attempt(() => readVariable(name)?.value ?? homedir());
}
