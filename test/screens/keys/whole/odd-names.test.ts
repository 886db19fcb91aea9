import {expect, test} from 'vitest';
import {localProject} from '../../../support/local-project.ts';
import {measured} from '../../support/measured.ts';
import {expectAligned, oddNames, oddValues} from '../../support/odd-names.ts';
import {drawnAtLocalKeys} from '../../support/sample-screens.ts';

test.each([
	[60, 15],
	[130, 30],
] as const)('names in any script leave the columns aligned at %d×%d', async (columns, rows) => {
	const screen = await drawnAtLocalKeys(await localProject(oddValues), {columns, rows});
	const seen = new Set<string>();
	for (const [step] of oddNames.entries()) {
		if (step > 0) await screen.answerTo('down');
		expectAligned(await measured(screen), seen);
	}
	expect(seen.size).toBe(oddNames.length);
});
