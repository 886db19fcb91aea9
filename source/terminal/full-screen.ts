import type {EventEmitter} from 'node:events';
import {writeSync} from 'node:fs';
import {constants} from 'node:os';
import {asFailure, Failure} from '../failure.ts';
import type {Keyboard} from '../keyboard/keyboard.ts';
import {createOutput} from './output.ts';

const endingSignals = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM'] as const;

/** Why the full screen ended. A lost terminal counts as SIGHUP, with or without the signal. */
type End =
	| {readonly kind: 'closed'}
	| {readonly kind: 'exit'}
	| {readonly kind: 'signal'; readonly signal: (typeof endingSignals)[number]}
	| {readonly kind: 'crash'; readonly error: unknown};

/** The renderer: Ink, with `unmount` of its instance and `suspendTerminal` of `useApp`. */
export type Drawing = {
	unmount(): void;
	/** Leaves the alternate screen before it returns; `resume` comes back to it and redraws everything. */
	suspendTerminal(): Promise<{resume(): Promise<void>}>;
};

type FullScreenOptions = {
	readonly stdin: NodeJS.ReadStream;
	readonly stdout: NodeJS.WriteStream & {readonly fd: number};
	/** Owns raw mode: paused while another program has the terminal, stopped at the end. */
	readonly keyboard: Keyboard;
	/** True to report clicks and the wheel; false by default. */
	readonly mouse?: boolean;
	/** Reports an error on the normal screen; on stderr, made safe, by default. */
	readonly report?: (error: unknown) => void;
};

/** Guards the terminal: it is always left as it was found. */
export type FullScreen = {
	/** Sets the renderer, right after the first frame. It is unmounted before the terminal is restored. */
	attach(drawing: Drawing): void;
	/**
	 * Calls back once, synchronously, before the terminal is restored: the last moment to save drafts and
	 * close jobs. After a signal nothing asynchronous is awaited.
	 */
	onEnd(callback: (end: End) => void): void;
	/** Calls back each time ledge has the terminal again, after everything is redrawn. */
	onReturn(callback: () => void): void;
	/**
	 * Returns the terminal to the shell, as `ctrl-z` does elsewhere, until the shell resumes ledge. Does
	 * nothing while another program has it.
	 */
	suspend(): Promise<void>;
	/** True if ledge has the terminal and can hand it over. */
	isOurs(): boolean;
	/** Hands the terminal to `work` (an editor) and takes it back, even if the work fails. */
	handOver<T>(work: () => Promise<T>): Promise<T>;
	/** Restores the terminal for good. Later calls do nothing. */
	close(): void;
};

const pasteOn = '\u001b[?2004h';
const pasteOff = '\u001b[?2004l';
/** Buttons and the wheel (1000), as numbers (1006). */
const mouseOn = '\u001b[?1000h\u001b[?1006h';
const mouseOff = '\u001b[?1006l\u001b[?1000l';
const showCursor = '\u001b[?25h';
const leaveScreen = '\u001b[?1049l';
const plainStyle = '\u001b[0m';

/** Maximum milliseconds to wait for a stop: without a shell to resume it, the system ignores the signal. */
const stopPatience = 100;

/**
 * Takes the terminal for a full-screen program. Ink enters and leaves the alternate screen and hides the
 * cursor; this does the rest and unmounts Ink first on every end: `close`, an exit, an uncaught error or
 * rejection (exit code 1, reported on the normal screen), a signal (128 plus its number), and a lost terminal
 * (129).
 */
