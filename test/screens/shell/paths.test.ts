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
	const place = {cwd: space.folder, home: space.folder};
	space.file('there.ndjson', 'x');
	mkdirSync(space.path('folder'));
	expect(checkNewPath(' ', place)).toBe('Enter a file name.');
	expect(checkNewPath('there.ndjson', place)).toBe('The file already exists.');
	expect(checkNewPath('~/folder', place)).toBe('This is a folder.');
	expect(checkNewPath('nowhere/new.ndjson', place)).toBe('No such folder.');
	space.file('begun.ndjson.part', '');
	expect(checkNewPath('begun.ndjson', place)).toBe(
		'An export to it was interrupted; resume it from Jobs (J).',
	);
	expect(checkNewPath('folder/new.ndjson', place)).toBeUndefined();
});

test('a name already in use gets a number', () => {
	using space = makeWorkspace();
	const place = {cwd: space.folder, home: undefined};
	expect(findFreeName('DATA', '.ndjson', place)).toBe('DATA.ndjson');
	space.file('DATA.ndjson', '');
	space.file('DATA.2.ndjson.part', '');
	expect(findFreeName('DATA', '.ndjson', place)).toBe('DATA.3.ndjson');
});

test('~ is the home directory, and a path is completed while there is only one way', () => {
	using space = makeWorkspace();
	mkdirSync(space.path('exports'));
	space.file('exports/one.ndjson', '');
	const place = {cwd: '/', home: space.folder};
	expect(resolveTypedPath('~/exports', place)).toBe(join(space.folder, 'exports'));
	expect(completePath('~/ex', place)).toBe('~/exports/');
	expect(completePath('~/exports/o', place)).toBe('~/exports/one.ndjson');
});
