import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {readPage} from './pages.ts';

const page = readPage('docs/architecture.md');
const described = [...page.matchAll(/^\| `(source\/[\w/-]+)` \| (.+) \|$/gm)].map(
	([, folder = '', content = '']) => ({folder, content}),
);

test('docs/architecture.md describes every folder of source/ and no others', () => {
	const folders = readdirSync('source', {recursive: true, withFileTypes: true})
		.filter(entry => entry.isDirectory())
		.map(({parentPath, name}) => join(parentPath, name));
	expect(described.map(({folder}) => folder).toSorted()).toEqual(folders.toSorted());
});

test('a folder is described in at most two lines', () => {
	for (const {folder, content} of described) expect(content.length, folder).toBeLessThanOrEqual(160);
});
