import {availableParallelism} from 'node:os';
import {configDefaults, defineConfig} from 'vitest/config';

/** Tests that start processes of the built program and wait for them, or put something in the place of a module. */
const apart = [
	'test/{bundle,commands,docs,media,terminal}/**/*.test.{ts,tsx}',
	'test/kv/local/{concurrency,crash,recorded}.test.ts',
	'test/state/lock-full.test.ts',
	'test/screens/keys/pane.test.tsx',
];

export default defineConfig({
	define: {LEDGE_VERSION: '"0.0.0-test"'},
	test: {
		testTimeout: 30_000,
		hookTimeout: 60_000,
		pool: 'forks',
		// Many a test waits for processes of its own: no core need be left over.
		maxWorkers: availableParallelism(),
		setupFiles: ['test/support/clean-environment.ts', 'test/support/fixed-seed.ts'],
		globalSetup: ['test/support/compile-cache.ts', 'test/support/fresh-seed.ts'],
		projects: [
			{extends: true, test: {name: 'apart', include: apart}},
			{
				extends: true,
				test: {
					name: 'modules',
					include: ['test/**/*.test.{ts,tsx}'],
					exclude: [...configDefaults.exclude, 'test/{interop,bench}/**', ...apart],
					// They share no state: a worker takes one file after the other, and loads each module once.
					isolate: false,
				},
			},
		],
	},
});
