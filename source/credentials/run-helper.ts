import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {describeSpawnError} from '../terminal/spawn-error.ts';

/** A program that prints a credential. */
type Helper = {
	/** Program and arguments; no shell interprets them unless `usesShell`. */
	readonly command: readonly [string, ...string[]];
	readonly cwd: string;
	readonly env: NodeJS.ProcessEnv;
	/** True if the program may prompt on the terminal: it then inherits standard input and standard error. */
	readonly mayPrompt: boolean;
	/** Receives the program's standard error, unless that is inherited. */
	readonly onStderr?: (text: string) => void;
	/** Time limit in milliseconds. */
	readonly timeout: number;
	/**
	 * True to start it with a shell, as `.cmd` files on Windows require. The arguments must not contain
	 * special characters.
	 */
	readonly usesShell?: boolean;
};

type HelperResult =
	| {readonly outcome: 'printed'; readonly text: string}
	/** The program did not start, or it ended with an exit code other than 0 or with a signal. */
	| {readonly outcome: 'failed'; readonly why: string}
	| {readonly outcome: 'too slow' | 'too much'};

/** Maximum output in bytes. */
const maxPrintedBytes = 64 * 1024;

/**
 * Runs a program and returns its output; starts it without a shell unless `usesShell`. Kills it after its
 * time limit, or if it prints more than a credential can be. Never fails; errors never contain its output.
 */
export async function runHelper(helper: Helper): Promise<HelperResult> {
	const {command, cwd, env, mayPrompt, onStderr, timeout, usesShell = false} = helper;
	const [program, ...args] = command;
	let child: ChildProcess;
	try {
		child = spawn(program, args, {
			cwd,
			env,
			shell: usesShell,
			stdio: [mayPrompt ? 'inherit' : 'ignore', 'pipe', mayPrompt ? 'inherit' : 'pipe'],
			windowsHide: true,
		});
	} catch (error) {
		return {outcome: 'failed', why: describeSpawnError(error)};
	}
	const outputChunks: Buffer[] = [];
	let outputBytes = 0;
	let result: HelperResult | undefined;
	const stopHelper = (helperEnd: HelperResult) => {
		result ??= helperEnd;
		child.kill('SIGKILL');
		// A grandchild may still hold the pipes; do not wait for it.
		child.stdout?.destroy();
		child.stderr?.destroy();
	};
	child.stdout?.on('data', (chunk: Buffer) => {
		outputBytes += chunk.length;
		if (outputBytes > maxPrintedBytes) stopHelper({outcome: 'too much'});
		else outputChunks.push(chunk);
	});
	child.stderr?.setEncoding('utf8').on('data', (text: string) => onStderr?.(text));
	const timer = setTimeout(() => stopHelper({outcome: 'too slow'}), timeout);
	try {
		const [code, signal] = await once(child, 'close');
		if (result) return result;
		if (code === 0) return {outcome: 'printed', text: Buffer.concat(outputChunks).toString('utf8')};
		return {
			outcome: 'failed',
			why: signal === null ? `It exited with code ${code}.` : `It was killed by ${signal}.`,
		};
	} catch (error) {
		return {outcome: 'failed', why: describeSpawnError(error)};
	} finally {
		clearTimeout(timer);
	}
}
