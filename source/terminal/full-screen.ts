import type {EventEmitter} from 'node:events';
import {writeSync} from 'node:fs';
import {constants} from 'node:os';
import {asFailure, Failure} from '../failure.ts';
import type {Keyboard} from '../keyboard/keyboard.ts';
import {createOutput} from './output.ts';

const endingSignals = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM'] as const;

/** Why the full screen ended. A terminal that is gone counts as SIGHUP, whether or not the signal came. */
type End =
	| {readonly kind: 'closed'}
	| {readonly kind: 'exit'}
	| {readonly kind: 'signal'; readonly signal: (typeof endingSignals)[number]}
	| {readonly kind: 'crash'; readonly error: unknown};

/** What draws: Ink, with `unmount` of its instance and `suspendTerminal` of `useApp`. */
export type Drawing = {
	unmount(): void;
	/** Leaves the alternate screen at once, before it returns; `resume` comes back to it and draws everything. */
	suspendTerminal(): Promise<{resume(): Promise<void>}>;
};

type FullScreenOptions = {
	readonly stdin: NodeJS.ReadStream;
	readonly stdout: NodeJS.WriteStream & {readonly fd: number};
	/** Owns raw mode: paused while the terminal is someone else's, stopped at the end. */
	readonly keyboard: Keyboard;
	/** Whether the terminal is to report clicks and the wheel; it does not, unless given. */
	readonly mouse?: boolean;
	/** Reports an error on the ordinary screen; without it, on stderr, made safe. */
	readonly report?: (error: unknown) => void;
};

/** The guard of the terminal: whatever happens, the terminal is left as it was found. */
export type FullScreen = {
	/** Called with what draws, right after the first frame. It is taken down before the terminal is given back. */
	attach(drawing: Drawing): void;
	/**
	 * Calls back once, synchronously, before the terminal is given back: the last moment to save drafts and close
	 * jobs, since after a signal nothing that waits is waited for.
	 */
	onEnd(callback: (end: End) => void): void;
	/** Calls back each time the terminal is ours again, after everything was drawn. */
	onReturn(callback: () => void): void;
	/**
	 * Returns the terminal to the shell, as `ctrl-z` does elsewhere, until the shell resumes ledge. Does nothing
	 * while someone else has it.
	 */
	suspend(): Promise<void>;
	/** Whether the terminal is ours, and can be handed over. */
	isOurs(): boolean;
	/** Hands the terminal to `work` (an editor on the same terminal) and takes it back, also when the work fails. */
	handOver<T>(work: () => Promise<T>): Promise<T>;
	/** The ordinary end: returns the terminal for good. A second call does nothing. */
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

/** How long a stop may take, in milliseconds: with no shell to resume us, the system ignores it. */
const stopPatience = 100;

/**
 * Takes the terminal for a full-screen program. Ink enters and leaves the alternate screen and hides the cursor; this
 * does the rest, and sees to it that Ink is taken down first on every kind of end: `close`, an exit from anywhere, an
 * error or rejection that nobody caught (exit code 1, told on the ordinary screen), a signal (128 and its number), and
 * a terminal that is gone (129).
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
			// At once, because an ending process waits for no stream.
			writeSync(stdout.fd, text);
		} catch (error) {
			// A terminal that is gone has nothing left to restore.
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
		// While it is not ours, ctrl-z stops us together with whoever has it.
		process.off('SIGTSTP', suspendSoon);
		try {
			await suspension;
			// Reading ends with this turn of the event loop; until then a byte could be taken from the editor.
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
		// Who is stopped is not told that the window has another size by now: Node looks when it hears of this signal.
		process.emit('SIGWINCH', 'SIGWINCH');
		await suspension?.resume();
		for (const callback of returns) callback();
	}

	/** Also for `kill -TSTP` from elsewhere. What fails ends as an unhandled rejection, and so as a crash. */
	function suspendSoon(): void {
		if (state === 'ours') void away(stop);
	}

	/** Someone stopped us without asking: the shell has had the terminal, so everything is set and drawn again. */
	function continued(): void {
		if (state === 'ours') void away(async () => {});
	}

	/** A terminal sends SIGINT and SIGQUIT to everyone on it: while an editor has it, they are for the editor. */
	function signalled(signal: (typeof endingSignals)[number]): void {
		const isForTheEditor = state === 'away' && (signal === 'SIGINT' || signal === 'SIGQUIT');
		if (!isForTheEditor) die({kind: 'signal', signal}, 128 + constants.signals[signal]);
	}

	function listen(emitter: EventEmitter, event: string, listener: (first: unknown) => void): void {
		// Before all others: nobody else may end the process while the screen is still ours.
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

/** Stops this process and those it runs with, as a terminal does on ctrl-z; done when something resumes it. */
function stop(): Promise<void> {
	return new Promise(resolve => {
		const done = () => {
			clearTimeout(timer);
			process.off('SIGCONT', done);
			resolve();
		};
		// Timers come before signals: the signal that has come meanwhile is to be seen as the end of this stop.
		const timer = setTimeout(() => setImmediate(done), stopPatience);
		process.on('SIGCONT', done);
		// 0 is the process group: who started us (npm, the launcher) has to stop, too, or the shell waits on.
		process.kill(0, 'SIGTSTP');
	});
}

const isNoTerminal = (error: unknown): boolean =>
	error instanceof Error &&
	'code' in error &&
	['EIO', 'EPIPE', 'EBADF', 'ENXIO'].includes(String(error.code));

/** A crash as every other failure is told, with the place in the program, which is all there is to go by. */
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
