import {availableParallelism} from 'node:os';
import {configDefaults, defineConfig} from 'vitest/config';
import {isFull} from './test/support/full.ts';

const cores = availableParallelism();

/** Tests of screens in pseudo-terminals: they wait for the programs that they started, most of the time. */
const terminal = ['test/terminal/**/*.test.{ts,tsx}'];

/** Tests that put something in the place of a module, or that look at what their own process loads. */
const apart = [
	'test/bundle/**/*.test.{ts,tsx}',
	'test/commands/kv/export-cut.test.ts',
	'test/commands/shell/output-file.test.ts',
	'test/screens/keys/pane.test.tsx',
	'test/state/lock-full.test.ts',
	'test/terminal/{end-process,synced}.test.ts',
];

export default defineConfig({
	define: {LEDGE_VERSION: '"0.0.0-test"'},
	oxc: {jsx: {runtime: 'automatic', development: isFull}},
	test: {
		// React as it is shipped; its development build, which takes a stack trace for each element, in `npm run test:full`.
		env: {NODE_ENV: isFull ? 'test' : 'production'},
		// Room for what lives for a moment: a fifth of all processor time went into collecting it.
		execArgv: ['--max-semi-space-size=64'],
		testTimeout: 30_000,
		hookTimeout: 60_000,
		pool: 'forks',
		setupFiles: [
			'test/support/clean-environment.ts',
			'test/support/fixed-seed.ts',
			'test/support/end-file.ts',
		],
		globalSetup: [
			'test/support/run-folder.ts',
			'test/support/compile-cache.ts',
			'test/support/fresh-seed.ts',
		],
		projects: [
			{
				extends: true,
				test: {
					name: 'terminal',
					include: terminal,
					exclude: [...configDefaults.exclude, ...apart],
					isolate: false,
					maxWorkers: 2 * cores,
					sequence: {groupOrder: 0},
				},
			},
			{
				extends: true,
				test: {name: 'apart', include: apart, maxWorkers: cores + 1, sequence: {groupOrder: 1}},
			},
			{
				extends: true,
				test: {
					name: 'modules',
					include: ['test/**/*.test.{ts,tsx}'],
					exclude: [...configDefaults.exclude, 'test/{interop,bench}/**', ...terminal, ...apart],
					// They share no state: a worker takes one file after the other, and loads each module once.
					isolate: false,
					// Some wait for a process or for the disk.
					maxWorkers: cores + 1,
					sequence: {groupOrder: 1},
				},
			},
		],
	},
});
