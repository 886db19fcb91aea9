import {expect, test} from 'vitest';
import {lookingTime} from '../../../source/screens/review/state.ts';
import {elsewhere} from '../../screens/support/edit-ways.ts';
import {lookAndEnterAt} from '../../screens/support/ways.ts';
import {ledge} from '../../support/ledge.ts';
import {localProject} from '../../support/local-project.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';
import {atKeys, atLocalKeys} from './ways.ts';

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
	await screen.waitFor('Renamed to features-2. Press u twice to undo it.');
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

test('R on a group renames its prefix, once the keys were counted and their number typed', async () => {
	const names = Array.from({length: 12}, (_, at) => `user:${String(at).padStart(2, '0')}`);
	const cwd = await localProject(Object.fromEntries([...names, 'zebra'].map(name => [name, name])));
	const screen = await atLocalKeys(cwd);
	await screen.waitFor('user:');
	expect(screen.selectedRow().text).toContain('user:');
	screen.press('R');
	await screen.waitFor('Rename all keys below user:');
	screen.press('ctrl-u');
	screen.type('account:');
	screen.press('enter');
	await screen.waitFor('Rename 12 keys of DATA?');
	expect(screen.text()).toContain('user:00 → account:00');
	screen.type('11');
	screen.press('enter');
	await screen.waitFor('Does not match; type 12.');
	screen.press('ctrl-u');
	screen.type('12');
	screen.press('enter');
	await screen.waitFor(/done +✓ 12 keys/);
	screen.press('esc');
	await screen.waitFor(() => screen.text().includes('account:') && !screen.text().includes('user:'));
	const listed = await ledge(['kv', 'key', 'list', '--local', '--binding', 'DATA'], {cwd});
	expect((JSON.parse(listed.stdout) as {name: string}[]).map(({name}) => name)).toEqual([
		...names.map(name => name.replace('user:', 'account:')),
		'zebra',
	]);
});
