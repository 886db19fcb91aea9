import fc from 'fast-check';
import packagedWidth from 'string-width';
import {expect, test} from 'vitest';
import {toDrawable} from '../../source/text/columns.ts';
import stringWidth from '../../source/text/string-width.ts';
import {getRunCount} from '../support/full.ts';

test('drawn text is as wide as the package says, with and without colours', () => {
	fc.assert(
		fc.property(fc.string({unit: 'binary'}), fc.string({unit: 'grapheme'}), (one, other) => {
			const text = toDrawable(one) + toDrawable(other);
			expect(stringWidth(text)).toBe(packagedWidth(text));
			expect(stringWidth(`\u001b[1m\u001b[36m${text}\u001b[39m\u001b[22m`)).toBe(packagedWidth(text));
		}),
		{numRuns: getRunCount(2000)},
	);
});

test('the symbols of the screens have one column each', () => {
	for (const mark of '–…›⟨⟩·─×✓▸▹▾◆●○⏎↑↓←→█░') expect(stringWidth(mark)).toBe(1);
});
