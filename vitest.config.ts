import {availableParallelism} from 'node:os';
import {matchesGlob, relative} from 'node:path';
import {configDefaults, defineConfig} from 'vitest/config';
import {BaseSequencer, type TestSpecification} from 'vitest/node';
import {isFull} from './test/support/full.ts';

const cores = availableParallelism();

/** Tests of screens in pseudo-terminals, which mostly wait for child processes. */
const terminalTests = ['test/terminal/**/*.test.{ts,tsx}'];

/** Tests that mock modules or inspect what their own process loads. */
const isolatedTests = [
	'test/build/**/*.test.{ts,tsx}',
	'test/commands/kv/export-cut.test.ts',
	'test/commands/shell/output-file.test.ts',
	'test/kv/key-index/pages.test.ts',
	'test/screens/keys/pane.test.tsx',
	'test/state/lock-full.test.ts',
	'test/terminal/{end-process,synced}.test.ts',
];

/** Tests that mostly wait for processes or timers: two at once leave a core idle. */
const waitingTests = [
	'commands/kv/{bulk,local-crash,transfer-killed,transfer-storms}',
	'commands/migration/{ids,jobs,killed,next-steps,output,path}',
	'commands/{next-steps,refusals}',
	'commands/shell/{launcher,streams}',
	'kv/local/{concurrency,crash}',
	'kv/transfer/storms',
	'migration/flow/cuts',
	'screens/bulk/slice',
	'screens/migration/whole/{blockers,elsewhere,flow,gone}',
	'screens/transfer/whole/jobs',
].map(pattern => `test/${pattern}.test.ts`);

/** The longest terminal tests; started late, they would prolong the run. */
const longestTests = [
	'test/terminal/screens/{bulk,compare,edit,migration-ended}.test.ts',
	'test/terminal/hostile.test.ts',
];

/**
 * Starts with the longest tests, and spreads waiting tests among the others, so that usually only one of them
 * runs at a time.
 */
class SpreadSequencer extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const sorted = await super.sort(files);
		const matchesAny =
			(patterns: readonly string[]) =>
			({moduleId}: TestSpecification): boolean =>
				patterns.some(pattern => matchesGlob(relative(import.meta.dirname, moduleId), pattern));
		const [isLongest, isWaiting] = [matchesAny(longestTests), matchesAny(waitingTests)];
		const spread = sorted.filter(isWaiting);
		const rest = sorted.filter(file => !isWaiting(file));
		const others = [...rest.filter(isLongest), ...rest.filter(file => !isLongest(file))];
		const firstModuleTest = others.findIndex(({project}) => project.name === 'modules');
		// Spread over the first 80 %, so that the last ones finish before the others do.
		const step = Math.max(
			1,
			Math.floor(((others.length - firstModuleTest) * 0.8) / Math.max(1, spread.length)),
		);
		for (const [index, file] of spread.entries())
			others.splice(firstModuleTest + index * (step + 1), 0, file);
		return others;
	}
}

export default defineConfig({
	define: {LEDGE_VERSION: '"0.0.0-test"'},
	oxc: {jsx: {runtime: 'automatic', development: isFull}},
	test: {
		// React's production build; `npm run test:full` uses the development build, which takes a stack trace
		// per element.
		env: {NODE_ENV: isFull ? 'test' : 'production'},
		// A large young generation: collecting short-lived objects took a fifth of CPU time. Most code runs
		// only a few times, and finishes sooner when compiled at the first call.
		execArgv: ['--max-semi-space-size=64', '--always-sparkplug'],
		// Reached only by tests that hang; leaves room for slow tests on a busy machine.
		testTimeout: 180_000,
		hookTimeout: 240_000,
		expect: {poll: {timeout: 90_000}},
		pool: 'forks',
		alias: [
			{find: /^.*\/kv\/memory\.ts$/, replacement: `${import.meta.dirname}/test/support/no-collections.ts`},
		],
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
		sequence: {sequencer: SpreadSequencer},
		projects: [
			{
				extends: true,
				test: {
					name: 'terminal',
					include: terminalTests,
					exclude: [...configDefaults.exclude, ...isolatedTests],
					isolate: false,
					maxWorkers: 2 * cores,
					sequence: {groupOrder: 0},
				},
			},
			{
				extends: true,
				test: {name: 'apart', include: isolatedTests, maxWorkers: cores + 1, sequence: {groupOrder: 1}},
			},
			{
				extends: true,
				test: {
					name: 'modules',
					include: ['test/**/*.test.{ts,tsx}'],
					exclude: [...configDefaults.exclude, 'test/{interop,bench}/**', ...terminalTests, ...isolatedTests],
					// The files share no state, so a worker can run them one after another and load each
					// module once.
					isolate: false,
					// One more than cores, since some wait for a process or the disk.
					maxWorkers: cores + 1,
					sequence: {groupOrder: 1},
				},
			},
		],
	},
});
