import {expect, test} from 'vitest';
import {createLocalProject} from '../../support/local-project.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';
import {openScreen} from '../screen/open.ts';
import {atLocalKeys} from './ways.ts';

test('statistics of 100,000 keys show cost and progress, stop, continue to the end and open a key', async () => {
	const service = await serveSimulator();
	const screen = await openScreen([], {env: service.env});
	await screen.waitFor(/Account +Acme/);
	screen.press('enter');
	await screen.waitFor('catalogue');
	screen.press('/');
	screen.type('catalogue');
	screen.press('enter');
	await screen.waitFor(() => screen.selectedRow().text.includes('catalogue'));
	await service.setFaults('hang path=/keys after=20');
	screen.press('S');
	await screen.waitFor('100,000 keys: 120 calls, 4 s or more');
	screen.press('enter');
	await screen.waitFor(/listing: 20,000 keys +esc stops/);
	screen.press('esc');
	await screen.waitFor('stopped: 20,000 keys, incomplete');
	expect(screen.text()).toContain('Incomplete: the figures cover the first 20,000 keys by name');

	await service.setFaults('');
	screen.press('ctrl-r');
	await screen.waitFor('enter starts');
	screen.press('enter');
	await screen.waitFor('100,000 keys · 2,000 random values');
	await screen.waitFor(/▸ audio\/article: +█+ 10,000 {2}10%/);
	screen.press('tab');
	await screen.waitFor(/▸ Total (about )?4\.9 MB.*: all keys, estimated from 2,000/);
	screen.press('tab');
	await screen.waitFor(/▸ \w+\/article:\d{5} +█+ 54 B/);
	screen.press('enter');
	await screen.waitFor('"stock"');
	screen.press('esc');
	await screen.waitFor('random values');
	screen.press('g', 'enter');
	await screen.waitFor(/▾ audio\/article:/);
	expect(screen.selectedRow().text).toContain('audio/article:');
});

test('statistics of local data appear at once, on a narrow terminal and in ASCII', async () => {
	const cwd = await createLocalProject({'a:1': 'x', 'a:2': 'yyy', b: 'z'.repeat(2000)});
	const screen = await atLocalKeys(cwd, {columns: 60, rows: 15, env: {LC_ALL: 'C'}});
	screen.press('S');
	await screen.waitFor(/> a: +#+ 2 {2}67%/);
	expect(screen.text()).toContain('Total 2 KB: 3 values.');
	screen.press('tab', 'tab');
	await screen.waitFor(/> b +#+ 2 KB/);
});
