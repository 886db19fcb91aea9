import {expect, test} from 'vitest';
import {parseNamespaceFromPath} from '../../source/kv/namespace-in-path.ts';
import {buildNamespacePath} from '../../source/kv/namespaces.ts';

test.each(['0123', 'with/slash', 'a b', '%2F'])('the namespace %s is found in paths built from it', id => {
	const path = buildNamespacePath('acme', id);
	expect(parseNamespaceFromPath(path)).toBe(id);
	expect(parseNamespaceFromPath(`${path}/values/${encodeURIComponent('/namespaces/other')}`)).toBe(id);
});

test('other paths contain no namespace', () => {
	expect(parseNamespaceFromPath('/accounts/acme/storage/kv/namespaces')).toBeUndefined();
	expect(parseNamespaceFromPath('/zones/z/filters?path=/namespaces/0123')).toBeUndefined();
});
