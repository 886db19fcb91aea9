import {type ChildProcess, spawn} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {atFileEnd} from './file-end.ts';
import {createUnconfiguredEnvironment, program} from './program.ts';

export {createUnconfiguredEnvironment, program};

export type EndedRun = {
	readonly code: number | null;
	readonly stdout: string;
	readonly stderr: string;
	readonly bytes: Buffer;
};

export type LedgeOptions = {
	readonly cwd?: string;
	readonly env?: Readonly<Record<string, string>>;
	readonly input?: string | Uint8Array;
	readonly signal?: AbortSignal;
	/** Called with the process as soon as it runs. */
	readonly onStart?: (child: ChildProcess) => void;
};

/** Creates a folder for a test, which is removed when the tests of the file are done. */
export function createScratchFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), 'ledge-'));
	atFileEnd(() => rmSync(folder, {recursive: true, force: true}));
	return folder;
}

/** Starts the built program as a process of its own. */
export function startLedge(
	words: readonly string[],
	{cwd = createScratchFolder(), env = {}}: LedgeOptions = {},
): ChildProcess {
	return spawn(process.execPath, [program, ...words], {cwd, env: createUnconfiguredEnvironment(cwd, env)});
}

/** Runs the built program to its end and gives what it printed. */
export function ledge(words: readonly string[], options: LedgeOptions = {}): Promise<EndedRun> {
	return new Promise((done, fail) => {
		const child = startLedge(words, options);
		options.onStart?.(child);
		const out: Buffer[] = [];
		const err: Buffer[] = [];
		child.stdout?.on('data', piece => out.push(piece));
		child.stderr?.on('data', piece => err.push(piece));
		child.on('error', fail);
		child.on('close', code => {
			const bytes = Buffer.concat(out);
			done({code, bytes, stdout: bytes.toString(), stderr: Buffer.concat(err).toString()});
		});
		options.signal?.addEventListener('abort', () => child.kill('SIGKILL'), {once: true});
		child.stdin?.on('error', () => {});
		child.stdin?.end(options.input ?? '');
	});
}
