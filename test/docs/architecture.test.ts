import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {readPage} from './pages.ts';

const page = readPage('docs/architecture.md');
const describedFolders = [...page.matchAll(/^\| `(source\/[\w/-]+)` \| (.+) \|$/gm)].map(
	([, folder = '', content = '']) => ({folder, content}),
);

test('docs/architecture.md describes every folder of source/ and no others', () => {
	const folders = readdirSync('source', {recursive: true, withFileTypes: true})
		.filter(entry => entry.isDirectory())
		.map(({parentPath, name}) => join(parentPath, name));
	expect(
		describedFolders.map(({folder}) => folder).toSorted(),
		'Add a row to the tables of folders in docs/architecture.md.',
	).toEqual(folders.toSorted());
});

test('a folder is described in at most 160 characters', () => {
	for (const {folder, content} of describedFolders) expect(content.length, folder).toBeLessThanOrEqual(160);
});
