import {setImmediate as turn} from 'node:timers/promises';
import type {Steps} from '../../text/steps.ts';

/** Milliseconds of work between two looks at the keyboard: a key has to be answered, and drawn, within 100 ms. */
const sliceLength = 8;

/**
 * Does work while keys are answered in between; what takes no longer than a slice is done at once. `clock` in
 * milliseconds. When the signal is aborted it ends with the next turn.
 */
export async function inTurns<Result>(
	work: Steps<Result>,
	signal: AbortSignal,
	clock: () => number = () => performance.now(),
): Promise<Result> {
	let end = clock() + sliceLength;
	for (;;) {
		const step = work.next();
		if (step.done) return step.value;
		if (clock() < end) continue;
		await turn(undefined, {signal});
		end = clock() + sliceLength;
	}
}
