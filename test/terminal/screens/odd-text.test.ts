import {expect, test} from 'vitest';
import {expectAlignedAndCollect, oddNames, oddValues} from '../../screens/support/odd-names.ts';
import {createLocalProject} from '../../support/local-project.ts';
import {atLocalKeys} from './ways.ts';

test('names in any script leave the columns aligned', async () => {
	const screen = await atLocalKeys(await createLocalProject(oddValues));
	const seenNames = new Set<string>();
	for (const [step] of oddNames.entries()) {
		if (step > 0) await screen.pressAndAwaitFrame('down');
		expectAlignedAndCollect(screen, seenNames);
	}
	expect(seenNames.size).toBe(oddNames.length);
});
