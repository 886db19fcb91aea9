import {readFileSync, readlinkSync} from 'node:fs';
import {hostname} from 'node:os';
import {attempt} from '../text/attempt.ts';
import {isJsonObject} from '../text/json.ts';
import {getErrorCode} from './directory.ts';

/**
 * Holder of a file. A process id identifies a process only on one machine, in one boot and one PID namespace
 * (containers have their own): `machine`, `boot` and `space` name those if the system has them, and are null
 * from older versions. `started` distinguishes reused process ids.
 */
export type Holder = {
	readonly pid: number;
	readonly host: string;
	readonly started: string | null;
	readonly machine: string | null;
	readonly boot: string | null;
	readonly space: string | null;
};

/** Marks file names of this process. Not a secret: `node:crypto` would take 5 ms to load. */
export const processMark = Math.floor(Math.random() * 2 ** 48)
	.toString(16)
	.padStart(12, '0');

export const getThisProcess = (): Holder => ({
	pid: process.pid,
	host: hostname(),
	started: readProcessStatus(process.pid)?.started ?? null,
	machine: readFromSystem(() => readFileSync('/etc/machine-id', 'latin1').trim()),
	boot: readFromSystem(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()),
	space: readFromSystem(() => readlinkSync('/proc/self/ns/pid')),
});

/** Returns null if the system has no such file. */
const readFromSystem = (read: () => string): string | null => attempt(read) || null;

/** Reads a holder from parsed JSON; undefined if invalid. */
export function readHolder(json: unknown): Holder | undefined {
	if (!isJsonObject(json)) return undefined;
	const {pid, host} = json;
	// Ids of 0 or less are process groups, and would match this process.
	if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0 || typeof host !== 'string')
		return undefined;
	const {started, machine, boot, space} = json;
	return {
		...{pid, host},
		...{started: toText(started), machine: toText(machine), boot: toText(boot), space: toText(space)},
	};
}

const toText = (json: unknown): string | null => (typeof json === 'string' ? json : null);

/**
 * `out of sight`: the process id means nothing in this system or container, so it is unknown whether the
 * process lives.
 */
type HolderState = 'lives' | 'gone' | 'out of sight';

/** Returns whether the holding process lives, if that can be checked from `thisProcess`. */
export function getHolderState(holder: Holder, thisProcess: Holder = getThisProcess()): HolderState {
	if (holder.boot !== null && holder.boot === thisProcess.boot) {
		// Same machine, whatever its current name: only the namespace matters.
		return holder.space === thisProcess.space ? getLocalHolderState(holder) : 'out of sight';
	}
	if (holder.host !== thisProcess.host) return 'out of sight';
	// Without a boot id, as in older versions, only the machine's name is known.
	if (holder.boot === null) return getLocalHolderState(holder);
	// Two machines may share a name. If it is this one, it has rebooted and the process is gone.
	return holder.machine !== null && holder.machine === thisProcess.machine ? 'gone' : 'out of sight';
}

export const isSameHolder = (one: Holder, other: Holder): boolean =>
	(['pid', 'host', 'started', 'boot', 'space'] as const).every(
		holderField => one[holderField] === other[holderField],
	);

/** Formats a holder, with its container or host. */
export function formatHolder(holder: Holder, thisProcess: Holder = getThisProcess()): string {
	const isInOtherContainer =
		holder.boot !== null && holder.boot === thisProcess.boot && holder.space !== thisProcess.space;
	return `process ${holder.pid}${isInOtherContainer ? ' in another container' : ''} on ${holder.host}`;
}

/** Describes that a process works on something, or may do so; without a full stop. */
export function describeHolding(holder: Holder): string {
	const thisProcess = getThisProcess();
	if (isSameHolder(holder, thisProcess)) return 'this ledge is working on it';
	const holderText = formatHolder(holder, thisProcess);
	return getHolderState(holder, thisProcess) === 'out of sight'
		? `${holderText} holds it; ledge can't check from here whether it is still running`
		: `${holderText} is working on it`;
}

const getLocalHolderState = ({pid, started}: Holder): HolderState =>
	isAlive(pid, started) ? 'lives' : 'gone';

function isAlive(pid: number, started: string | null): boolean {
	try {
		process.kill(pid, 0);
	} catch (error) {
		// EPERM: it lives and belongs to another user.
		if (getErrorCode(error) !== 'EPERM') return false;
	}
	const processStatus = readProcessStatus(pid);
	if (!processStatus) return true;
	// A zombie no longer does anything.
	if (processStatus.state === 'Z') return false;
	return started === null || started === processStatus.started;
}

/** Returns state and start time of a process in the system's format; undefined if not cheaply available. */
function readProcessStatus(
	pid: number,
): {readonly state: string; readonly started: string | null} | undefined {
	try {
		const fields = readFileSync(`/proc/${pid}/stat`, 'latin1');
		// The program name in parentheses may contain anything: count after it. Start time is field 22.
		const [state = '', ...otherFields] = fields.slice(fields.lastIndexOf(')') + 2).split(' ');
		return {state, started: otherFields[18] ?? null};
	} catch {
		// No /proc on this system: rely on the process id alone.
		return undefined;
	}
}
