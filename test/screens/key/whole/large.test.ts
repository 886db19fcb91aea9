import {expect, test} from 'vitest';
import {createLocalProject} from '../../../support/local-project.ts';
import {readLastFrame} from '../../support/measured.ts';
import {drawAtKeys, drawAtLocalKeys} from '../../support/sample-screens.ts';

test('a 25 MiB value in one line is opened, shown as text and as hex, and closed', async () => {
	const cwd = await createLocalProject({large: Buffer.alloc(26_214_400, 'abcdefghij')});
	const screen = await drawAtLocalKeys(cwd);
	screen.press('enter');
	await screen.waitFor('26214400 bytes');
	await screen.waitFor('abcdefghij');
	await screen.pressAndAwaitFrame('down');
	await screen.pressAndAwaitFrame('pagedown');
	screen.press('end');
	await screen.settled();
	screen.press('tab');
	await screen.waitFor('61 62 63 64');
	await screen.pressAndAwaitFrame('up');
	expect((await readLastFrame(screen)).wrapped()).toEqual([]);
	screen.press('esc');
	await screen.waitFor('1 key');
});

test('JSON of 100,000 lines is a tree that can be scrolled to its end, folded and searched', async () => {
	const items = Array.from({length: 33_000}, (_, number) => ({number, name: `item ${number}`}));
	const cwd = await createLocalProject({json: JSON.stringify(items)});
	const screen = await drawAtLocalKeys(cwd);
	screen.press('enter');
	await screen.waitFor(/JSON · \d+ bytes/);
	await screen.pressAndAwaitFrame('end');
	await screen.settled();
	await screen.pressAndAwaitFrame('home');
	screen.press('/');
	screen.type('item 32999');
	await screen.waitFor('"item 32999"');
	screen.press('enter');
	await screen.waitFor(/\$\[32999\]\.name/);
	expect((await readLastFrame(screen)).wrapped()).toEqual([]);
});

test('NUL bytes and invalid UTF-8 are all shown as hex', async () => {
	const cwd = await createLocalProject({binary: Uint8Array.from({length: 512}, (_, byte) => byte % 256)});
	const screen = await drawAtLocalKeys(cwd);
	screen.press('enter');
	await screen.waitFor('00 01 02 03');
	expect(screen.text()).toContain('512 bytes');
	await screen.pressAndAwaitFrame('end');
	await screen.waitFor('fc fd fe ff');
});

test('JSON, 25 MiB in one line, NUL bytes and 100,000 lines open and can be navigated', async () => {
	const json = Array.from({length: 20_000}, (_, at) => ({id: at, name: `user ${at}`, deep: {ok: true}}));
	const cwd = await createLocalProject({
		'a-json': Buffer.from(JSON.stringify(json, undefined, 1)),
		'b-line': Buffer.alloc(26_214_400, 'x'),
		'c-nul': Buffer.alloc(26_214_400),
	});
	const screen = await drawAtLocalKeys(cwd);
	await screen.waitFor('c-nul');

	screen.press('enter');
	await screen.waitFor('{ 3 fields }');
	screen.press('G');
	await screen.waitFor(/^ ▸ {3}\]$/m);
	screen.press('k');
	await screen.waitFor('$[19999]');
	screen.press('/');
	screen.type('user 17000"');
	await screen.waitFor('$[17000].name');
	screen.press('enter', 'esc', 'esc');
	await screen.waitFor('c-nul');

	screen.press('down', 'enter');
	await screen.waitFor('26214400 bytes (25 MB)');
	screen.press('G', 'k', 'j');
	await screen.waitFor(/line 1 of 1\b/);
	screen.press('tab', 'G');
	await screen.waitFor('byte 26214384 of 26214400');
	screen.press('esc');
	await screen.waitFor('c-nul');

	screen.press('down', 'enter');
	await screen.waitFor('binary');
	screen.press('tab');
	await screen.waitFor('\\x00\\x00');
	expect((await readLastFrame(screen)).wrapped()).toEqual([]);
});

test('the key and its cursor survive every window size', async () => {
	const screen = await drawAtKeys();
	screen.press('G', 'enter');
	await screen.waitFor('"Acme Shop"');
	screen.press('j', 'j', 'j', 'enter');
	await screen.waitFor('[ 3 elements ]');
	for (const [columns, rows] of [
		[60, 15],
		[200, 60],
		[80, 24],
	] as const) {
		await screen.resize(columns, rows);
		await screen.settled(/^ ▸ ▹ {3}"currencies"/m);
		expect((await readLastFrame(screen)).wrapped()).toEqual([]);
		expect(screen.line(0)).toContain('site');
		expect(screen.text()).toContain('250 bytes');
	}
});
