import {type ChildProcess, spawn} from 'node:child_process';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';

/** Starts a script beside the tests as a process of its own, straight from its source. */
export function startScript(name: string, words: readonly string[]): ChildProcess {
	const script = fileURLToPath(new URL(name, import.meta.url));
	const flags = ['--experimental-strip-types', '--no-warnings'];
	return spawn(process.execPath, [...flags, script, ...words], {stdio: ['ignore', 'pipe', 'pipe']});
}

/** The lines it prints, until it ends. */
export async function* linesOf(child: ChildProcess): AsyncGenerator<string> {
	if (!child.stdout) return;
	for await (const line of createInterface({input: child.stdout})) yield line;
}

/** How it ends: the code or signal, and what it said on stderr. */
export function endOf(
	child: ChildProcess,
): Promise<{code: number | null; signal: string | null; said: string}> {
	return new Promise((resolve, reject) => {
		let said = '';
		child.stderr?.on('data', part => {
			said += part;
		});
		child.once('error', reject);
		child.once('close', (code, signal) => resolve({code, signal, said}));
	});
}
