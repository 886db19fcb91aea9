import {expect, test} from 'vitest';
import {goToNamespaces, waitForHome} from '../../support/sample-ways.ts';
import {type DrawnScreen, drawScreen} from '../../support/screen.tsx';

// Several keys in one chunk are several keys, each in a turn of its own: test/keyboard.

async function openNamespaceList(): Promise<DrawnScreen> {
	const screen = await drawScreen({simulate: true});
	await waitForHome(screen);
	await goToNamespaces(screen);
	return screen;
}

test('three keys at once move three rows', async () => {
	const screen = await openNamespaceList();
	screen.press('j', 'j', 'j');
	await screen.settled(shown => shown.selectedRow().text.includes('assets'));
	screen.press('up', 'up', 'up', 'down');
	await screen.settled(shown => shown.selectedRow().text.includes('SESSIONS '));
});

test('keys in a menu move too, up to its ends', async () => {
	const screen = await drawScreen({simulate: true});
	await waitForHome(screen);
	const getEntryName = (line: string | undefined) => line?.slice(5, 22);
	const entries = screen
		.lines()
		.filter(line => /^ {3}[▸ ] \S/.test(line))
		.map(getEntryName);
	expect(entries.length).toBeGreaterThan(1);
	screen.press('down', 'up', 'up', 'up', 'down');
	await screen.settled(shown => getEntryName(shown.selectedRow().text) === entries[1]);
	screen.press(...entries.map(() => 'down'));
	await screen.settled(shown => getEntryName(shown.selectedRow().text) === entries.at(-1));
});

test('typing, deleting and enter at once filter by the intended text', async () => {
	const screen = await openNamespaceList();
	screen.press('/', 'a', 'b', 'backspace', 's', 's', 'e', 't', 'enter');
	await screen.settled(shown => shown.selectedRow().text.includes('assets'));
	expect(screen.text()).not.toContain('CONFIG');
});

test('a paste counts as text, and its line feeds do not submit', async () => {
	const screen = await openNamespaceList();
	screen.press('/');
	await screen.waitFor(/^ \/ /m);
	screen.paste('odd\nnames');
	await screen.settled(shown => shown.selectedRow().text.includes('odd names'));
	expect(screen.line(0)).toContain('namespaces');
});
