import {setImmediate as nextTurn} from 'node:timers/promises';
import {createInterruptedFailure} from '../../failure.ts';
import type {Clock} from '../../service/clock.ts';

/**
 * Creates a clock for rehearsals: a wait ends at once and advances the clock, so a simulated service with
 * this clock finishes immediately. Timeouts of calls are unchanged.
 */
export function createRehearsalClock(startTime = Date.now()): Clock {
	const startedAtMs = performance.now();
	let skippedMs = 0;
	return {
		now: () => startTime + Math.floor(performance.now() - startedAtMs) + skippedMs,
		elapsed: () => performance.now() + skippedMs,
		random: Math.random,
		scale: 1,
		async wait(milliseconds, signal) {
			if (signal.aborted) throw createInterruptedFailure();
			skippedMs += milliseconds;
			await nextTurn();
			if (signal.aborted) throw createInterruptedFailure();
		},
	};
}
