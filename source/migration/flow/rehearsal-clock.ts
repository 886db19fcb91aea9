import {setImmediate as nextTurn} from 'node:timers/promises';
import {createInterruptedFailure} from '../../failure.ts';
import type {Clock} from '../../service/clock.ts';

/**
 * Creates a clock for rehearsals: a wait ends at once and advances the clock, so a simulated service with
 * this clock finishes immediately. Timeouts of calls are unchanged.
 */
export function createRehearsalClock(startsAt = Date.now()): Clock {
	const started = performance.now();
	let skipped = 0;
	return {
		now: () => startsAt + Math.floor(performance.now() - started) + skipped,
		elapsed: () => performance.now() + skipped,
		random: Math.random,
		scale: 1,
		async wait(milliseconds, signal) {
			if (signal.aborted) throw createInterruptedFailure();
			skipped += milliseconds;
			await nextTurn();
			if (signal.aborted) throw createInterruptedFailure();
		},
	};
}
