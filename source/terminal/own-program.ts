import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import type {Readable} from 'node:stream';
import {setTimeout as delay} from 'node:timers/promises';
import {createInterruptedFailure, Failure} from '../failure.ts';
import {describeSpawnError} from './spawn-error.ts';

type OwnProgram = {
	/** Program and arguments; no shell interprets them. */
	readonly command: readonly [string, ...string[]];
	readonly cwd: string;
	readonly env: NodeJS.ProcessEnv;
	/** True if it has the terminal, in the process group of ledge; otherwise it has no terminal at all. */
	readonly isForeground: boolean;
	/** Its standard input, which it need not read; nothing if undefined. Not with `isForeground`. */
	readonly input?: Uint8Array;
	/** What is kept of its output: nothing, standard output, or both streams in the order of their arrival. */
	readonly capture: 'none' | 'stdout' | 'all';
	/** Maximum kept bytes. The rest is read and dropped, or with `failsBeyondLimit` the program is stopped. */
	readonly maxBytes: number;
	readonly failsBeyondLimit?: boolean;
	/** Called with each stream that is captured, to use its output as it arrives. */
	readonly watchOutput?: (stream: Readable) => void;
	/** Milliseconds until it is stopped; undefined without a limit. */
	readonly timeout?: number | undefined;
	readonly signal: AbortSignal;
};

type ProgramEnd = {
	/** Exit code, or the signal that ended it. */
	readonly status: number | NodeJS.Signals;
	readonly output: Buffer;
	/** True if more was printed than `output` contains. */
	readonly isTruncated: boolean;
	/** The last line on standard error, if that is not the terminal. Unescaped. */
	readonly lastErrorLine: string;
};

/** Milliseconds between asking a process group to end and ending it. */
const killDelayMs = 2000;
/** Milliseconds to wait for output after a program has ended: a process that it left may hold the pipes. */
const closeDelayMs = 1000;
const maxErrorBytes = 8 * 1024;

/**
 * Runs a program of the user's until it ends, and returns how. Stops it with its whole process group on abort,
 * after the time limit, and when ledge ends. Fails with `command_failed` if it cannot be started, takes too
 * long or prints too much, and with `interrupted`.
 */
export async function runOwnProgram(options: OwnProgram): Promise<ProgramEnd> {
	const {command, signal, timeout, maxBytes, failsBeyondLimit = false} = options;
	const [name] = command;
	if (signal.aborted) throw createInterruptedFailure();
	const child = startProgram(options);
	const chunks: Buffer[] = [];
	let keptBytes = 0;
	let isTruncated = false;
	let errorTail: Buffer = Buffer.alloc(0);
	let stopReason: Failure | undefined;
	let isKilled = false;
	const stop = (reason: Failure) => {
		if (stopReason) return;
		stopReason = reason;
		signalGroup(child, 'SIGTERM', options);
		void delay(killDelayMs, undefined, {ref: false}).then(kill);
	};
	const kill = () => {
		if (isKilled) return;
		isKilled = true;
		signalGroup(child, 'SIGKILL', options);
	};
	const keep = (chunk: Buffer) => {
		const room = maxBytes - keptBytes;
		if (chunk.length > room) isTruncated = true;
		if (room > 0) chunks.push(chunk.subarray(0, room));
		keptBytes += Math.min(room, chunk.length);
		if (isTruncated && failsBeyondLimit)
			stop(new Failure('command_failed', `"${name}" was stopped: it printed more than ${maxBytes} bytes.`));
	};
	child.stdout?.on('data', keep);
	child.stderr?.on('data', (chunk: Buffer) => {
		if (options.capture === 'all') keep(chunk);
		errorTail = Buffer.concat([errorTail, chunk]).subarray(-maxErrorBytes);
	});
	for (const stream of [child.stdout, child.stderr]) if (stream) options.watchOutput?.(stream);
	// It may end without reading its input.
	child.stdin?.on('error', () => {}).end(options.input);
	const onAbort = () => stop(createInterruptedFailure());
	const timer =
		timeout === undefined
			? undefined
			: setTimeout(
					() =>
						stop(
							new Failure(
								'command_failed',
								`"${name}" was stopped: it took longer than ${timeout / 1000} s.`,
							),
						),
					timeout,
				);
	signal.addEventListener('abort', onAbort, {once: true});
	// An ending process waits for nothing.
	process.once('exit', kill);
	try {
		const [code, endSignal] = await once(child, 'exit');
		await waitForOutput(child);
		if (stopReason) throw stopReason;
		return {
			status: endSignal ?? code,
			output: Buffer.concat(chunks),
			isTruncated,
			lastErrorLine: errorTail.toString('utf8').trimEnd().split('\n').at(-1)?.trim() ?? '',
		};
	} catch (error) {
		throw error instanceof Failure ? error : createStartFailure(name, error);
	} finally {
		clearTimeout(timer);
		signal.removeEventListener('abort', onAbort);
		process.off('exit', kill);
		child.stdin?.destroy();
		// What it started may ignore SIGTERM.
		if (stopReason) kill();
	}
}

function startProgram({
	command: [name, ...programArguments],
	cwd,
	env,
	isForeground,
	input,
	capture,
}: OwnProgram): ChildProcess {
	const errorStream = isForeground ? 'inherit' : 'pipe';
	try {
		return spawn(name, programArguments, {
			cwd,
			env,
			shell: false,
			// A process group of its own, which can be stopped as a whole, and no terminal to write to.
			detached: !isForeground,
			stdio: [
				isForeground ? 'inherit' : input ? 'pipe' : 'ignore',
				capture === 'none' ? (isForeground ? 'inherit' : 'ignore') : 'pipe',
				errorStream,
			],
			windowsHide: true,
		});
	} catch (error) {
		throw createStartFailure(name, error);
	}
}

const createStartFailure = (name: string, cause: unknown): Failure =>
	new Failure('command_failed', `"${name}" could not be started.`, {why: describeSpawnError(cause), cause});

/** Sends a signal to the process group of a program, or only to the program if it shares that of ledge. */
function signalGroup(child: ChildProcess, endSignal: NodeJS.Signals, {isForeground}: OwnProgram): void {
	if (child.pid === undefined) return;
	try {
		if (isForeground) child.kill(endSignal);
		else process.kill(-child.pid, endSignal);
	} catch {
		// It has ended.
	}
}

/** Resolves when the pipes of an ended program are closed, or after a short time. */
async function waitForOutput(child: ChildProcess): Promise<void> {
	const pipes = [child.stdout, child.stderr].filter(pipe => pipe && !pipe.closed);
	const timeLimit = new AbortController();
	await Promise.race([
		Promise.all(pipes.map(pipe => pipe && once(pipe, 'close', {signal: timeLimit.signal}))).catch(() => {}),
		delay(closeDelayMs, undefined, {signal: timeLimit.signal}).catch(() => {}),
	]);
	timeLimit.abort();
	for (const pipe of pipes) pipe?.destroy();
}
