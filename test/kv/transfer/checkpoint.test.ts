import {expect, test} from 'vitest';
import {Checkpoint} from '../../../source/kv/transfer/checkpoint.ts';
import {measureCpuTime} from '../../support/effort.ts';

test('processing a key takes constant time, even if only the counts are read after each', () => {
	const settleRuns = (runs: number) => () => {
		const checkpoint = new Checkpoint();
		for (let run = 0; run < runs; run++) {
			checkpoint.markProcessed(checkpoint.beginRun(1, {after: String(run)}), {done: 1});
			if (checkpoint.counts.done !== run + 1) throw new Error(`${checkpoint.counts.done} after ${run + 1}`);
		}
	};
	// 40 times as many runs take about 40 times as long, but 1,600 times if each looked at all before it.
	expect(measureCpuTime(settleRuns(40_000), 3)).toBeLessThan(400 * measureCpuTime(settleRuns(1000), 3));
});
