import {readFileSync} from 'node:fs';
import {hostname} from 'node:os';
import {isJsonObject} from '../json.ts';
import {errorCode} from './state.ts';

/** Who holds a file. `started` tells a process from a later one with the same id, where the system says it. */
export type Holder = {readonly pid: number; readonly host: string; readonly started: string | null};

/** In the names of files of this process, which share none with those of another. No secret: `node:crypto` takes 5 ms. */
export const processMark = Math.floor(Math.random() * 2 ** 48)
	.toString(16)
	.padStart(12, '0');

export const thisProcess = (): Holder => ({
	pid: process.pid,
	host: hostname(),
	started: statusOf(process.pid)?.started ?? null,
});

/** The holder that parsed JSON tells of, if it is one. */
export function readHolder(json: unknown): Holder | undefined {
	if (!isJsonObject(json)) return undefined;
	const {pid, host, started} = json;
	if (typeof pid !== 'number' || typeof host !== 'string') return undefined;
	return {pid, host, started: typeof started === 'string' ? started : null};
}

/** Whether a process of this machine lives; it says nothing about one of another. */
export function lives({pid, started}: Holder): boolean {
	try {
		process.kill(pid, 0);
	} catch (error) {
		// EPERM: it lives, and belongs to someone else.
		if (errorCode(error) !== 'EPERM') return false;
	}
	const now = statusOf(pid);
	if (!now) return true;
	// A process that nobody has asked for its end yet: it does nothing any more.
	if (now.state === 'Z') return false;
	return started === null || started === now.started;
}

/** What the system says of a process, start time in its own words; nothing where that is not to be had cheaply. */
function statusOf(pid: number): {readonly state: string; readonly started: string | null} | undefined {
	try {
		const fields = readFileSync(`/proc/${pid}/stat`, 'latin1');
		// The name of the program, in parentheses, may hold anything: count behind it. Start time is field 22.
		const [state = '', ...more] = fields.slice(fields.lastIndexOf(')') + 2).split(' ');
		return {state, started: more[18] ?? null};
	} catch {
		// No /proc on this system: the process id alone must do.
		return undefined;
	}
}
