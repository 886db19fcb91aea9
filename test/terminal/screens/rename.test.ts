import {expect, test} from 'vitest';
import {runKeyCommand} from '../../screens/support/edit-ways.ts';
import {ledge} from '../../support/ledge.ts';
import {createLocalProject} from '../../support/local-project.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';
import {atKeys, atLocalKeys} from './ways.ts';

// What else happens to a rename: test/kv/change/rename.test.ts and test/screens/rename.

test('R renames the key under the cursor, and one u undoes it', async () => {
	const service = await serveSimulator();
	const screen = await atKeys({env: service.env}, []);
	expect(screen.selectedRow().text).toContain('features');
	const before = await runKeyCommand(service, 'get', 'features');
	screen.press('R');
	await screen.waitFor('Rename features');
	screen.press('end');
	screen.type('-2');
	screen.press('enter');
	await screen.waitFor('Renamed to features-2. u undoes it.');
	expect(screen.selectedRow().text).toContain('features-2');
	expect(await runKeyCommand(service, 'get', 'features-2')).toBe(before);
	screen.press('u');
	await screen.waitFor('Undone: renamed "features-2" back to "features"');
	await expect(runKeyCommand(service, 'get', 'features-2')).rejects.toThrow('does not exist');
	expect(await runKeyCommand(service, 'get', 'features')).toBe(before);
	screen.press('q');
	expect(await screen.waitForEnd()).toMatchObject({code: 0});
});

test('R on a group renames its prefix once the keys are counted and the name of the namespace is typed', async () => {
	const names = Array.from({length: 12}, (_, at) => `user:${String(at).padStart(2, '0')}`);
	const cwd = await createLocalProject(Object.fromEntries([...names, 'zebra'].map(name => [name, name])));
	const screen = await atLocalKeys(cwd);
	await screen.waitFor('user:');
	expect(screen.selectedRow().text).toContain('user:');
	screen.press('R');
	await screen.waitFor('Rename all keys under user:');
	screen.press('ctrl-u');
	screen.type('account:');
	screen.press('enter');
	await screen.waitFor('Rename 12 keys in DATA?');
	expect(screen.text()).toContain('user:00 → account:00');
	screen.type('DAT');
	screen.press('enter');
	await screen.waitFor('Does not match. Type DATA.');
	screen.press('ctrl-u');
	screen.type('DATA');
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
