import {type ChildProcess, spawn} from 'node:child_process';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';

/** Starts a script of this folder as a separate process, directly from its source. */
export function startScript(name: string, words: readonly string[]): ChildProcess {
	const script = fileURLToPath(new URL(name, import.meta.url));
	const flags = ['--experimental-strip-types', '--no-warnings'];
	return spawn(process.execPath, [...flags, script, ...words], {stdio: ['ignore', 'pipe', 'pipe']});
}

/** Yields the lines that the process prints, until it ends. */
export async function* readOutputLines(child: ChildProcess): AsyncGenerator<string> {
	if (!child.stdout) return;
	for await (const line of createInterface({input: child.stdout})) yield line;
}

/** Waits for the process to end. Returns its code or signal, and what it wrote to stderr. */
export function waitForExit(
	child: ChildProcess,
): Promise<{code: number | null; signal: string | null; stderr: string}> {
	return new Promise((resolve, reject) => {
		let stderr = '';
		child.stderr?.on('data', part => {
			stderr += part;
		});
		child.once('error', reject);
		child.once('close', (code, signal) => resolve({code, signal, stderr}));
	});
}
