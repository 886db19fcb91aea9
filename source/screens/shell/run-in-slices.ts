import {setImmediate as turn} from 'node:timers/promises';
import type {Steps} from '../../text/steps.ts';

/** Milliseconds of work between turns of the event loop: a key must be answered and drawn within 100 ms. */
const sliceMs = 8;

/**
 * Runs work in slices so that keys are handled in between; shorter work runs at once. `clock` returns
 * milliseconds. Rejects in the next turn if the signal is aborted.
 */
export async function runInSlices<Result>(
	work: Steps<Result>,
	signal: AbortSignal,
	clock: () => number = () => performance.now(),
): Promise<Result> {
	let sliceEnd = clock() + sliceMs;
	for (;;) {
		const step = work.next();
		if (step.done) return step.value;
		if (clock() < sliceEnd) continue;
		await turn(undefined, {signal});
		sliceEnd = clock() + sliceMs;
	}
}
