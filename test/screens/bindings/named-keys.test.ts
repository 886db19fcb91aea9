import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, expect, test} from 'vitest';
import {nameKey, setNamedKeys} from '../../../source/keyboard/named-keys.ts';
import {actions} from '../../../source/screens/actions.ts';
import {bindPreferences} from '../../../source/screens/bind-preferences.ts';
import {bindPreferredKeys} from '../../../source/screens/preferred-keys.ts';
import {parsePreferences} from '../../../source/settings/preferences/read.ts';
import {screens} from '../../../source/store/screens.ts';

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

const sources = readdirSync('source/screens', {recursive: true, encoding: 'utf8'})
	.filter(path => /\.tsx?$/.test(path) && !/bindings|named-keys/.test(path))
	.map(path => [path, readFileSync(join('source/screens', path), 'utf8')] as const);

test('every sentence names an action with its first key', async () => {
	const {commands, keys} = await parsePreferences('[[commands]]\ntitle = "x"\ncommand = ["x"]\n', '');
	const named = bindPreferences(actions, {commands, keys}, {screens, complete: action => action}).actions;
	const calls = sources.flatMap(([, text]) => [...text.matchAll(/nameKey\('([^']+)', '([^']+)'\)/g)]);
	expect(calls.length).toBeGreaterThan(100);
	for (const [, id, key] of calls)
		expect([id, key]).toEqual([id, named.find(action => action.id === id)?.keys[0]]);
});

/** A key before what it does, in a string, such as "u undoes it" or "(7)". `esc`, `y` and what edits text are fixed. */
const literalKey =
	/['"`](?:[^'"`]*[ (])?(?:(?!y\b)[a-zA-Z]|ctrl-(?!u)[a-z]) (?:undoes|restores|recreates|opens|shows|reverts|retries|continues|discards|reviews|refreshes|loads|starts|stops|clears|adds|creates|deletes|copies|exports|goes|moves|searches|switches|edits|saves|makes)\b|press (?!y\b)(?:[a-zA-Z]|ctrl-[a-z]) (?:to|on|right)\b|[a-z] \((?:\d|[A-Z]|ctrl-[a-z]|u)\)['"`.,]/;

test('a sentence with a literal key is found', () => {
	for (const text of [
		"'Done. u undoes it.'",
		'`press a to create`',
		"'Resume it from Jobs (7).'",
		"'ctrl-r loads it'",
	])
		expect(text).toMatch(literalKey);
	for (const text of ["'esc goes back'", "'y copies it'", "'press y to answer'", "'a rule with a filter'"])
		expect(text).not.toMatch(literalKey);
});

test('no sentence names a key that the user can change, except by its action', () => {
	const found = sources.flatMap(([path, text]) =>
		text
			.split('\n')
			.filter(line => !/^\s*(\*|\/)/.test(line) && literalKey.test(line))
			.map(line => `${path}: ${line.trim()}`),
	);
	expect(found).toEqual([]);
});
