import {expect, test} from 'vitest';
import {Checkpoint} from '../../../source/kv/transfer/checkpoint.ts';
import {effort} from '../../support/effort.ts';

test('settled entries cost no time, even if nobody asks for the position because nothing can be recorded', () => {
	const settleRuns = (runs: number) => () => {
		const checkpoint = new Checkpoint();
		for (let run = 0; run < runs; run++) {
			checkpoint.markProcessed(checkpoint.beginRun(1, {after: String(run)}), {done: 1});
			if (checkpoint.counts.done !== run + 1) throw new Error(`${checkpoint.counts.done} after ${run + 1}`);
		}
	};
	// Forty times as many take about forty times as long; 1,600 times, if each looked at all before it.
	expect(effort(settleRuns(40_000), 3)).toBeLessThan(400 * effort(settleRuns(1000), 3));
});
