import {expect, test} from 'vitest';
import {drawAtFirewall, drawAtNamespaces} from '../../support/sample-screens.ts';
import type {DrawnScreen} from '../../support/screen.tsx';

/** Presses a key until this is shown. Returns what was shown before. */
async function pressUntil(screen: DrawnScreen, key: string, shown: RegExp): Promise<string> {
	const frames = [screen.text()];
	while (!shown.test(screen.text())) {
		await screen.pressAndAwaitFrame(key);
		frames.push(screen.text());
	}
	return frames.join('\n');
}

test('a question that is longer than the window is answered only after all of it was visible', async () => {
	const screen = await drawAtFirewall();
	await screen.resize(40, 10);
	screen.press('p');
	await screen.settled('y read on');
	expect(screen.text()).toMatch(/… \d+ more lines: pagedown/);
	expect(screen.text()).not.toContain('y pause rule');
	const read = await pressUntil(screen, 'y', /y pause rule/);
	expect(read.replaceAll(/\s+/g, ' ')).toContain('immediately checked by');
	await screen.pressAndAwaitFrame('pageup');
	expect(screen.text()).toContain('y pause rule');
	screen.press('y');
	await screen.waitFor('is paused');
});

test('a name can be typed, and counts only after the text was read', async () => {
	const screen = await drawAtNamespaces();
	await screen.resize(40, 10);
	screen.press('down', 'd');
	await screen.settled('Delete "SESSIONS"?');
	screen.press('down');
	await screen.settled('▸ Delete without');
	screen.press('enter');
	await screen.settled('To continue, type  SESSIONS');
	screen.type('SESSIONS');
	await screen.settled(/^ {3}SESSIONS$/m);
	await pressUntil(screen, 'enter', /This cannot be undone/);
	screen.press('enter');
	await screen.waitFor('Deleted "SESSIONS"');
});

test.each([
	{columns: 80, rows: 24},
	{columns: 60, rows: 15},
	{columns: 40, rows: 10},
])('a message of several lines never covers the row that keys act on: $columns×$rows', async size => {
	const screen = await drawAtNamespaces();
	await screen.resize(size.columns, size.rows);
	screen.press('down', 'enter');
	await screen.settled(/▸ +user:00000/);
	screen.press('G');
	await screen.settled(/▸ +user:00239/);
	screen.state().messages.warn(`${'The value is too large. '.repeat(4)}Open it first.`);
	await screen.settled(/The value is too large/);
	const lines = screen.text().split('\n');
	expect(lines).toHaveLength(size.rows);
	expect(lines.slice(-3, -1).join('\n')).toMatch(/▸ +user:00239.*\n.*The value is too large/s);
	screen.press('k');
	await screen.settled(/\? help/);
});
