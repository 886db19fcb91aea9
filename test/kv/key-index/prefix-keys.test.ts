import fc from 'fast-check';
import {expect, test} from 'vitest';
import {KeyIndex} from '../../../source/kv/key-index/key-index.ts';
import {PrefixKeys} from '../../../source/kv/key-index/prefix-keys.ts';
import {FlatRows} from '../../../source/kv/key-index/rows.ts';
import {SortedRows} from '../../../source/kv/key-index/sorted-rows.ts';
import {TreeRows} from '../../../source/kv/key-index/tree-rows.ts';
import {getRunCount} from '../../support/full.ts';
import {createKeyIndex, drawKeyRows, listKeyRows} from './drawn.ts';
import {applyIndexChange, buildPlainTree, PlainKeys} from './model.ts';
import {anyChange} from './names.ts';

const anyPrefix = fc.string({
	unit: fc.constantFrom('a', 'b', ':', '/', 'é', '名'),
	minLength: 1,
	maxLength: 3,
});

test('the rows of a prefix are those of its keys, whatever happens to the index', () => {
	const anyToggle = fc.record({kind: fc.constant('toggle' as const), row: fc.nat()});
	fc.assert(
		fc.property(anyPrefix, fc.array(fc.oneof(anyChange, anyToggle), {maxLength: 30}), (prefix, steps) => {
			const index = new KeyIndex();
			const plain = new PlainKeys();
			const prefixKeys = new PrefixKeys(index, prefix);
			const flat = new FlatRows(index, prefixKeys);
			const tree = new TreeRows(index, [], prefixKeys);
			const sorted = new SortedRows(index, new FlatRows(index, prefixKeys));
			for (const step of steps) {
				if (step.kind === 'toggle') {
					if (tree.count > 0) tree.toggle(step.row % tree.count);
				} else applyIndexChange(step, index, plain);
				// Rows can be read even before `advance`: their keys exist.
				for (const rows of [flat, tree, sorted]) listKeyRows(rows);
				if (step.kind !== 'remove') while (!tree.advance(0));
			}
			while (!tree.advance(0) || !sorted.advance(0));
			const allNames = plain.names;
			const names = allNames.filter(name => name.startsWith(prefix));
			const getName = (rows: FlatRows | SortedRows, row: number) => {
				const {from} = rows.getPositions(row);
				return index.getName(from);
			};
			expect(prefixKeys.count).toBe(names.length);
			expect(names.map((_, row) => getName(flat, row))).toEqual(names);
			expect(flat.count).toBe(names.length);
			expect(names.map((_, row) => getName(sorted, row)).toSorted()).toEqual(names.toSorted());
			expect(sorted.count).toBe(names.length);
			const openPrefixes = new Set(tree.openPrefixes);
			const expected = buildPlainTree(names, group => openPrefixes.has(group));
			expect(tree.count).toBe(expected.length);
			expect(tree.isDone).toBe(true);
			for (const [row, {kind, text, depth, label, names: below}] of expected.entries()) {
				const from = allNames.indexOf(below[0] ?? '');
				expect(tree.at(row)).toMatchObject({kind, depth, label});
				expect(tree.getPositions(row)).toEqual({from, to: from + below.length});
				if (kind === 'group') expect(tree.findPrefixRow(text)).toBe(row);
				else expect(flat.findRow(from)).toBe(names.indexOf(text));
			}
		}),
		{numRuns: getRunCount(500)},
	);
});

test('a group of a prefix may grow until the prefix is listed to its end', () => {
	const index = new KeyIndex();
	const prefixKeys = new PrefixKeys(index, 'user:');
	const rows = new TreeRows(index, [], prefixKeys);
	const draw = () => {
		rows.advance();
		return drawKeyRows(rows);
	};
	index.append([{name: 'a:1'}, {name: 'a:2'}]);
	prefixKeys.append(['user:1:a', 'user:1:b', 'user:2:a', 'user:2:b'].map(name => ({name})));
	rows.openGroups(['user:']);
	expect(draw()).toEqual(['- user: 4+', '  + 1: 2', '  + 2: 2+']);
	prefixKeys.append([{name: 'user:2:c'}]);
	prefixKeys.finish();
	expect(draw()).toEqual(['- user: 5', '  + 1: 2', '  + 2: 3']);
	// The keys listed by prefix say nothing about those between them and the listing from the start.
	expect(index.mayGrow(2)).toBe(true);
});

test('keys beyond the listing are removed, except selected ones; listed keys stay', () => {
	const index = new KeyIndex();
	index.append(['a', 'b1', 'b2'].map(name => ({name})));
	index.putAll(['b3', 'b4', 'b5'].map(name => ({name})));
	index.select(4, true);
	index.removeUnlisted(1, 6);
	expect(Array.from({length: index.count}, (_, position) => index.getName(position))).toEqual([
		'a',
		'b1',
		'b2',
		'b4',
	]);
	expect([...index.listSelectedNames()]).toEqual(['b4']);
	const complete = createKeyIndex('a', 'b');
	complete.removeUnlisted(0, 2);
	expect(complete.count).toBe(2);
});
