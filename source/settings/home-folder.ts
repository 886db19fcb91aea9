import {join, sep} from 'node:path';

/** Expands `~` at the start of a path to the home folder. Shells do not in `local:ID@~/FOLDER`. */
export const expandHome = (path: string, home: string | undefined): string =>
	home !== undefined && (path === '~' || path.startsWith(`~${sep}`)) ? join(home, path.slice(1)) : path;
