import {EventEmitter} from 'node:events';
import {PassThrough, Readable, Writable} from 'node:stream';
import {setImmediate as turn} from 'node:timers/promises';
import {runCommandLine} from '../../source/commands/run.ts';
import {createInterruptedFailure} from '../../source/failure.ts';
import type {Host, HostClock} from '../../source/host.ts';
import type {Clock} from '../../source/service/clock.ts';
import {type Ended, type LedgeOptions, ledge as ledgeProcess, scratch} from './ledge.ts';
import {plainEnvironment} from './program.ts';

export {type Ended, scratch};

export type RunOptions = {
	readonly cwd?: string;
	readonly env?: Readonly<Record<string, string>>;
	/** What standard input holds; a stream stays open for as long as it likes. */
	readonly input?: string | Uint8Array | Readable;
	/** Whether all three streams are a terminal, of 80 columns or as many as are named. */
	readonly tty?: boolean | {readonly columns: number};
	/** Real time unless given; `virtualClock` waits for nothing. */
	readonly clock?: HostClock;
	/** When it is aborted, SIGTERM reaches the run. */
	readonly signal?: AbortSignal;
	/** Where a test emits signals for the run: `SIGINT`, `SIGTERM`, `SIGHUP`. */
	readonly events?: EventEmitter;
};

/** A host for one run, and what was printed on it so far. */
export function testHost(options: RunOptions = {}): {
	readonly host: Host;
	bytes(): Buffer;
	stderr(): string;
} {
	const {cwd = scratch(), env = {}, input = '', tty = false, clock = {now: Date.now}} = options;
	const {events = new EventEmitter()} = options;
	const columns = typeof tty === 'object' ? tty.columns : 80;
	const asTerminal = tty ? {isTTY: true, columns, getColorDepth: () => 1} : {};
	const [stdout, stderr] = [collector(), collector()];
	const stdin = input instanceof Readable ? input : new PassThrough().end(input);
	return {
		host: {
			stdin: Object.assign(stdin, tty ? {isTTY: true} : {}),
			stdout: Object.assign(stdout.stream, asTerminal),
			stderr: Object.assign(stderr.stream, asTerminal),
			env: plainEnvironment(cwd, env),
			cwd: () => cwd,
			clock,
			events,
			getParentId: () => process.ppid,
			readLicences: async () => 'any 1.0.0 (MIT)\n',
		},
		bytes: stdout.bytes,
		stderr: () => stderr.bytes().toString(),
	};
}

/** Runs a command line in this process: the same as `ledge` of `ledge.ts`, without a process and without a build. */
export async function ledge(words: readonly string[], options: RunOptions = {}): Promise<Ended> {
	const events = options.events ?? new EventEmitter();
	const {host, bytes, stderr} = testHost({...options, events});
	const terminate = () => events.emit('SIGTERM');
	options.signal?.addEventListener('abort', terminate, {once: true});
	try {
		const code = await runCommandLine(words, host);
		return {code, bytes: bytes(), stdout: bytes().toString(), stderr: stderr()};
	} finally {
		options.signal?.removeEventListener('abort', terminate);
	}
}

/** The same; as a process of its own only where a test looks at that process (`started`) or kills it (`signal`). */
export const ledgeOrProcess = (words: readonly string[], options: LedgeOptions): Promise<Ended> =>
	options.started || options.signal ? ledgeProcess(words, options) : ledge(words, options);

function collector() {
	const pieces: Buffer[] = [];
	const stream = new Writable({
		write(piece, _encoding, done) {
			pieces.push(Buffer.from(piece));
			done();
		},
	});
	return {stream, bytes: () => Buffer.concat(pieces)};
}

/** A clock that stands still but for waits, which end at once and put it forward. `begins`: milliseconds since the epoch. */
export function virtualClock(begins = Date.UTC(2026, 10, 21, 3, 10)): HostClock & {readonly client: Clock} {
	let time = begins;
	const now = () => time;
	const client: Clock = {
		now,
		elapsed: now,
		random: () => 0.5,
		scale: 1,
		async wait(milliseconds, signal) {
			const end = time + milliseconds;
			await turn();
			if (signal.aborted) throw createInterruptedFailure();
			time = Math.max(time, end);
		},
	};
	return {now, client};
}
