import {expect, test} from 'vitest';
import {createLocalProject} from '../../../support/local-project.ts';
import {readLastFrame} from '../../support/measured.ts';
import {expectAlignedAndCollect, oddNames, oddValues} from '../../support/odd-names.ts';
import {drawAtLocalKeys} from '../../support/sample-screens.ts';

test.each([
	[60, 15],
	[130, 30],
] as const)('names in any script leave the columns aligned at %d×%d', async (columns, rows) => {
	const screen = await drawAtLocalKeys(await createLocalProject(oddValues), {columns, rows});
	const seenNames = new Set<string>();
	for (const [step] of oddNames.entries()) {
		if (step > 0) await screen.pressAndAwaitFrame('down');
		expectAlignedAndCollect(await readLastFrame(screen), seenNames);
	}
	expect(seenNames.size).toBe(oddNames.length);
});
