import {defineConfig} from 'vitest/config';

export default defineConfig({
	define: {LEDGE_VERSION: '"0.0.0-test"'},
	test: {
		include: ['test/**/*.test.{ts,tsx}'],
		exclude: ['test/interop/**', 'test/bench/**'],
		testTimeout: 30_000,
		hookTimeout: 60_000,
		pool: 'forks',
		setupFiles: ['test/support/clean-environment.ts'],
	},
});
