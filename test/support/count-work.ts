import {Session} from 'node:inspector/promises';
import {setFlagsFromString} from 'node:v8';

/** What V8 must not do while it counts: optimized code does not count, and discarded code forgets its counts. */
const disabledFlags = ['opt', 'maglev', 'sparkplug', 'flush-bytecode', 'lazy-feedback-allocation'];

/** Maximum number of runs of `work`. */
const maxRuns = 50;

/**
 * Counts how often blocks of code below `source/` run during `work`: a measure that depends neither on the
 * clock nor on other programs. V8 forgets the counts of code that it discards meanwhile, and never counts too
 * much, so `work` is repeated until the highest count occurs a second time.
 */
export async function countWork(work: () => unknown): Promise<number> {
	for (const flag of disabledFlags) setFlagsFromString(`--no-${flag}`);
	const session = new Session();
	session.connect();
	try {
		await session.post('Profiler.enable');
		await session.post('Profiler.startPreciseCoverage', {callCount: true, detailed: true});
		const counts = new Set<number>();
		for (let run = 0; run < maxRuns; run++) {
			await work();
			const {result} = await session.post('Profiler.takePreciseCoverage');
			const count = result
				.filter(({url}) => /\/source\/|\/node_modules\/(smol-toml|jsonc-parser)\//.test(url))
				.flatMap(({functions}) => functions.flatMap(({ranges}) => ranges.map(({count}) => count)))
				.reduce((sum, countOfRange) => sum + countOfRange, 0);
			// V8 begins to count in a function only after it has run.
			if (run === 0) continue;
			if (counts.has(count) && count === Math.max(...counts)) return count;
			counts.add(count);
		}
		throw new Error(`No count was reached twice in ${maxRuns} runs: ${[...counts].join(', ')}.`);
	} finally {
		session.disconnect();
		for (const flag of disabledFlags) setFlagsFromString(`--${flag}`);
	}
}
