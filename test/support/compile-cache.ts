import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** The variable that names a folder for what Node compiles, for the programs that tests start. */
export const cacheVariable = 'TEST_COMPILE_CACHE';

/** One folder for a whole run: each of the many processes would compile the program anew otherwise. */
export function setup(): () => void {
	const folder = mkdtempSync(join(tmpdir(), 'ledge-cache-'));
	process.env[cacheVariable] = folder;
	return () => rmSync(folder, {recursive: true, force: true});
}
