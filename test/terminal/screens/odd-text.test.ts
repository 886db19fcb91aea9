import {expect, test} from 'vitest';
import {atLocalKeys, localProject} from './ways.ts';

const names = [
	'plain',
	'名前/設定',
	'이름:값',
	'👍 yes',
	'👩‍👩‍👧‍👦 family',
	'👍🏽 skin',
	'🇩🇪 flag',
	'e\u0301 combined',
	'שלום/עולם',
	'مرحبا',
	'क्षि',
	'ก็ำ',
	`long-${'あ'.repeat(169)}`,
	`long-${'x'.repeat(507)}`,
	'tab\tnul\u0000esc\u001b[31m',
	'zero\u200bwidth\u202eturned',
];

test.each([
	[60, 15],
	[80, 24],
	[130, 30],
] as const)('names in any script leave the columns aligned at %d×%d', async (columns, rows) => {
	const cwd = await localProject(Object.fromEntries(names.map(name => [name, 'v'])));
	const screen = await atLocalKeys(cwd, {columns, rows});
	const column = screen.line(2).indexOf('EXPIRES');
	const seen = new Set<string>();
	for (let step = 0; step < names.length; step++) {
		for (const [number, line] of screen.lines().entries()) {
			if (number < 3 || number > rows - 3 || line.trim() === '') continue;
			const cells = Array.from({length: columns}, (_, at) => screen.cell(number, at).text);
			expect(cells.indexOf('–'), `${line}\n${screen.framed()}`).toBe(column);
			seen.add(line.slice(3));
		}
		expect(screen.wrapped()).toEqual([]);
		if (step < names.length - 1) await screen.answerTo('down');
	}
	expect(seen.size).toBe(names.length);
});

test('a value of 25 MiB in one line is opened, shown as text and as hex, and left', async () => {
	const cwd = await localProject({large: Buffer.alloc(26_214_400, 'abcdefghij')});
	const screen = await atLocalKeys(cwd);
	screen.press('enter');
	await screen.waitFor('26214400 bytes');
	await screen.waitFor('abcdefghij');
	await screen.answerTo('down');
	await screen.answerTo('pagedown');
	screen.press('end');
	await screen.settled();
	screen.press('tab');
	await screen.waitFor('61 62 63 64');
	await screen.answerTo('up');
	expect(screen.wrapped()).toEqual([]);
	screen.press('esc');
	await screen.waitFor('1 key');
});

test('JSON of 100,000 lines is a tree: to its end, folded, searched', async () => {
	const items = Array.from({length: 33_000}, (_, number) => ({number, name: `item ${number}`}));
	const cwd = await localProject({json: JSON.stringify(items)});
	const screen = await atLocalKeys(cwd);
	screen.press('enter');
	await screen.waitFor(/JSON · \d+ bytes/);
	await screen.answerTo('end');
	await screen.settled();
	await screen.answerTo('home');
	screen.press('/');
	screen.type('item 32999');
	await screen.waitFor('"item 32999"');
	screen.press('enter');
	await screen.waitFor(/\$\[32999\]\.name/);
	expect(screen.wrapped()).toEqual([]);
});

test('NUL bytes and bytes that are no UTF-8 are shown as hex, all of them', async () => {
	const cwd = await localProject({binary: Uint8Array.from({length: 512}, (_, byte) => byte % 256)});
	const screen = await atLocalKeys(cwd);
	screen.press('enter');
	await screen.waitFor('00 01 02 03');
	expect(screen.text()).toContain('512 bytes');
	await screen.answerTo('end');
	await screen.waitFor('fc fd fe ff');
});
