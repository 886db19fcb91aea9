import assert from 'node:assert/strict';
import {confirm, goToConfirmation, waitForVerification} from '../screens/support/migration-steps.ts';
import {goToConfigKeys, goToNamespaces, waitForHome} from '../screens/support/sample-ways.ts';
import {confirmAfterReading} from '../screens/support/ways.ts';
import {Screen} from '../terminal/screen/screen.ts';

/** Opens a program in a terminal of 80×24, works in it, and expects that `q` ends it and leaves the terminal as it was. */
async function workInScreens(
	command: readonly string[],
	work: (screen: Screen) => Promise<void>,
): Promise<void> {
	await using screen = new Screen({command, cwd: '/', env: {PATH: process.env.PATH ?? ''}});
	await waitForHome(screen);
	await work(screen);
	screen.press('q');
	const {code} = await screen.waitForEnd();
	assert.equal(code, 0);
	assert.deepEqual(screen.changedModes(), []);
}

/** Home, namespaces, the keys of CONFIG, and one field of a JSON value changed. */
export const changeAValue = (command: readonly string[]): Promise<void> =>
	workInScreens(command, async screen => {
		assert.equal(screen.inAlternateScreen, true);
		await goToNamespaces(screen);
		await goToConfigKeys(screen);
		screen.press('/');
		screen.type('api');
		await screen.waitFor(() => !screen.text().includes('motd'));
		screen.press('enter');
		await screen.settled();
		screen.press('enter');
		await screen.waitFor('"member": 600');
		await screen.pressAndAwaitFrame('down');
		await screen.pressAndAwaitFrame('down');
		screen.press('e');
		await screen.waitFor('ctrl-s');
		screen.press('ctrl-u');
		screen.type('777');
		await screen.settled('"member": 777');
		screen.press('ctrl-s');
		await confirmAfterReading(screen, 'y write the key');
		await screen.waitFor(/Wrote \d+ bytes/);
	});

/** The migration of a zone to its end: read, reviewed, confirmed by its name, sent, verified. */
export const migrateZone = (command: readonly string[], name: string): Promise<void> =>
	workInScreens(command, async screen => {
		await goToConfirmation(screen, 'Direct');
		await confirm(screen, {name});
		await waitForVerification(screen);
	});
