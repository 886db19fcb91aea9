import {readFileSync} from 'node:fs';

/** True for a process that has not ended. A zombie has, though nothing has asked for its status yet. */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
	} catch {
		return false;
	}
}
