import {readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {type IPty, spawn} from '@lydell/node-pty';
import {build, type Plugin} from 'esbuild';
import {atFileEnd} from '../../support/file-end.ts';
import {createScratchFolder, createUnconfiguredEnvironment} from '../../support/ledge.ts';

/** A shell in a pseudo-terminal, and everything that it has written. */
export type ShellTerminal = {
	readonly folder: string;
	output(): string;
	/** Waits until the output from `from` on shows a text. */
	waitFor(text: string | RegExp, from?: number): Promise<void>;
	type(text: string): void;
	/** The lines that the program has recorded in a file. */
	readRecord(): string[];
	/** Closes the terminal, as a lost connection does. */
	hangUp(): void;
};

const noDevtools: Plugin = {
	name: 'no devtools',
	setup(context) {
		context.onResolve({filter: /^react-devtools-core$/}, () => ({path: 'none', namespace: 'empty'}));
		context.onLoad({filter: /.*/, namespace: 'empty'}, () => ({contents: 'export default {}'}));
	},
};

/** Bundles a program of this folder that draws with Ink, and gives the file that Node runs. */
export async function bundleProgram(name: string): Promise<string> {
	const outfile = join(createScratchFolder(), `${name}.mjs`);
	await build({
		entryPoints: [resolve(import.meta.dirname, `${name}.tsx`)],
		outfile,
		bundle: true,
		format: 'esm',
		platform: 'node',
		target: 'node22.13',
		jsx: 'automatic',
		logLevel: 'warning',
		define: {'process.env.NODE_ENV': '"production"'},
		banner: {
			js: `import {createRequire} from 'node:module'; const require = createRequire(import.meta.url);`,
		},
		plugins: [noDevtools],
	});
	return outfile;
}

/** Starts `sh` with these words in a pseudo-terminal of 80 by 24. */
export function startShell(
	words: readonly string[],
	env: Readonly<Record<string, string>> = {},
): ShellTerminal {
	const folder = createScratchFolder();
	const terminal = spawn('sh', [...words], {
		name: 'xterm-256color',
		cols: 80,
		rows: 24,
		cwd: folder,
		env: createUnconfiguredEnvironment(folder, {
			TERM: 'xterm-256color',
			FOLDER: folder,
			PS1: 'shell> ',
			...env,
		}),
		encoding: 'utf8',
	});
	atFileEnd(() => terminal.kill('SIGKILL'));
	let output = '';
	const watchers = new Set<() => void>();
	terminal.onData(piece => {
		output += piece;
		for (const watcher of watchers) watcher();
	});
	return {
		folder,
		output: () => output,
		waitFor(text, from = 0) {
			return new Promise((done, fail) => {
				const look = () => {
					const seen = output.slice(from);
					if (typeof text === 'string' ? !seen.includes(text) : !text.test(seen)) return;
					watchers.delete(look);
					clearTimeout(timer);
					done();
				};
				const timer = setTimeout(
					() => fail(new Error(`never showed ${text}, but ${JSON.stringify(output.slice(from))}`)),
					10_000,
				);
				watchers.add(look);
				look();
			});
		},
		type: text => terminal.write(text),
		readRecord: () => readFileSync(join(folder, 'record'), 'utf8').trimEnd().split('\n'),
		hangUp: () => (terminal as IPty & {destroy(): void}).destroy(),
	};
}
