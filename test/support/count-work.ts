import {Session} from 'node:inspector/promises';

/** The most that a few measurements find: V8 forgets the counts of code that it discards, and never adds to them. */
const measurements = 3;

/**
 * How often blocks of code below `source/` ran while `work` did: a measure of work that no other program on the machine
 * and no clock has a part in.
 */
export async function countWork(work: () => unknown): Promise<number> {
	const session = new Session();
	session.connect();
	try {
		await session.post('Profiler.enable');
		await session.post('Profiler.startPreciseCoverage', {callCount: true, detailed: true});
		// V8 begins to count in a function only after it has run.
		await work();
		await session.post('Profiler.takePreciseCoverage');
		let most = 0;
		for (let time = 0; time < measurements; time++) {
			await work();
			const {result} = await session.post('Profiler.takePreciseCoverage');
			const counts = result
				.filter(({url}) => /\/source\/|\/node_modules\/(smol-toml|jsonc-parser)\//.test(url))
				.flatMap(({functions}) => functions.flatMap(({ranges}) => ranges.map(({count}) => count)));
			most = Math.max(
				most,
				counts.reduce((sum, count) => sum + count, 0),
			);
		}
		return most;
	} finally {
		session.disconnect();
	}
}
