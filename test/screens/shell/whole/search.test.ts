import {expect, test} from 'vitest';
import {drawAtHome, drawAtNamespaces} from '../../support/sample-screens.ts';

test('a filter shows matches; esc clears it and keeps the key', async () => {
	const screen = await drawAtNamespaces();
	screen.press('down', 'enter');
	await screen.waitFor('480 keys');
	screen.press('/');
	screen.type('00042');
	await screen.waitFor(/\/ 00042/);
	await screen.waitFor(shown => shown.selectedRow().text.includes('user:00042:profile'));
	screen.press('enter', 'down');
	await screen.waitFor(shown => shown.selectedRow().text.includes('user:00042:session'));
	screen.press('esc');
	await screen.waitFor('user:00041:');
	expect(screen.selectedRow().text).toContain('user:00042:session');
});

test('the palette finds an action by a few letters and runs it', async () => {
	const screen = await drawAtHome();
	screen.press(':');
	screen.type('calls session');
	await screen.waitFor(shown => shown.selectedRow().text.includes('go to the API calls of this session'));
	screen.press('enter');
	await screen.waitFor('METHOD');
	expect(screen.line(0)).toContain('activity');
});

test('the help of a screen can be searched', async () => {
	const screen = await drawAtHome();
	screen.press('?');
	await screen.waitFor('search shortcuts');
	screen.type('/suspend');
	await screen.waitFor(shown => shown.text().includes('ctrl-z') && !shown.text().includes('ctrl-r'));
	screen.press('esc');
	await screen.waitFor('/ search shortcuts');
	screen.press('esc');
	await screen.waitFor('Key-value store');
});
