import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, expect, test} from 'vitest';
import {actions} from '../../../source/screens/actions.ts';
import {nameKey, setNamedKeys} from '../../../source/screens/bindings/named-keys.ts';
import {bindPreferredKeys} from '../../../source/screens/preferred-keys.ts';
import {parsePreferences} from '../../../source/settings/preferences/read.ts';

afterEach(() => setNamedKeys([]));

test('sentences name the keys of the user', async () => {
	const preferences = {
		file: '',
		shownAs: '',
		...(await parsePreferences('[keys]\nall.undo = "z"\nkeys.bulk = "none"\n', '')),
	};
	await bindPreferredKeys(actions, preferences);
	expect([nameKey('edit.undo', 'u'), nameKey('keys.bulk', 'B'), nameKey('edit.value', 'e')]).toEqual([
		'z',
		':bulk',
		'e',
	]);
	await bindPreferredKeys(actions, undefined);
	expect(nameKey('edit.undo', 'u')).toBe('u');
});

test('every sentence names an action with its first key', () => {
	const calls = readdirSync('source/screens', {recursive: true, encoding: 'utf8'})
		.filter(path => /\.tsx?$/.test(path))
		.flatMap(path => [
			...readFileSync(join('source/screens', path), 'utf8').matchAll(/nameKey\('([^']+)', '([^']+)'\)/g),
		]);
	expect(calls.length).toBeGreaterThan(30);
	for (const [, id, key] of calls)
		expect([id, key]).toEqual([id, actions.find(action => action.id === id)?.keys[0]]);
});
