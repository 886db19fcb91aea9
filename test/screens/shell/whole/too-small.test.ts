import {expect, test} from 'vitest';
import {goToNamespaces, waitForHome} from '../../support/sample-ways.ts';
import {drawScreen} from '../../support/screen.tsx';

test('a terminal below 60×15 shows a message, and the screen returns as it was', async () => {
	const screen = await drawScreen({simulate: true});
	await waitForHome(screen);
	await goToNamespaces(screen);
	screen.press('down');
	await screen.waitFor(shown => shown.selectedRow().text.includes('SESSIONS'));
	await screen.resize(59, 24);
	await screen.waitFor('ledge needs 60×15');
	await screen.resize(20, 3);
	await screen.waitFor('ledge needs');
	await screen.resize(80, 24);
	await screen.waitFor('catalogue');
	expect(screen.selectedRow().text).toContain('SESSIONS');
});
