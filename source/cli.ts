import {setFlagsFromString} from 'node:v8';
import {runCommandLine} from './commands/run.ts';
import type {Host} from './host.ts';
import {bytesOf} from './parts.cjs';
import {openDirectOutput} from './terminal/direct-output.ts';

/**
 * Production entry point, called by the launcher: runs the command line in this process and sets its exit
 * code (failure.ts).
 */
export async function main(argv: readonly string[]): Promise<void> {
	// A write beyond `ulimit -f` then fails like one on a full disk, instead of ending the process.
	process.on('SIGXFSZ', () => {});
	process.exitCode = await runCommandLine(argv, host);
}

const host: Host = {
	get stdin() {
		return process.stdin;
	},
	stdout: openDirectOutput(1, () => process.stdout),
	stderr: openDirectOutput(2, () => process.stderr),
	isProcess: true,
	env: process.env,
	cwd: () => process.cwd(),
	clock: {now: Date.now},
	events: process,
	getParentId: () => process.ppid,
	exit: code => process.exit(code),
	readLicences: async () => bytesOf('licenses.txt').toString(),
	async loadKeyTable() {
		const screens = await import('./screens.tsx');
		return screens.loadKeyTable();
	},
	async pickKeys(options, namespaceName) {
		const {openControllingTerminal} = await import('./terminal/controlling-terminal.ts');
		using terminal = openControllingTerminal(process);
		terminal.stdin.setRawMode(true);
		// The colours of Ink follow standard output, which is a pipe here.
		if (!process.env.NO_COLOR) process.env.FORCE_COLOR ??= toColorLevel(terminal.stdout.getColorDepth());
		const screens = await import('./screens.tsx');
		return await screens.pickKeys(options, namespaceName, terminal);
	},
	async openScreens(options) {
		// Input typed while the screens load must not be echoed.
		process.stdin.setRawMode(true);
		// Almost everything allocated before the first frame survives: at its initial size, V8's space for
		// new objects would be collected ten times for nothing.
		setFlagsFromString('--semi-space-growth-factor=4');
		const {main: showScreens} = await import('./screens.tsx');
		const code = await showScreens(options);
		const {endProcess} = await import('./terminal/end-process.ts');
		// Work that is still running must not keep ledge from ending.
		return endProcess(code);
	},
};

/** Returns the value of `FORCE_COLOR` for bits of colour. */
const toColorLevel = (depth: number): string =>
	depth >= 24 ? '3' : depth >= 8 ? '2' : depth >= 4 ? '1' : '0';
