import {expect, test} from 'vitest';
import {expectAligned, oddNames, oddValues} from '../../screens/support/odd-names.ts';
import {localProject} from '../../support/local-project.ts';
import {atLocalKeys} from './ways.ts';

test('names in any script leave the columns aligned', async () => {
	const screen = await atLocalKeys(await localProject(oddValues));
	const seen = new Set<string>();
	for (const [step] of oddNames.entries()) {
		if (step > 0) await screen.answerTo('down');
		expectAligned(screen, seen);
	}
	expect(seen.size).toBe(oddNames.length);
});
