import {chmodSync, cpSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {getStateDirectory} from '../../../source/state/directory.ts';
import {scratch} from '../../support/ledge.ts';

/** No process has it. */
const nobody = 2 ** 31 - 1;

/**
 * A state directory as a process leaves it that is killed now: what is on disk at this moment, in a folder that it no
 * longer reaches, with its locks, whose holder is gone.
 */
export function leftState(environment: Readonly<Record<string, string>>): string {
	const folder = getStateDirectory(environment);
	if (folder === undefined) throw new Error('There is no state directory.');
	const left = scratch();
	cpSync(folder, left, {recursive: true, preserveTimestamps: true});
	chmodSync(left, 0o700);
	for (const name of readdirSync(left, {recursive: true, encoding: 'utf8'})) {
		if (!/\.lock\.\d+$/.test(name)) continue;
		const lock = join(left, name);
		writeFileSync(lock, JSON.stringify({...JSON.parse(readFileSync(lock, 'utf8')), pid: nobody}));
	}
	return left;
}
