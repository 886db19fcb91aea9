import {type ChildProcess, spawn} from 'node:child_process';

export type ProcessResult = {readonly code: number | null; readonly out: Buffer; readonly err: string};

const runningChildren = new Set<ChildProcess>();

/** Stops whatever is still running, and what it has started: each was made the head of its own group. */
export function stopAll(): void {
	for (const child of runningChildren) stop(child);
}

/** Kills a child with everything it has started. */
export function stop(child: ChildProcess): void {
	runningChildren.delete(child);
	if (child.pid === undefined || child.exitCode !== null) return;
	try {
		process.kill(-child.pid, 'SIGKILL');
	} catch {
		child.kill('SIGKILL');
	}
}

/** Starts a program that goes on running until it is stopped. */
export function start(
	command: string,
	words: readonly string[],
	options: {cwd: string; env?: NodeJS.ProcessEnv},
): ChildProcess {
	const child = spawn(command, words, {...options, stdio: ['ignore', 'pipe', 'pipe'], detached: true});
	runningChildren.add(child);
	child.once('exit', () => runningChildren.delete(child));
	return child;
}

/** Runs a program to its end. */
export function run(
	command: string,
	words: readonly string[],
	options: {cwd: string; env?: NodeJS.ProcessEnv},
): Promise<ProcessResult> {
	return new Promise((resolve, reject) => {
		const child = start(command, words, options);
		const out: Buffer[] = [];
		const err: Buffer[] = [];
		child.stdout?.on('data', (part: Buffer) => out.push(part));
		child.stderr?.on('data', (part: Buffer) => err.push(part));
		child.once('error', reject);
		child.once('close', code =>
			resolve({code, out: Buffer.concat(out), err: Buffer.concat(err).toString('utf8')}),
		);
	});
}

/**
 * Waits until a running program has printed what matches `expected`. Returns all that it printed until then.
 */
export function waitForOutput(child: ChildProcess, expected: RegExp, milliseconds: number): Promise<string> {
	return new Promise((resolve, reject) => {
		let text = '';
		const timer = setTimeout(
			() => reject(new Error(`not printed within ${milliseconds} ms: ${expected}\n${text}`)),
			milliseconds,
		);
		const checkOutput = (part: Buffer) => {
			text += part.toString('utf8');
			if (!expected.test(text)) return;
			clearTimeout(timer);
			resolve(text);
		};
		child.stdout?.on('data', checkOutput);
		child.stderr?.on('data', checkOutput);
		child.once('exit', code => {
			clearTimeout(timer);
			reject(new Error(`ended with ${code} before it printed ${expected}\n${text}`));
		});
	});
}
