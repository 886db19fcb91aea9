import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {
	checkNewPath,
	completePath,
	findFreeName,
	resolveTypedPath,
} from '../../../source/screens/shell/paths.ts';
import {makeWorkspace} from '../../kv/support/workspace.ts';

test('a file to be created has a name, a folder, and nothing in its place', () => {
	using space = makeWorkspace();
	const folders = {cwd: space.folder, home: space.folder};
	space.writeFile('there.ndjson', 'x');
	mkdirSync(space.path('folder'));
	expect(checkNewPath(' ', folders)).toBe('Enter a file name.');
	expect(checkNewPath('there.ndjson', folders)).toBe('The file already exists.');
	expect(checkNewPath('~/folder', folders)).toBe('This is a folder.');
	expect(checkNewPath('nowhere/new.ndjson', folders)).toBe('No such folder.');
	space.writeFile('begun.ndjson.part', '');
	expect(checkNewPath('begun.ndjson', folders)).toBe(
		'An export to it was interrupted; resume it from Jobs (7).',
	);
	expect(checkNewPath('folder/new.ndjson', folders)).toBeUndefined();
});

test('a name already in use gets a number', () => {
	using space = makeWorkspace();
	const folders = {cwd: space.folder, home: undefined};
	expect(findFreeName('DATA', '.ndjson', folders)).toBe('DATA.ndjson');
	space.writeFile('DATA.ndjson', '');
	space.writeFile('DATA.2.ndjson.part', '');
	expect(findFreeName('DATA', '.ndjson', folders)).toBe('DATA.3.ndjson');
});

test('~ is the home directory, and a path is completed while there is only one way', () => {
	using space = makeWorkspace();
	mkdirSync(space.path('exports'));
	space.writeFile('exports/one.ndjson', '');
	const folders = {cwd: '/', home: space.folder};
	expect(resolveTypedPath('~/exports', folders)).toBe(join(space.folder, 'exports'));
	expect(completePath('~/ex', folders)).toEqual({text: '~/exports/', matches: ['exports']});
	expect(completePath('~/exports/o', folders)).toEqual({
		text: '~/exports/one.ndjson',
		matches: ['one.ndjson'],
	});
	space.writeFile('exports/other.ndjson', '');
	expect(completePath('~/exports/', folders)).toEqual({
		text: '~/exports/o',
		matches: ['one.ndjson', 'other.ndjson'],
	});
	expect(completePath('~/exports/x', folders)).toEqual({text: '~/exports/x', matches: []});
});
