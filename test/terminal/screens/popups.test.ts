import {describe, expect, test} from 'vitest';
import {mouseBytes} from '../screen/keys.ts';
import type {Screen} from '../screen/open.ts';
import {readPopup} from '../screen/reading.ts';
import {atFirewall, atHome, atNamespaces} from './ways.ts';

const sizes = [
	{columns: 80, rows: 24},
	{columns: 200, rows: 60},
] as const;

/** Sizes at which dialogs take the whole body. */
const smallSizes = [
	{columns: 40, rows: 10},
	{columns: 60, rows: 15},
] as const;

/** Looks of the screens, by their environment. */
const looks: Readonly<Record<string, Record<string, string>>> = {
	dark: {LEDGE_THEME: 'dark'},
	light: {LEDGE_THEME: 'light'},
	'16 colours': {TERM: 'xterm'},
	'no colours': {NO_COLOR: '1'},
	'plain ASCII': {LC_ALL: 'C', LEDGE_THEME: 'dark'},
};

/** Presses a key that opens a dialog about the current row, and expects both on the screen. */
async function expectRowBesidePopup(screen: Screen, key: string, shown: RegExp, mark = '▸') {
	const row = screen.selectedRow(mark);
	screen.press(key);
	await screen.waitFor(shown);
	expect(screen.line(row.number), `row ${row.number} with ${key}`).toBe(row.text);
	expect(readPopup(screen.lines()).join('\n')).toMatch(shown);
	screen.press('esc');
	await screen.waitFor(() => !shown.test(screen.text()));
}

describe.each(sizes)('at $columns×$rows', size => {
	const shownLooks = size.rows === 24 ? Object.keys(looks) : ['dark', 'light'];
	test.each(shownLooks)('the namespace acted on stays visible: %s', async look => {
		const screen = await atHome({...size, env: looks[look] ?? {}});
		const mark = look === 'plain ASCII' ? '>' : '▸';
		screen.press('enter');
		await screen.waitFor('899 B');
		await expectRowBesidePopup(screen, 'R', /Rename "CONFIG"/, mark);
		await screen.pressAndAwaitFrame('end');
		await expectRowBesidePopup(screen, 'd', /Delete "odd names"/, mark);
		await expectRowBesidePopup(screen, ':', /search actions/, mark);
	});

	test('the rule acted on stays visible, first, in the middle and last', async () => {
		const screen = await atFirewall(size);
		for (const move of ['down', 'down', 'down', 'down', 'end']) {
			await expectRowBesidePopup(screen, 'p', /(?:Pause|Resume) rule \d+\?/);
			await expectRowBesidePopup(screen, 'O', /Priority of rule/);
			await expectRowBesidePopup(screen, 'd', /Delete (?:the )?rule/);
			await screen.pressAndAwaitFrame(move);
		}
		await expectRowBesidePopup(screen, 'O', /Priority of rule/);
	});
});

describe.each(smallSizes)('at $columns×$rows a dialog takes the whole body, and names what it is about', ({
	columns,
	rows,
}) => {
	test('a namespace', async () => {
		const screen = await atNamespaces();
		await screen.resize(columns, rows);
		await screen.waitFor(() => screen.line(1) === '─'.repeat(columns));
		for (const [key, title] of [
			['d', 'Delete "CONFIG"?'],
			['R', 'Rename "CONFIG"'],
		] as const) {
			screen.press(key);
			await screen.waitFor(title);
			expect(screen.text()).not.toContain('╭');
			expect(screen.text()).not.toContain('SESSIONS');
			screen.press('esc');
			await screen.waitFor('SESSIONS');
		}
		screen.press('d');
		await screen.waitFor('Delete without an export');
	});

	test('a rule', async () => {
		const screen = await atFirewall();
		await screen.resize(columns, rows);
		await screen.waitFor(() => screen.line(1) === '─'.repeat(columns));
		await screen.pressAndAwaitFrame('down');
		for (const [key, title] of [
			['p', 'Pause rule 2?'],
			['O', 'Priority of rule 2'],
			['d', 'Delete rule 2'],
		] as const) {
			screen.press(key);
			await screen.waitFor(title);
			screen.press('esc');
			await screen.waitFor(() => !screen.text().includes(title));
		}
	});
});

test('keys and clicks reach only the popup', async () => {
	const screen = await atHome();
	const before = screen.selectedRow();
	screen.press(':');
	await screen.waitFor('search actions');
	await screen.pressAndAwaitFrame('down');
	screen.raw(mouseBytes('click', 8, before.number));
	screen.press('esc');
	await screen.waitFor(() => !screen.text().includes('search actions'));
	expect(screen.selectedRow()).toEqual(before);
});
