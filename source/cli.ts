import {setFlagsFromString} from 'node:v8';
import {run} from './commands/run.ts';
import type {Host} from './host.ts';

/**
 * The front door: runs the command line in this process, and turns its end into an exit code (failure.ts). Called by
 * the launcher.
 */
export async function main(argv: readonly string[]): Promise<void> {
	process.exitCode = await run(argv, host);
}

const host: Host = {
	get stdin() {
		return process.stdin;
	},
	get stdout() {
		return process.stdout;
	},
	get stderr() {
		return process.stderr;
	},
	isProcess: true,
	env: process.env,
	cwd: () => process.cwd(),
	clock: {now: Date.now},
	events: process,
	parent: () => process.ppid,
	exit: code => process.exit(code),
	async licences() {
		const {bytesOf} = await import('./parts.cjs');
		return bytesOf('licenses.txt').toString();
	},
	async openScreens(options) {
		// What is typed while the screens load is not to be echoed.
		process.stdin.setRawMode(true);
		// Screens live long and make little at a time: the space for new objects would grow to 17 MB while they load.
		setFlagsFromString('--semi-space-growth-factor=1');
		const {main: show} = await import('./screens.tsx');
		const {endProcess} = await import('./terminal/end-process.ts');
		// Nothing that may still be under way keeps ledge from ending.
		return endProcess(await show(options));
	},
};
