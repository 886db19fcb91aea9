import {EventEmitter} from 'node:events';
import {PassThrough, Readable, Writable} from 'node:stream';
import {setImmediate as turn} from 'node:timers/promises';
import {runCommandLine} from '../../source/commands/run.ts';
import {createInterruptedFailure} from '../../source/failure.ts';
import type {Host, HostClock} from '../../source/host.ts';
import type {Clock} from '../../source/service/clock.ts';
import {createScratchFolder, type EndedRun, type LedgeOptions, ledge as ledgeProcess} from './ledge.ts';
import {createUnconfiguredEnvironment} from './program.ts';

export {createScratchFolder, type EndedRun};

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

/** Creates a host for one run, and access to what was printed so far. */
export function createTestHost(options: RunOptions = {}): {
	readonly host: Host;
	bytes(): Buffer;
	stderr(): string;
} {
	const {cwd = createScratchFolder(), env = {}, input = '', tty = false, clock = {now: Date.now}} = options;
	const {events = new EventEmitter()} = options;
	const columns = typeof tty === 'object' ? tty.columns : 80;
	const terminalProperties = tty ? {isTTY: true, columns, getColorDepth: () => 1} : {};
	const [stdout, stderr] = [createCollector(), createCollector()];
	const stdin = input instanceof Readable ? input : new PassThrough().end(input);
	return {
		host: {
			stdin: Object.assign(stdin, tty ? {isTTY: true} : {}),
			stdout: Object.assign(stdout.stream, terminalProperties),
			stderr: Object.assign(stderr.stream, terminalProperties),
			env: createUnconfiguredEnvironment(cwd, env),
			cwd: () => cwd,
			clock,
			events,
			getParentId: () => process.ppid,
			async loadKeyTable() {
				const {actions} = await import('../../source/screens/actions.ts');
				const {createKeyTable} = await import('../../source/screens/key-table.ts');
				const {screens} = await import('../../source/store/screens.ts');
				return createKeyTable(actions, screens);
			},
			readLicences: async () => 'any 1.0.0 (MIT)\n',
		},
		bytes: stdout.bytes,
		stderr: () => stderr.bytes().toString(),
	};
}

/** Runs a command line in this process: the same as `ledge` of `ledge.ts`, without a process and without a build. */
export async function ledge(words: readonly string[], options: RunOptions = {}): Promise<EndedRun> {
	const events = options.events ?? new EventEmitter();
	const {host, bytes, stderr} = createTestHost({...options, events});
	const terminate = () => events.emit('SIGTERM');
	options.signal?.addEventListener('abort', terminate, {once: true});
	try {
		const code = await runCommandLine(words, host);
		return {code, bytes: bytes(), stdout: bytes().toString(), stderr: stderr()};
	} finally {
		options.signal?.removeEventListener('abort', terminate);
	}
}

/**
 * The same; in a process of its own only if a test watches that process (`onStart`) or kills it (`signal`).
 */
export const ledgeOrProcess = (words: readonly string[], options: LedgeOptions): Promise<EndedRun> =>
	options.onStart || options.signal ? ledgeProcess(words, options) : ledge(words, options);

function createCollector() {
	const pieces: Buffer[] = [];
	const stream = new Writable({
		write(piece, _encoding, done) {
			pieces.push(Buffer.from(piece));
			done();
		},
	});
	return {stream, bytes: () => Buffer.concat(pieces)};
}

/** A clock that only waits advance; they end at once. `startTime`: milliseconds since the epoch. */
export function createVirtualClock(
	startTime = Date.UTC(2026, 10, 21, 3, 10),
): HostClock & {readonly client: Clock} {
	let time = startTime;
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
