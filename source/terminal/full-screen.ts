import type {EventEmitter} from 'node:events';
import {writeSync} from 'node:fs';
import {constants} from 'node:os';
import {Failure, toFailure} from '../failure.ts';
import type {Keyboard} from '../keyboard/keyboard.ts';
import {createOutput} from './output.ts';

const endingSignals = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM'] as const;

/** Why the full screen ended. A lost terminal counts as SIGHUP, with or without the signal. */
type ScreenEnd =
	| {readonly kind: 'closed'}
	| {readonly kind: 'exit'}
	| {readonly kind: 'signal'; readonly signal: (typeof endingSignals)[number]}
	| {readonly kind: 'crash'; readonly error: unknown};

/** The renderer: Ink, with `unmount` of its instance and `suspendTerminal` of `useApp`. */
export type ScreenRenderer = {
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
	/** True to keep the title of the window while another one is set; false by default. */
	readonly title?: boolean;
	/** Reports an error on the normal screen; on stderr, made safe, by default. */
	readonly report?: (error: unknown) => void;
};

/** Guards the terminal: it is always left as it was found. */
export type FullScreen = {
	/** Sets the renderer, right after the first frame. It is unmounted before the terminal is restored. */
	attach(renderer: ScreenRenderer): void;
	/**
	 * Calls back once, synchronously, before the terminal is restored: the last moment to save drafts and
	 * close jobs. After a signal nothing asynchronous is awaited.
	 */
	onEnd(callback: (end: ScreenEnd) => void): void;
	/** Calls back each time ledge has the terminal again, after everything is redrawn. */
	onReturn(callback: () => void): void;
	/**
	 * Returns the terminal to the shell, as `ctrl-z` does elsewhere, until the shell resumes ledge. Does
	 * nothing while another program has it.
	 */
	suspend(): Promise<void>;
	/** True if ledge has the terminal and can hand it over. */
	hasTerminal(): boolean;
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
/** Saves the title of the window, and restores it. Terminals that do not know this ignore it. */
const saveTitle = '\u001b[22;2t';
const restoreTitle = '\u001b[23;2t';
const showCursor = '\u001b[?25h';
const leaveScreen = '\u001b[?1049l';
const plainStyle = '\u001b[0m';

/** Maximum milliseconds to wait for a stop: without a shell to resume it, the system ignores the signal. */
const maxStopMs = 100;

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
	title = false,
	report = reportCrash,
}: FullScreenOptions): FullScreen {
	const modesOn = (title ? saveTitle : '') + (mouse ? pasteOn + mouseOn : pasteOn);
	const modesOff = (mouse ? mouseOff + pasteOff : pasteOff) + (title ? restoreTitle : '');
	let state: 'ours' | 'away' | 'closed' = 'ours';
	let renderer: ScreenRenderer | undefined;
	const endCallbacks: ((end: ScreenEnd) => void)[] = [];
	const returnCallbacks: (() => void)[] = [];
	const removeListeners: (() => void)[] = [];

	function restoreTerminal(end: ScreenEnd): unknown[] {
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
		for (const callback of endCallbacks) attempt(() => callback(end));
		const isScreenLeft = attempt(() => renderer?.unmount());
		attempt(() => keyboard.stop());
		attempt(() => write(`${modesOff}${isScreenLeft ? '' : leaveScreen}${plainStyle}${showCursor}`));
		return problems;
	}

	function exitProcess(end: ScreenEnd, exitCode: number): void {
		if (state === 'closed') return;
		for (const problem of restoreTerminal(end)) report(problem);
		if (end.kind === 'crash') report(end.error);
		process.exit(exitCode);
	}

	function write(text: string): void {
		try {
			// Synchronous, because an ending process waits for no stream.
			writeSync(stdout.fd, text);
		} catch (error) {
			// A lost terminal has nothing to restore.
			if (!isNoTerminal(error)) throw error;
		}
	}

	async function lendTerminal<T>(work: () => Promise<T>): Promise<T> {
		if (state !== 'ours')
			throw new Failure('internal', 'The terminal was to be handed over, but ledge does not have it.');
		state = 'away';
		const suspension = renderer?.suspendTerminal();
		write(modesOff);
		keyboard.pause();
		// While another program has the terminal, ctrl-z stops both.
		process.off('SIGTSTP', suspendSoon);
		try {
			await suspension;
			// Reading ends with this turn of the event loop; until then it could take a byte from the
			// editor.
			await new Promise(setImmediate);
			return await work();
		} finally {
			await takeBackTerminal(await suspension);
		}
	}

	async function takeBackTerminal(suspension: {resume(): Promise<void>} | undefined): Promise<void> {
		if (state !== 'away') return;
		state = 'ours';
		process.on('SIGTSTP', suspendSoon);
		write(modesOn);
		keyboard.resume();
		// A stopped process gets no SIGWINCH: Node checks the window size on this signal.
		process.emit('SIGWINCH', 'SIGWINCH');
		await suspension?.resume();
		for (const callback of returnCallbacks) callback();
	}

	/** Suspends, also for `kill -TSTP`. A failure ends as an unhandled rejection, and so as a crash. */
	function suspendSoon(): void {
		if (state === 'ours') void lendTerminal(stopProcessGroup);
	}

	/** Handles a stop without SIGTSTP: the shell has had the terminal, so everything is set and redrawn. */
	function handleContinue(): void {
		if (state === 'ours') void lendTerminal(async () => {});
	}

	/**
	 * A terminal sends SIGINT and SIGQUIT to all its processes: while an editor has it, they are for the
	 * editor.
	 */
	function handleSignal(signal: (typeof endingSignals)[number]): void {
		const isForTheEditor = state === 'away' && (signal === 'SIGINT' || signal === 'SIGQUIT');
		if (!isForTheEditor) exitProcess({kind: 'signal', signal}, 128 + constants.signals[signal]);
	}

	function addFirstListener(
		emitter: EventEmitter,
		event: string,
		listener: (argument: unknown) => void,
	): void {
		// Before all others: no other listener may end the process while the screen is active.
		emitter.prependListener(event, listener);
		removeListeners.push(() => emitter.off(event, listener));
	}

	for (const signal of endingSignals) addFirstListener(process, signal, () => handleSignal(signal));
	addFirstListener(process, 'SIGTSTP', suspendSoon);
	addFirstListener(process, 'SIGCONT', handleContinue);
	addFirstListener(process, 'uncaughtException', error => exitProcess({kind: 'crash', error}, 1));
	addFirstListener(process, 'exit', () => {
		for (const problem of restoreTerminal({kind: 'exit'})) report(problem);
	});
	const handleHangup = () => exitProcess({kind: 'signal', signal: 'SIGHUP'}, 128 + constants.signals.SIGHUP);
	addFirstListener(stdin, 'end', handleHangup);
	addFirstListener(stdin, 'error', handleHangup);
	addFirstListener(stdout, 'error', handleHangup);
	write(modesOn);

	return {
		attach(newRenderer) {
			renderer = newRenderer;
		},
		onEnd: callback => void endCallbacks.push(callback),
		onReturn: callback => void returnCallbacks.push(callback),
		async suspend() {
			if (state === 'ours') await lendTerminal(stopProcessGroup);
		},
		hasTerminal: () => state === 'ours',
		handOver: lendTerminal,
		close() {
			const problems = restoreTerminal({kind: 'closed'});
			for (const removeListener of removeListeners.splice(0)) removeListener();
			for (const problem of problems) report(problem);
		},
	};
}

