import {expect, test} from 'vitest';
import {getEditCommand} from '../../source/screens/shell/edit-keys.ts';
import {readPage} from './pages.ts';

test('the keys for typing text in docs/keys.md edit text', () => {
	const [, section = ''] = readPage('docs/keys.md').split('## Typing text');
	const names = [...section.matchAll(/^\| (.+?) \|/gm)].flatMap(([, cell = '']) =>
		[...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
	);
	expect(names.length).toBeGreaterThan(30);
	const namesWithoutEdit = names.filter(name => getEditCommand({name, text: '', sequence: ''}) === undefined);
	expect(namesWithoutEdit).toEqual([]);
});
