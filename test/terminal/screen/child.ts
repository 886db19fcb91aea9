import {execFileSync} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import {constants} from 'node:os';
import {type IPty, spawn} from '@lydell/node-pty';

export type ProcessEnd = {readonly code: number | null; readonly signal: NodeJS.Signals | null};

/** A piece of output as it was read from the terminal, with the moment (of `performance.now()`). */
export type Piece = {readonly at: number; readonly bytes: Buffer};

export type ChildOptions = {
	/** The program and its words. */
	readonly command: readonly string[];
	readonly columns: number;
	readonly rows: number;
	readonly cwd: string;
	/** The whole environment. CI, NO_COLOR and FORCE_COLOR of the person who runs the tests are not in it. */
	readonly env: Readonly<Record<string, string>>;
	/** A slow line between the program and the terminal; as fast as it goes when left out. */
	readonly bytesPerSecond?: number | undefined;
};

/** How often a slow line hands on what has come through it (milliseconds). */
const lineTickMs = 20;

const signalNames = new Map(
	Object.entries(constants.signals).map(([name, number]) => [number, name as NodeJS.Signals]),
);

/** Milliseconds that a killed child may take to end. */
const patienceAfterKill = 5000;

/** A program in a pseudo-terminal, whose output is kept. */
export class Child {
	readonly pid: number;
	readonly startedAt = performance.now();
	readonly pieces: Piece[] = [];
	readonly ended: Promise<ProcessEnd>;
	/** Set once it has ended. */
	end: ProcessEnd | undefined;
	readonly #terminal: IPty;

	constructor(
		{command, columns, rows, cwd, env, bytesPerSecond}: ChildOptions,
		onPiece: (piece: Piece) => void,
	) {
		const [file = '', ...words] = command;
		this.#terminal = spawn(file, words, {
			name: 'xterm-256color',
			cols: columns,
			rows,
			cwd,
			env: {...env},
			encoding: null,
		});
		this.pid = this.#terminal.pid;
		const keepPiece = (bytes: Buffer): void => {
			const piece = {at: performance.now(), bytes};
			this.pieces.push(piece);
			onPiece(piece);
		};
		const deliver = bytesPerSecond === undefined ? keepPiece : this.#throughLine(bytesPerSecond, keepPiece);
		// With the encoding `null` the pieces are buffers, whatever the types say.
		this.#terminal.onData((data: string | Buffer) => deliver(Buffer.from(data)));
		this.ended = new Promise(done =>
			this.#terminal.onExit(({exitCode, signal}) => {
				this.end = signal
					? {code: null, signal: signalNames.get(signal) ?? null}
					: {code: exitCode, signal: null};
				done(this.end);
			}),
		);
	}

	/** Delivers bytes as a slow line does: while some are pending, nothing more is read from the program. */
	#throughLine(bytesPerSecond: number, onBytes: (bytes: Buffer) => void): (bytes: Buffer) => void {
		const bytesPerTick = Math.max(1, Math.round((bytesPerSecond * lineTickMs) / 1000));
		let pendingBytes = Buffer.alloc(0);
		let isDelivering = false;
		const deliverNext = (): void => {
			onBytes(pendingBytes.subarray(0, bytesPerTick));
			pendingBytes = pendingBytes.subarray(bytesPerTick);
			if (pendingBytes.length > 0) setTimeout(deliverNext, lineTickMs);
			else {
				isDelivering = false;
				this.#terminal.resume();
			}
		};
		return bytes => {
			pendingBytes = Buffer.concat([pendingBytes, bytes]);
			if (isDelivering) return;
			isDelivering = true;
			this.#terminal.pause();
			setTimeout(deliverNext, lineTickMs);
		};
	}

	/** One write to the terminal. What comes after the end is not written, as nobody would read it. */
	write(bytes: string): void {
		if (!this.end) this.#terminal.write(bytes);
	}

	resize(columns: number, rows: number): void {
		if (!this.end) this.#terminal.resize(columns, rows);
	}

	/** Memory that the program holds now, in units of 1,048,576 bytes. */
	residentMegabytes(): number {
		const kilobytes = execFileSync('ps', ['-o', 'rss=', '-p', String(this.pid)], {encoding: 'utf8'});
		return Number(kilobytes) / 1024;
	}

	/** The most that it has held since it was started, in MiB; where the system does not keep that, what it holds now. */
	peakMegabytes(): number {
		if (process.platform !== 'linux') return this.residentMegabytes();
		const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
		return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) / 1024;
	}

	/** Sends a signal to the program alone, as `kill` does. */
	kill(signal: NodeJS.Signals): void {
		if (!this.end) killIfThere(this.pid, signal);
	}

	/** Takes the terminal away, as a line that drops: SIGHUP, and errors on every read and write from then on. */
	hangUp(): void {
		// It is there, but not in the types.
		if (!this.end) (this.#terminal as IPty & {destroy(): void}).destroy();
	}

	/** Ends the program and everything it started in this terminal, at once, and waits until it is gone. */
	async close(): Promise<void> {
		const remainingPids = listSessionProcesses(this.pid);
		if (!this.end) remainingPids.push(-this.pid, this.pid);
		for (const pid of remainingPids) killIfThere(pid, 'SIGKILL');
		let timer: NodeJS.Timeout | undefined;
		const timeout = new Promise<never>((_, fail) => {
			timer = setTimeout(
				() => fail(new Error(`process ${this.pid} is still there after SIGKILL`)),
				patienceAfterKill,
			);
		});
		await Promise.race([this.ended, timeout]).finally(() => clearTimeout(timer));
	}
}

function killIfThere(pid: number, signal: NodeJS.Signals): void {
	try {
		process.kill(pid, signal);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
	}
}

/**
 * The processes of the session that the child leads: what a shell started in the background is in a group of its
 * own, and would outlive the group of the child. Without /proc only the group is known.
 */
function listSessionProcesses(leader: number): number[] {
	if (process.platform !== 'linux') return [];
	return readdirSync('/proc')
		.filter(name => /^\d+$/.test(name))
		.map(Number)
		.filter(pid => readSession(pid) === leader);
}

function readSession(pid: number): number | undefined {
	try {
		// After the name in parentheses: state, parent, group, session.
		const [, , , session] = readFileSync(`/proc/${pid}/stat`, 'utf8')
			.replace(/^.*\) /s, '')
			.split(' ');
		return Number(session);
	} catch (error) {
		// It ended while we were looking.
		if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
		throw error;
	}
}
