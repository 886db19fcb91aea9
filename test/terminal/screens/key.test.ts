import {expect, test} from 'vitest';
import {atKeys, atLocalKeys, localProject} from './ways.ts';

test('JSON, 25 MiB in one line, NUL bytes and 100,000 lines open and are gone through', async () => {
	const json = Array.from({length: 20_000}, (_, at) => ({id: at, name: `user ${at}`, deep: {ok: true}}));
	const cwd = await localProject({
		'a-json': Buffer.from(JSON.stringify(json, undefined, 1)),
		'b-line': Buffer.alloc(26_214_400, 'x'),
		'c-nul': Buffer.alloc(26_214_400),
	});
	const screen = await atLocalKeys(cwd);
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
	expect(screen.wrapped()).toEqual([]);
});

test('the key and its cursor stay through every size of the window', async () => {
	const screen = await atKeys();
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
		expect(screen.wrapped()).toEqual([]);
		expect(screen.line(0)).toContain('site');
		expect(screen.text()).toContain('250 bytes');
	}
});
