import {tmpdir} from 'node:os';
import {median, run} from './measure.ts';
import type {Row} from './row.ts';

/** What an empty Node takes on the machine that budgets in milliseconds are written for. */
const reference = 25;

/**
 * How slow this machine is now, as a multiple of that one: by what an empty Node takes. Measure it right before what it is
 * for, since the machine may be busy at other times.
 */
export async function measurePace(times = 9): Promise<number> {
	const taken: number[] = [];
	for (let turn = 0; turn < times; turn++)
		taken.push((await run({words: ['-e', '0'], cwd: tmpdir()})).milliseconds);
	return median(taken) / reference;
}

/** A budget in milliseconds at this pace. `budget` has the figures of the machine that it is written for. */
export const pacedRow = (
	what: string,
	measured: string,
	budget: string,
	pace: number,
	isWithin: (pace: number) => boolean,
): Row => ({what, measured, budget: `≤ ${budget}, × ${pace.toFixed(2)}`, within: isWithin(pace)});
