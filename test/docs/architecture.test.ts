import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {screens} from '../../source/store/screens.ts';
import {readPage} from './pages.ts';

const page = readPage('docs/architecture.md');
const describedFolders = [...page.matchAll(/^\| `(source\/[\w/-]+)` \| (.+) \|$/gm)].map(
	([, folder = '', content = '']) => ({folder, content}),
);

test('docs/architecture.md describes every folder of source/, except a screen of the same name, and no others', () => {
	const folders = readdirSync('source', {recursive: true, withFileTypes: true})
		.filter(entry => entry.isDirectory())
		.map(({parentPath, name}) => join(parentPath, name));
	const described = new Set(describedFolders.map(({folder}) => folder));
	const screenFolders = new Set(
		Object.keys(screens).map(
			name => `source/screens/${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`,
		),
	);
	expect(
		folders.filter(folder => !described.has(folder) && !screenFolders.has(folder)),
		'Add a row to the tables of folders in docs/architecture.md.',
	).toEqual([]);
	expect([...described].filter(folder => !folders.includes(folder))).toEqual([]);
});

test('a folder is described in at most 160 characters', () => {
	for (const {folder, content} of describedFolders) expect(content.length, folder).toBeLessThanOrEqual(160);
});
