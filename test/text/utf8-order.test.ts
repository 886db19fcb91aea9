import fc from 'fast-check';
import {expect, test} from 'vitest';
import {compareKeys} from '../../source/text/utf8-order.ts';
import {getRunCount} from '../support/full.ts';

test('keys are sorted by their UTF-8 bytes', () => {
	const text = fc.string({
		unit: fc.constantFrom('a', 'b', '\u07ff', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}'),
	});
	fc.assert(
		fc.property(text, text, (one, other) => {
			expect(Math.sign(compareKeys(one, other))).toBe(Buffer.compare(Buffer.from(one), Buffer.from(other)));
		}),
		{numRuns: getRunCount(1000)},
	);
});
