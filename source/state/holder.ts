import {readFileSync, readlinkSync} from 'node:fs';
import {hostname} from 'node:os';
import {isJsonObject} from '../text/json.ts';
import {errorCode} from './directory.ts';

/**
 * Who holds a file. A process id means a process only on one machine, between two starts of it, and in one PID
 * namespace (a container has its own): `machine`, `boot` and `space` name those, where the system has them, and are
 * null in what older versions wrote. `started` distinguishes a process from a later one with the same id.
 */
export type Holder = {
	readonly pid: number;
	readonly host: string;
	readonly started: string | null;
	readonly machine: string | null;
	readonly boot: string | null;
	readonly space: string | null;
};

/** In the names of files of this process, which share none with those of another. No secret: `node:crypto` takes 5 ms. */
export const processMark = Math.floor(Math.random() * 2 ** 48)
	.toString(16)
	.padStart(12, '0');

export const thisProcess = (): Holder => ({
	pid: process.pid,
	host: hostname(),
	started: statusOf(process.pid)?.started ?? null,
	machine: fromSystem(() => readFileSync('/etc/machine-id', 'latin1').trim()),
	boot: fromSystem(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()),
	space: fromSystem(() => readlinkSync('/proc/self/ns/pid')),
});

/** Null on a system that has no such file. */
function fromSystem(read: () => string): string | null {
	try {
		return read() || null;
	} catch {
		return null;
	}
}

/** The holder in parsed JSON, if it is one. */
export function readHolder(json: unknown): Holder | undefined {
	if (!isJsonObject(json)) return undefined;
	const {pid, host} = json;
	// An id of 0 or less names groups of processes: asking for those would find this one.
	if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0 || typeof host !== 'string')
		return undefined;
	const {started, machine, boot, space} = json;
	return {
		...{pid, host},
		...{started: textOf(started), machine: textOf(machine), boot: textOf(boot), space: textOf(space)},
	};
}

const textOf = (json: unknown): string | null => (typeof json === 'string' ? json : null);

/** `out of sight`: its process id means nothing here, so that nobody here can find out whether it lives. */
type Standing = 'lives' | 'gone' | 'out of sight';

/** What is known here about a process that holds a file. `own` is this process. */
export function standingOf(holder: Holder, own: Holder = thisProcess()): Standing {
	if (holder.boot !== null && holder.boot === own.boot) {
		// One machine, whatever it is called by now: only the namespace decides.
		return holder.space === own.space ? livesHere(holder) : 'out of sight';
	}
	if (holder.host !== own.host) return 'out of sight';
	// Without its boot nothing but the name of the machine is known: so it was with every older version.
	if (holder.boot === null) return livesHere(holder);
	// Two machines may have one name. Only if it is this one has it been started again since, and everything is gone.
	return holder.machine !== null && holder.machine === own.machine ? 'gone' : 'out of sight';
}

export const isSame = (one: Holder, other: Holder): boolean =>
	(['pid', 'host', 'started', 'boot', 'space'] as const).every(part => one[part] === other[part]);

/** Who it is, in words, with where its id means a process. */
export function holderWords(holder: Holder, own: Holder = thisProcess()): string {
	const isNear = holder.boot !== null && holder.boot === own.boot && holder.space !== own.space;
	return `process ${holder.pid}${isNear ? ' in another container' : ''} on ${holder.host}`;
}

/** That a process holds something, as a sentence without its full stop. */
export function holdingWords(holder: Holder): string {
	const own = thisProcess();
	const who = holderWords(holder, own);
	return standingOf(holder, own) === 'out of sight'
		? `${who} holds it; whether it still runs cannot be checked from here`
		: `${who} works on it`;
}

const livesHere = ({pid, started}: Holder): Standing => (lives(pid, started) ? 'lives' : 'gone');

function lives(pid: number, started: string | null): boolean {
	try {
		process.kill(pid, 0);
	} catch (error) {
		// EPERM: it lives, and belongs to someone else.
		if (errorCode(error) !== 'EPERM') return false;
	}
	const now = statusOf(pid);
	if (!now) return true;
	// A process that nobody has asked for its end yet: it no longer does anything.
	if (now.state === 'Z') return false;
	return started === null || started === now.started;
}

/** What the system reports about a process, start time in its own words; nothing where that is not to be had cheaply. */
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
