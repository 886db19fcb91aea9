import {setFlagsFromString} from 'node:v8';
import {run} from './commands/run.ts';
import type {Host} from './host.ts';
import {bytesOf} from './parts.cjs';
import {directOutput} from './terminal/direct-output.ts';

/**
 * The front door: runs the command line in this process, and turns its end into an exit code (failure.ts). Called by
 * the launcher.
 */
export async function main(argv: readonly string[]): Promise<void> {
	// A file at the limit of `ulimit -f` then cannot be written, like one on a full disk, instead of ending the process.
	process.on('SIGXFSZ', () => {});
	process.exitCode = await run(argv, host);
}

const host: Host = {
	get stdin() {
		return process.stdin;
	},
	stdout: directOutput(1, () => process.stdout),
	stderr: directOutput(2, () => process.stderr),
	isProcess: true,
	env: process.env,
	cwd: () => process.cwd(),
	clock: {now: Date.now},
	events: process,
	parent: () => process.ppid,
	exit: code => process.exit(code),
	licences: async () => bytesOf('licenses.txt').toString(),
	async openScreens(options) {
		// What is typed while the screens load is not to be echoed.
		process.stdin.setRawMode(true);
		// Nearly all that is made before the first frame stays: at its first size this space would be collected ten times.
		setFlagsFromString('--semi-space-growth-factor=4');
		const {main: show} = await import('./screens.tsx');
		const code = await show(options);
		const {endProcess} = await import('./terminal/end-process.ts');
		// Nothing that may still be under way keeps ledge from ending.
		return endProcess(code);
	},
};
