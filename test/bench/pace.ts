import {tmpdir} from 'node:os';
import {median, run} from './measure.ts';
import type {Row} from './row.ts';

/** Milliseconds that an empty Node takes on the machine that the budgets are written for. */
const referenceMs = 25;

/**
 * How many times slower this machine is now than that one, measured by an empty Node. Call it right before
 * the measurement that needs it, since the load of the machine changes.
 */
export async function measurePace(turnCount = 9): Promise<number> {
	const durations: number[] = [];
	for (let turn = 0; turn < turnCount; turn++)
		durations.push((await run({words: ['-e', '0'], cwd: tmpdir()})).milliseconds);
	return median(durations) / referenceMs;
}

/** A budget in milliseconds at this pace. `budget` has the figures of the machine that it is written for. */
export const pacedRow = (
	what: string,
	measured: string,
	budget: string,
	pace: number,
	isWithin: (pace: number) => boolean,
): Row => ({what, measured, budget: `≤ ${budget}, × ${pace.toFixed(2)}`, within: isWithin(pace)});
