import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createScratchFolder} from '../../../support/ledge.ts';
import {createEntries} from '../../support/bulk.ts';
import {readLastFrame} from '../../support/measured.ts';
import {drawAtKeys} from '../../support/sample-screens.ts';
import {checkFile, sendCheckedFile} from '../../support/sample-ways.ts';

test('a file is checked, its good entries are sent, and the selected keys are deleted', async () => {
	const cwd = createScratchFolder();
	const bad = {key: 'bad \u001b[2J\u202e', value: 1};
	writeFileSync(join(cwd, 'load.json'), JSON.stringify([...createEntries(40), bad]));
	const screen = await drawAtKeys({cwd});
	await checkFile(screen, 'load.json');
	expect(screen.text()).toContain('41 entries · 1 invalid');

	screen.press('v');
	await screen.waitFor('REASON');
	expect(screen.selectedRow().text).toMatch(/line 1 +bad \\x1b\[2J\\u202e +The property "value"/);
	for (const [columns, rows] of [
		[60, 15],
		[200, 60],
		[80, 24],
	] as const) {
		await screen.resize(columns, rows);
		await screen.settled();
		await screen.waitFor('line 1');
		expect((await readLastFrame(screen)).wrapped()).toEqual([]);
	}
	screen.press('esc');
	await screen.waitFor('Nothing has been sent.');
	screen.press('y');
	await screen.waitFor('y continue with 40 valid entries');
	await sendCheckedFile(screen, 'CONFIG');
	await screen.waitFor(shown => shown.line(-2).startsWith(' Wrote 40 of 41 keys in namespace CONFIG'));

	screen.press('esc', 'ctrl-r');
	await screen.waitFor('49 keys');
	screen.press('/');
	screen.type('load:');
	await screen.waitFor(shown => shown.selectedRow().text.includes('load:1'));
	screen.press('enter', 'A');
	await screen.waitFor('40 selected');
	screen.press('d');
	await screen.waitFor('Delete 40 selected keys from CONFIG?');
	screen.press('y');
	await screen.waitFor('Deleted 40 keys');
	screen.press('esc');
	await screen.waitFor('9 keys');
});
