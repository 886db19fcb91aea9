import {expect, test} from 'vitest';
import {lookingTime} from '../../../source/screens/review/state.ts';
import {elsewhere} from '../../screens/support/edit-ways.ts';
import {lookAndEnterAt} from '../../screens/support/ways.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';
import {atKeys} from './ways.ts';

// What else happens to a rename: test/kv/change/rename.test.ts and test/screens/rename.

test('R renames the key under the cursor, and u pressed twice undoes it', async () => {
	const service = await serveSimulator();
	const screen = await atKeys({env: service.env}, []);
	expect(screen.selectedRow().text).toContain('features');
	const before = await elsewhere(service, 'get', 'features');
	screen.press('R');
	await screen.waitFor('Rename features');
	screen.type('-2');
	screen.press('enter');
	await screen.waitFor('Renamed features to features-2. Press u twice to undo it.');
	expect(screen.selectedRow().text).toContain('features-2');
	expect(await elsewhere(service, 'get', 'features-2')).toBe(before);
	screen.press('u');
	await screen.waitFor('Undo: the key that was deleted will be there again.');
	await lookAndEnterAt(screen, 'Write it');
	await screen.waitFor('Undone: features is as it was.');
	screen.press('u');
	await screen.waitFor('Undo: the key was new, so it will be deleted.');
	await screen.settled('Delete features-2', {quiet: lookingTime + 100});
	screen.press('y');
	await screen.waitFor('Undone: features-2 is gone again.');
	expect(await elsewhere(service, 'get', 'features')).toBe(before);
	screen.press('q');
	expect(await screen.waitForEnd()).toMatchObject({code: 0});
});
