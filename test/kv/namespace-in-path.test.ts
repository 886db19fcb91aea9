import {expect, test} from 'vitest';
import {namespaceInPath} from '../../source/kv/namespace-in-path.ts';
import {namespacePath} from '../../source/kv/namespaces.ts';

test.each([
	'0123',
	'with/slash',
	'a b',
	'%2F',
])('the namespace %s is found in the paths that are made of it', id => {
	const path = namespacePath('acme', id);
	expect(namespaceInPath(path)).toBe(id);
	expect(namespaceInPath(`${path}/values/${encodeURIComponent('/namespaces/other')}`)).toBe(id);
});

test('other paths have none', () => {
	expect(namespaceInPath('/accounts/acme/storage/kv/namespaces')).toBeUndefined();
	expect(namespaceInPath('/zones/z/filters?path=/namespaces/0123')).toBeUndefined();
});
