import {expect, test} from 'vitest';
import {openScreen, type Screen} from '../screen/open.ts';

/** What ledge itself sends: Ink's cursor and screen, colours and styles, bracketed paste, synchronized output. */
const own = /\u001b\[(?:\?(?:1049|2004|2026|25|1004)[hl]|[0-9;]*[mABCDEFGHJKf]|\??u|[<>=]\d*u)/g;

function nothingLeaked(screen: Screen) {
	const rest = screen
		.received()
		.replace(own, '')
		.replace(/[\r\n]/g, '');
	// C0, DEL, C1, and what turns the direction of text.
	expect(rest).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
	expect(screen.title).toBe('');
	expect(screen.copied).toEqual([]);
}

test('hostile names of keys and their values, on every screen they come to', async () => {
	const screen = await openScreen(['--simulate']);
	await screen.waitFor('Acme (simulated)');
	screen.press('enter');
	await screen.waitFor('odd names');
	screen.press('end', 'enter');
	await screen.waitFor(/\d+ keys/);
	const {length} = screen.lines();
	for (let row = 0; row < length; row++) {
		screen.press('down');
		await screen.settled();
	}
	screen.press('A');
	await screen.waitFor('METHOD');
	nothingLeaked(screen);
});

test('a hostile title of a namespace, in the list, the path, a dialog, the calls and a failure', async () => {
	const screen = await openScreen(['--simulate']);
	await screen.waitFor('Acme (simulated)');
	screen.press('enter');
	await screen.waitFor('catalogue');
	screen.press('n');
	await screen.waitFor('New namespace');
	screen.paste('evil\u0007\u009b2J\u202etitle');
	await screen.waitFor('evil');
	screen.press('enter');
	await screen.waitFor('Created');
	screen.press('d');
	await screen.waitFor('To go on, type');
	screen.type('wrong');
	screen.press('enter');
	await screen.waitFor('not what has to be typed');
	screen.press('esc', 'enter');
	await screen.waitFor('no keys here yet');
	screen.press('A');
	await screen.waitFor('METHOD');
	nothingLeaked(screen);
});
