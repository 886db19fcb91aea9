import {expect, test} from 'vitest';
import {goToNamespaces, waitForHome} from '../../support/sample-ways.ts';
import {drawScreen} from '../../support/screen.tsx';

test('a terminal below 40×10 shows a message, and the screen returns as it was', async () => {
	const screen = await drawScreen({simulate: true});
	await waitForHome(screen);
	await goToNamespaces(screen);
	screen.press('down');
	await screen.waitFor(shown => shown.selectedRow().text.includes('SESSIONS'));
	await screen.resize(39, 24);
	await screen.waitFor('ledge needs 40×10');
	await screen.resize(20, 3);
	await screen.waitFor('ledge needs');
	await screen.resize(80, 24);
	await screen.waitFor('catalogue');
	expect(screen.selectedRow().text).toContain('SESSIONS');
});
