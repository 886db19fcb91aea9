import {expect, test} from 'vitest';
import {Checkpoint} from '../../../source/kv/transfer/checkpoint.ts';

test('what is behind it costs nothing, even where nobody asks for the place because nothing can be recorded', () => {
	const walked = new Checkpoint();
	const runs = 20_000;
	const began = performance.now();
	for (let run = 0; run < runs; run++) {
		walked.settle(walked.begin(1, {after: String(run)}), {done: 1});
		expect(walked.counts.done).toBe(run + 1);
	}
	expect(performance.now() - began).toBeLessThan(5000);
});
