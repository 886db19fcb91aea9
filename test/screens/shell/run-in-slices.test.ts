import {expect, test} from 'vitest';
import {runInSlices} from '../../../source/screens/shell/run-in-slices.ts';
import type {Steps} from '../../../source/text/steps.ts';

const {signal} = new AbortController();

/** Work of `steps` steps that take `milliseconds` each, by a clock of its own. */
function createWork(steps: number, milliseconds: number) {
	let passed = 0;
	let done = 0;
	function* work(): Steps<string> {
		for (; done < steps; done++) {
			passed += milliseconds;
			yield;
		}
		return 'all';
	}
	return {work: work(), clock: () => passed, done: () => done};
}

test('short work finishes before anything else has a turn', async () => {
	const {work, clock} = createWork(7, 1);
	let turns = 0;
	const turnCounter = setImmediate(() => turns++);
	expect(await runInSlices(work, signal, clock)).toBe('all');
	expect(turns).toBe(0);
	clearImmediate(turnCounter);
});

test('slices of long work let others run, and none is longer than a slice plus a step', async () => {
	const {work, clock} = createWork(1000, 1);
	const slices: number[] = [];
	let lastSliceEnd = 0;
	let waiting = setImmediate(function tick() {
		slices.push(clock() - lastSliceEnd);
		lastSliceEnd = clock();
		waiting = setImmediate(tick);
	});
	expect(await runInSlices(work, signal, clock)).toBe('all');
	clearImmediate(waiting);
	expect(slices.length).toBeGreaterThan(50);
	expect(Math.max(...slices)).toBeLessThanOrEqual(9);
});

test('cancelled work ends with its slice', async () => {
	const {work, clock, done} = createWork(1000, 1);
	const controller = new AbortController();
	const ending = runInSlices(work, controller.signal, clock);
	controller.abort();
	await expect(ending).rejects.toMatchObject({name: 'AbortError'});
	expect(done()).toBeLessThan(20);
});

test('a failure of the work is reported', async () => {
	function* broken(): Steps<string> {
		yield;
		throw new Error('broken');
	}
	await expect(runInSlices(broken(), signal)).rejects.toThrow('broken');
});