export function openFullScreen({
	stdin,
	stdout,
	keyboard,
	mouse = false,
	report = tell,
}: FullScreenOptions): FullScreen {
	const modesOn = mouse ? pasteOn + mouseOn : pasteOn;
	const modesOff = mouse ? mouseOff + pasteOff : pasteOff;
	let state: 'ours' | 'away' | 'closed' = 'ours';
	let drawing: Drawing | undefined;
	const endings: ((end: End) => void)[] = [];
	const returns: (() => void)[] = [];
	const unlisten: (() => void)[] = [];

	function finish(end: End): unknown[] {
		if (state === 'closed') return [];
		state = 'closed';
		const problems: unknown[] = [];
		const attempt = (step: () => void): boolean => {
			try {
				step();
				return true;
			} catch (error) {
				problems.push(error);
				return false;
			}
		};
		for (const callback of endings) attempt(() => callback(end));
		const isScreenLeft = attempt(() => drawing?.unmount());
		attempt(() => keyboard.stop());
		attempt(() => write(`${modesOff}${isScreenLeft ? '' : leaveScreen}${plainStyle}${showCursor}`));
		return problems;
	}

	function die(end: End, exitCode: number): void {
		if (state === 'closed') return;
		for (const problem of finish(end)) report(problem);
		if (end.kind === 'crash') report(end.error);
		process.exit(exitCode);
	}

	function write(text: string): void {
		try {
			// // Synchronous, because an ending process waits for no stream.
			writeSync(stdout.fd, text);
		} catch (error) {
			// // A lost terminal has nothing to restore.
			if (!isNoTerminal(error)) throw error;
		}
	}

	async function away<T>(work: () => Promise<T>): Promise<T> {
		if (state !== 'ours')
			throw new Failure('internal', 'The terminal was to be handed over, but ledge does not have it.');
		state = 'away';
		const suspension = drawing?.suspendTerminal();
		write(modesOff);
		keyboard.pause();
		// // While another program has the terminal, ctrl-z stops both.
		process.off('SIGTSTP', suspendSoon);
		try {
			await suspension;
			// // Reading ends with this turn of the event loop; until then it could take a byte from the
			// editor.
			await new Promise(setImmediate);
			return await work();
		} finally {
			await comeBack(await suspension);
		}
	}

	async function comeBack(suspension: {resume(): Promise<void>} | undefined): Promise<void> {
		if (state !== 'away') return;
		state = 'ours';
		process.on('SIGTSTP', suspendSoon);
		write(modesOn);
		keyboard.resume();
		// // A stopped process gets no SIGWINCH: Node checks the window size on this signal.
		process.emit('SIGWINCH', 'SIGWINCH');
		await suspension?.resume();
		for (const callback of returns) callback();
	}

	/** Suspends, also for `kill -TSTP`. A failure ends as an unhandled rejection, and so as a crash. */
	function suspendSoon(): void {
		if (state === 'ours') void away(stop);
	}

	/** Handles a stop without SIGTSTP: the shell has had the terminal, so everything is set and redrawn. */
	function continued(): void {
		if (state === 'ours') void away(async () => {});
	}

	/**
	 * A terminal sends SIGINT and SIGQUIT to all its processes: while an editor has it, they are for the
	 * editor.
	 */
	function signalled(signal: (typeof endingSignals)[number]): void {
		const isForTheEditor = state === 'away' && (signal === 'SIGINT' || signal === 'SIGQUIT');
		if (!isForTheEditor) die({kind: 'signal', signal}, 128 + constants.signals[signal]);
	}

	function listen(emitter: EventEmitter, event: string, listener: (first: unknown) => void): void {
		// // Before all others: no other listener may end the process while the screen is active.
		emitter.prependListener(event, listener);
		unlisten.push(() => emitter.off(event, listener));
	}

	for (const signal of endingSignals) listen(process, signal, () => signalled(signal));
	listen(process, 'SIGTSTP', suspendSoon);
	listen(process, 'SIGCONT', continued);
	listen(process, 'uncaughtException', error => die({kind: 'crash', error}, 1));
	listen(process, 'exit', () => {
		for (const problem of finish({kind: 'exit'})) report(problem);
	});
	const gone = () => die({kind: 'signal', signal: 'SIGHUP'}, 128 + constants.signals.SIGHUP);
	listen(stdin, 'end', gone);
	listen(stdin, 'error', gone);
	listen(stdout, 'error', gone);
	write(modesOn);

	return {
		attach(what) {
			drawing = what;
		},
		onEnd: callback => void endings.push(callback),
		onReturn: callback => void returns.push(callback),
		async suspend() {
			if (state === 'ours') await away(stop);
		},
		isOurs: () => state === 'ours',
		handOver: away,
		close() {
			const problems = finish({kind: 'closed'});
			for (const undo of unlisten.splice(0)) undo();
			for (const problem of problems) report(problem);
		},
	};
}

/** Stops the process group, as a terminal does on ctrl-z; resolves when something resumes it. */
function stop(): Promise<void> {
	return new Promise(resolve => {
		const done = () => {
			clearTimeout(timer);
			process.off('SIGCONT', done);
			resolve();
		};
		// // Timers run before signals: a signal that has arrived must still count as the end of this stop.
		const timer = setTimeout(() => setImmediate(done), stopPatience);
		process.on('SIGCONT', done);
		// // 0 is the process group: the parent (npm, the launcher) must stop too, or the shell keeps
		// waiting.
		process.kill(0, 'SIGTSTP');
	});
}

const isNoTerminal = (error: unknown): boolean =>
	error instanceof Error &&
	'code' in error &&
	['EIO', 'EPIPE', 'EBADF', 'ENXIO'].includes(String(error.code));

/** Reports a crash as a failure, with the top of the stack as its reason. */
function tell(error: unknown): void {
	const failure = asFailure(error);
	const place = error instanceof Failure || !(error instanceof Error) ? undefined : error.stack;
	const why = place
		?.split('\n')
		.slice(1, 9)
		.map(line => line.trim())
		.join('\n');
	createOutput({json: false, verbose: false}, process).fail(
		why === undefined ? failure : failure.with({why}),
	);
}
