import {availableParallelism} from 'node:os';
import {defineConfig} from 'vitest/config';

export default defineConfig({
	define: {LEDGE_VERSION: '"0.0.0-test"'},
	test: {
		include: ['test/**/*.test.{ts,tsx}'],
		exclude: ['test/interop/**', 'test/bench/**'],
		testTimeout: 30_000,
		hookTimeout: 60_000,
		pool: 'forks',
		// Many a test waits for processes of its own: no core need be left over.
		maxWorkers: availableParallelism(),
		setupFiles: ['test/support/clean-environment.ts'],
	},
});
