import {expect, test} from 'vitest';
import {FlatRows} from '../../../source/kv/key-index/rows.ts';
import {createKeyIndex, drawKeyRows} from './drawn.ts';

test('flat rows are the keys in order', () => {
	const rows = new FlatRows(createKeyIndex('b', 'a', 'a:b'));
	expect(drawKeyRows(rows)).toEqual(['a', 'a:b', 'b']);
	expect(rows.at(3)).toBeUndefined();
	expect(rows.findRow(1)).toBe(1);
	expect(rows.findRow(9)).toBe(2);
	expect(rows.getPositions(2)).toEqual({from: 2, to: 3});
	expect(rows.getPositions(3)).toEqual({from: 0, to: 0});
});
