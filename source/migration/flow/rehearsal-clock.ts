import {setImmediate as nextTurn} from 'node:timers/promises';
import {interrupted} from '../../failure.ts';
import type {Clock} from '../../service/clock.ts';

/**
 * Time of a rehearsal: nobody waits in it. A wait puts the clock on by as much and ends at once; a simulated service
 * that has this clock takes its minutes in no time. Time-outs of calls stay as long as they are.
 */
export function rehearsalClock(begins = Date.now()): Clock {
	const started = performance.now();
	let skipped = 0;
	return {
		now: () => begins + Math.floor(performance.now() - started) + skipped,
		elapsed: () => performance.now() + skipped,
		random: Math.random,
		scale: 1,
		async wait(milliseconds, signal) {
			if (signal.aborted) throw interrupted();
			skipped += milliseconds;
			await nextTurn();
			if (signal.aborted) throw interrupted();
		},
	};
}
