import {expect, test} from 'vitest';
import {mouseBytes} from '../screen/keys.ts';
import {openScreen} from '../screen/open.ts';
import {atHome, atNamespaces} from './ways.ts';

const mouseModePattern = /\u001b\[\?100[06]h/;

test('clicks select and open, the wheel moves, and the terminal gets its mouse back at the end', async () => {
	const screen = await atNamespaces();
	expect(screen.received()).toContain('\u001b[?1000h\u001b[?1006h');
	const line = screen
		.text()
		.split('\n')
		.findIndex(row => row.includes('SESSIONS'));
	screen.raw(mouseBytes('click', 8, line));
	await screen.waitFor(() => screen.selectedRow().text.includes('SESSIONS'));
	screen.raw(mouseBytes('wheel-up', 8, line));
	await screen.waitFor(() => screen.selectedRow().text.includes('CONFIG'));
	screen.raw(mouseBytes('click', 8, line));
	screen.raw(mouseBytes('click', 8, line));
	await screen.waitFor('480 keys');
	screen.press('esc');
	await screen.waitFor('BINDING');
	screen.press('q');
	expect(await screen.waitForEnd()).toMatchObject({code: 0});
	const sent = screen.received();
	for (const mode of [1000, 1006])
		expect(sent.lastIndexOf(`\u001b[?${mode}l`)).toBeGreaterThan(sent.lastIndexOf(`\u001b[?${mode}h`));
	expect(screen.changedModes()).toEqual([]);
});

test('LEDGE_MOUSE=0 leaves the mouse to the terminal and ignores mouse input', async () => {
	const screen = await atHome({env: {LEDGE_MOUSE: '0'}});
	const {text} = screen.selectedRow();
	const line = screen.text().split('\n').indexOf(text);
	screen.raw(mouseBytes('click', 8, line + 1));
	screen.raw(mouseBytes('wheel-down', 8, line + 1));
	screen.press('down');
	await screen.waitFor(() => /Firewall rules/.test(screen.selectedRow().text));
	expect(screen.received()).not.toMatch(mouseModePattern);
});

test('screens for a screen reader do not use the mouse', async () => {
	const screen = await openScreen(['--simulate', '--screen-reader'], {columns: 200, rows: 50});
	await screen.waitFor(/\? help/);
	expect(screen.received()).not.toMatch(mouseModePattern);
});
