import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createLocalProject} from '../../../support/local-project.ts';
import {ledge} from '../../../support/run.ts';
import {drawAtLocalKeys} from '../../support/sample-screens.ts';

const values = Object.fromEntries(
	['session:', 'tmp:', 'user:'].flatMap(prefix =>
		Array.from({length: 8}, (_, at) => [`${prefix}${at}`, `value ${at}`] as const),
	),
);

const readExportedNames = (path: string): string[] =>
	readFileSync(path, 'utf8')
		.split('\n')
		.filter(Boolean)
		.map(line => JSON.parse(line).key);

test('a prefix, a selection or all keys are exported, copied, compared and deleted', async () => {
	const cwd = await createLocalProject(values);
	const screen = await drawAtLocalKeys(cwd);
	await screen.waitFor('session:');

	screen.press('j', 'x');
	await screen.waitFor('Export which keys in');
	expect(screen.selectedRow().text).toContain('The keys under tmp:');
	screen.press('enter');
	await screen.waitFor('Export keys under tmp: of');
	screen.press('enter');
	await screen.waitFor(/done +✓ 8 keys/);
	expect(readExportedNames(join(cwd, 'DATA.ndjson'))).toEqual(
		Array.from({length: 8}, (_, at) => `tmp:${at}`),
	);

	screen.press('esc');
	await screen.waitFor('24 keys');
	screen.press('enter', 'j', 'space', 'j', 'space');
	await screen.waitFor('2 selected');
	screen.press('c');
	await screen.waitFor('The 2 selected keys');
	screen.press('enter');
	await screen.waitFor('Copy 2 selected keys of DATA into');
	await screen.waitFor('or type another');
	screen.type('local:other');
	screen.press('enter');
	await screen.waitFor('Copy only keys that are missing there');
	screen.press('enter');
	await screen.waitFor('y copy 2 keys');
	screen.press('y');
	await screen.waitFor(/done +✓ 2 keys/);

	// What was copied is no longer selected.
	screen.press('esc');
	await screen.waitFor('24 keys');
	expect(screen.text()).not.toContain('2 selected');
	screen.press('=');
	await screen.waitFor('Compare which keys in');
	expect(screen.selectedRow().text).toContain('The keys under tmp:');
	screen.press('enter');
	await screen.waitFor('Compare keys under tmp: of DATA with');
	await screen.waitFor('or type another');
	screen.type('local:other');
	screen.press('enter');
	await screen.waitFor('6 differences · 2 identical');

	screen.press('esc');
	await screen.waitFor('24 keys');
	screen.press('h', 'd');
	await screen.waitFor(/to delete +8 keys/);
	for (const name of ['tmp:0', 'tmp:3', 'and 4 more']) expect(screen.text()).toContain(name);
	screen.press('y');
	await screen.waitFor('Delete 8 keys from DATA?');
	screen.press('y');
	await screen.waitFor('Deleted 8 keys');
	screen.press('esc');
	await screen.waitFor('16 keys');
	const listed = await ledge(['kv', 'key', 'list', '--local', '--binding', 'DATA', '--prefix', 'tmp:'], {
		cwd,
	});
	expect(JSON.parse(listed.stdout)).toEqual([]);
});
