import {homedir} from 'node:os';
import {isAbsolute, join} from 'node:path';
import type {Variables} from '../settings/variables.ts';
import {statusOfPath} from '../state/directory.ts';

/** Where this machine keeps its files, and the time now; all known by themselves, given by tests. */
export type Machine = {
	readonly home?: string;
	readonly platform?: NodeJS.Platform;
	readonly now?: () => Date;
};

/** wrangler's folder of configuration files. */
export type WranglerFolder = {
	readonly path: string;
	readonly platform: NodeJS.Platform;
	/** A path as it is shown: `~` for the home folder. */
	shown(path: string): string;
};

/** wrangler's folder of configuration files; nothing for a user without a home. It need not exist. */
export function wranglerFolder(variables: Variables, machine: Machine): WranglerFolder | undefined {
	const platform = machine.platform ?? process.platform;
	const home = machine.home ?? homeFolder(variables, platform);
	if (home === undefined) return undefined;
	return {
		path: folderIn(home, variables, platform),
		platform,
		shown: path => (path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path),
	};
}

/** The old folder `~/.wrangler` if that exists, else `.wrangler` below `$XDG_CONFIG_HOME` or what the system has in its place. */
function folderIn(home: string, variables: Variables, platform: NodeJS.Platform): string {
	const old = join(home, '.wrangler');
	if (statusOfPath(old)?.isDirectory()) return old;
	const configured = variables('XDG_CONFIG_HOME')?.value;
	const folder =
		configured !== undefined && isAbsolute(configured) ? configured : systemFolder(variables, home, platform);
	return join(folder, '.wrangler');
}

function systemFolder(variables: Variables, home: string, platform: NodeJS.Platform): string {
	if (platform === 'darwin') return join(home, 'Library', 'Preferences');
	if (platform === 'win32')
		return join(variables('APPDATA')?.value ?? join(home, 'AppData', 'Roaming'), 'xdg.config');
	return join(home, '.config');
}

/** As `homedir` finds it, but in the variables in force. */
function homeFolder(variables: Variables, platform: NodeJS.Platform): string | undefined {
	try {
		return variables(platform === 'win32' ? 'USERPROFILE' : 'HOME')?.value ?? homedir();
	} catch {
		// A user without an entry in the system's list has no home, and so no login there.
		return undefined;
	}
}
