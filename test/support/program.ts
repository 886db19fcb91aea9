import {resolve} from 'node:path';
import {cacheVariable} from './compile-cache.ts';

/** The built program. `npm test` builds it before the tests run. */
export const program = resolve(import.meta.dirname, '../../dist/ledge.cjs');

/**
 * Creates the environment of a user who has set nothing: a new HOME, no credential, no terminal variables.
 */
export function createUnconfiguredEnvironment(
	home: string,
	more: Readonly<Record<string, string>> = {},
): Record<string, string> {
	const cache = process.env[cacheVariable];
	return {
		PATH: process.env.PATH ?? '',
		HOME: home,
		LANG: 'C.UTF-8',
		TZ: 'UTC',
		...(cache && {XDG_CACHE_HOME: cache}),
		...more,
	};
}
