import {chmodSync, cpSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {getStateDirectory} from '../../../source/state/directory.ts';
import {createScratchFolder} from '../../support/ledge.ts';

/** A process id that no process has. */
const unusedPid = 2 ** 31 - 1;

/**
 * Copies the state directory, as a process that is killed now would leave it: with its locks, whose holder no
 * longer runs. The process does not know the copy. Returns its folder.
 */
export function copyStateOfKilled(environment: Readonly<Record<string, string>>): string {
	const folder = getStateDirectory(environment);
	if (folder === undefined) throw new Error('There is no state directory.');
	const stateCopy = createScratchFolder();
	cpSync(folder, stateCopy, {recursive: true, preserveTimestamps: true});
	chmodSync(stateCopy, 0o700);
	for (const name of readdirSync(stateCopy, {recursive: true, encoding: 'utf8'})) {
		if (!/\.lock\.\d+$/.test(name)) continue;
		const lock = join(stateCopy, name);
		writeFileSync(lock, JSON.stringify({...JSON.parse(readFileSync(lock, 'utf8')), pid: unusedPid}));
	}
	return stateCopy;
}