/** Stops the process group, as a terminal does on ctrl-z; resolves when something resumes it. */
function stopProcessGroup(): Promise<void> {
	return new Promise(resolve => {
		const resume = () => {
			clearTimeout(timer);
			process.off('SIGCONT', resume);
			resolve();
		};
		// Timers run before signals: a signal that has arrived must still count as the end of this stop.
		const timer = setTimeout(() => setImmediate(resume), maxStopMs);
		process.on('SIGCONT', resume);
		// 0 is the process group: the parent (npm, the launcher) must stop too, or the shell keeps
		// waiting.
		process.kill(0, 'SIGTSTP');
	});
}

const isNoTerminal = (error: unknown): boolean =>
	error instanceof Error &&
	'code' in error &&
	['EIO', 'EPIPE', 'EBADF', 'ENXIO'].includes(String(error.code));

/** Reports a crash as a failure, with the top of the stack as its reason. */
function reportCrash(error: unknown): void {
	const failure = toFailure(error);
	const stack = error instanceof Failure || !(error instanceof Error) ? undefined : error.stack;
	const why = stack
		?.split('\n')
		.slice(1, 9)
		.map(line => line.trim())
		.join('\n');
	createOutput({json: false, verbose: false}, process).printFailure(
		why === undefined ? failure : failure.withDetails({why}),
	);
}
