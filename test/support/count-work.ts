import {Session} from 'node:inspector/promises';
import {setFlagsFromString} from 'node:v8';

/** What V8 must not do while it counts: optimized code does not count, and discarded code forgets its counts. */
const counting = ['opt', 'maglev', 'sparkplug', 'flush-bytecode', 'lazy-feedback-allocation'];

/** Times that work is done at most. */
const maxRuns = 50;

/**
 * How often blocks of code below `source/` ran while `work` did: a measure of work that no other program on the machine
 * and no clock has a part in. V8 forgets the counts of code that it discards meanwhile, and never adds to them, so the
 * count is the highest one once it was reached a second time.
 */
export async function countWork(work: () => unknown): Promise<number> {
	for (const flag of counting) setFlagsFromString(`--no-${flag}`);
	const session = new Session();
	session.connect();
	try {
		await session.post('Profiler.enable');
		await session.post('Profiler.startPreciseCoverage', {callCount: true, detailed: true});
		const seen = new Set<number>();
		for (let run = 0; run < maxRuns; run++) {
			await work();
			const {result} = await session.post('Profiler.takePreciseCoverage');
			const count = result
				.filter(({url}) => /\/source\/|\/node_modules\/(smol-toml|jsonc-parser)\//.test(url))
				.flatMap(({functions}) => functions.flatMap(({ranges}) => ranges.map(({count}) => count)))
				.reduce((sum, one) => sum + one, 0);
			// V8 begins to count in a function only after it has run.
			if (run === 0) continue;
			if (seen.has(count) && count === Math.max(...seen)) return count;
			seen.add(count);
		}
		throw new Error(`No count was reached twice in ${maxRuns} runs: ${[...seen].join(', ')}.`);
	} finally {
		session.disconnect();
		for (const flag of counting) setFlagsFromString(`--${flag}`);
	}
}
