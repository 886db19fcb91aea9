import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {KeyIndex} from '../../../source/kv/key-index/key-index.ts';
import {TreeRows} from '../../../source/kv/key-index/tree-rows.ts';
import {getRunCount} from '../../support/full.ts';
import {createKeyIndex, drawKeyRows, listKeyRows} from './drawn.ts';
import {applyIndexChange, buildPlainTree, PlainKeys} from './model.ts';
import {anyChange} from './names.ts';
import {anyPages} from './tiny-pages.ts';

function openAll(rows: TreeRows): void {
	for (let row = 0; row < rows.count; row++) {
		rows.open(row);
		rows.advance();
	}
}

function treeOf(index: KeyIndex): TreeRows {
	const rows = new TreeRows(index);
	rows.advance();
	return rows;
}

describe('the tree', () => {
	test('groups keys by prefixes, joins chains, and leaves single keys alone', () => {
		const rows = treeOf(createKeyIndex('a:b:c:1', 'a:b:c:2', 'b', 'b:1', 'c/x:1', 'c/x:2', 'c/y'));
		expect(drawKeyRows(rows)).toEqual(['+ a:b:c: 2', 'b', 'b:1', '+ c/ 3']);
		openAll(rows);
		expect(drawKeyRows(rows)).toEqual([
			'- a:b:c: 2',
			'  1',
			'  2',
			'b',
			'b:1',
			'- c/ 3',
			'  - x: 2',
			'    1',
			'    2',
			'  y',
		]);
	});

	test('treats empty segments as segments, and puts a key equal to the prefix below it', () => {
		const rows = treeOf(createKeyIndex('a:', 'a::b', 'a::c', ':x', ':y'));
		openAll(rows);
		expect(drawKeyRows(rows)).toEqual(['- : 2', '  x', '  y', '- a: 3', '  ', '  - : 2', '    b', '    c']);
	});

	test('matches its definition, whatever happens to the index and to open groups', () => {
		const anyToggle = fc.record({kind: fc.constant('toggle' as const), row: fc.nat()});
		fc.assert(
			fc.property(
				anyPages,
				fc.array(fc.oneof(anyChange, anyToggle, anyToggle), {maxLength: 30}),
				(pages, steps) => {
					const index = new KeyIndex(pages);
					const plain = new PlainKeys();
					const rows = new TreeRows(index);
					for (const step of steps) {
						if (step.kind === 'toggle') {
							if (rows.count > 0) rows.toggle(step.row % rows.count);
						} else applyIndexChange(step, index, plain);
						// Rows can be read even before `advance`: their keys exist.
						listKeyRows(rows);
						// After a removal the rows are not advanced: the next step then meets unfinished
						// rows, too.
						if (step.kind !== 'remove') while (!rows.advance(0));
					}
					while (!rows.advance(0));
					expect(rows.isDone).toBe(true);
					const names = plain.names;
					const openPrefixes = new Set(rows.openPrefixes);
					const expected = buildPlainTree(names, prefix => openPrefixes.has(prefix));
					expect(rows.count).toBe(expected.length);
					for (const [row, {kind, text, depth, label, open: isOpen, names: below}] of expected.entries()) {
						const from = names.indexOf(below[0] ?? '');
						const shown = rows.at(row);
						expect(shown).toMatchObject(
							kind === 'key'
								? {kind, position: from, depth, label}
								: {kind, prefix: text, depth, label, open: isOpen, count: below.length},
						);
						expect(rows.getPositions(row)).toEqual({from, to: from + below.length});
						if (kind === 'group') expect(rows.findPrefixRow(text)).toBe(row);
					}
					for (const [position, name] of names.entries()) {
						const row = rows.findRow(position);
						const deepest = expected.findLastIndex(candidate => candidate.names.includes(name));
						expect(row).toBe(deepest);
					}
					// A new tree with the same open groups has the same rows.
					const rebuiltTree = new TreeRows(index, rows.openPrefixes);
					rebuiltTree.advance();
					expect(listKeyRows(rebuiltTree)).toEqual(listKeyRows(rows));
				},
			),
			{numRuns: getRunCount(1000)},
		);
	});

	test('is the same when built in slices, by pages and by changes, as when built at once', () => {
		const names = Array.from({length: 6000}, (_, number) => {
			const text = String(number).padStart(4, '0');
			return number % 3 > 0 ? `plain-${text}` : `user:${text.slice(0, 2)}/${text.slice(2, 3)}:${text}`;
		}).sort();
		const index = new KeyIndex();
		const rows = new TreeRows(index, ['user:', 'user:17/', 'user:17/4:', 'user:40/', 'user:59/']);
		let sliceCount = 0;
		for (let from = 0; from < names.length; from += 600) {
			index.append(names.slice(from, from + 600).map(name => ({name})));
			while (!rows.advance(0)) sliceCount++;
			index.removeAll([names[from / 2] ?? '', names[from + 300] ?? '', 'user:17/4:1743']);
			index.putAll([{name: `${names[from / 2 + 7]}~`}, {name: `${names[from + 200]}~`}, {name: 'a'}]);
			if (from % 1800 === 0) while (!rows.advance(0));
		}
		while (!rows.advance(0)) sliceCount++;
		expect(sliceCount).toBeGreaterThan(5);
		// Changes before open groups, in them, and between those within them.
		for (const removedName of ['plain-0001', 'user:05/0:0501', 'user:17/4:1746', 'user:40/0:4002'])
			index.remove(removedName);
		index.putAll([
			{name: 'plain-0000'},
			{name: 'user:00/0:0001'},
			{name: 'user:17/3:173'},
			{name: 'user:59/9:x'},
		]);
		index.removeAll(['plain-0002', 'user:02/0:0201', 'user:17/0:1701']);
		while (!rows.advance(0));
		expect(rows.at(rows.findPrefixRow('user:17/4:') ?? -1)).toMatchObject({open: true, depth: 2});
		const builtAtOnce = new TreeRows(index, rows.openPrefixes);
		builtAtOnce.advance();
		expect(rows.count).toBeGreaterThan(800);
		expect(listKeyRows(rows)).toEqual(listKeyRows(builtAtOnce));
	});

	test('keeps a group open if it splits, or disappears and returns', () => {
		const index = createKeyIndex('a:b:1', 'a:b:2', 'c');
		const rows = treeOf(index);
		rows.open(0);
		rows.advance();
		index.put({name: 'a:z'});
		rows.advance();
		expect(drawKeyRows(rows)).toEqual(['- a: 3', '  - b: 2', '    1', '    2', '  z', 'c']);
		index.removeAll(['a:b:1', 'a:z']);
		expect(drawKeyRows(rows)).toEqual(['a:b:2', 'c']);
		index.put({name: 'a:b:0'});
		rows.advance();
		expect(drawKeyRows(rows)).toEqual(['- a:b: 2', '  0', '  2', 'c']);
	});

	test('shows keys added and removed in an open group at once', () => {
		const index = createKeyIndex('a:1', 'a:2', 'b:1', 'b:2');
		const rows = treeOf(index);
		openAll(rows);
		index.put({name: 'b:3'});
		index.put({name: 'a:0'});
		index.remove('a:1');
		expect(drawKeyRows(rows)).toEqual(['- a: 2', '  0', '  2', '- b: 3', '  1', '  2', '  3']);
	});

	test('keeps nested groups in place if only earlier keys come and go', () => {
		const index = createKeyIndex('0', '1', 'a:b:1', 'a:b:2', 'a:c:1', 'a:c:2');
		const rows = treeOf(index);
		openAll(rows);
		const linesBelow = drawKeyRows(rows).slice(2);
		index.removeAll(['0', '1']);
		expect(drawKeyRows(rows)).toEqual(linesBelow);
		index.putAll([{name: '0'}, {name: '1'}, {name: '2'}]);
		expect(drawKeyRows(rows)).toEqual(['0', '1', '2', ...linesBelow]);
		expect(rows.findRow(index.find('a:c:1').position)).toBe(8);
	});

	test('marks the last group as possibly growing until the listing ends', () => {
		const index = new KeyIndex();
		const rows = new TreeRows(index);
		index.append([{name: 'a:1'}, {name: 'a:2'}, {name: 'b:1:x'}, {name: 'b:1:y'}]);
		rows.advance();
		rows.open(1);
		expect(drawKeyRows(rows)).toEqual(['+ a: 2', '- b:1: 2+']);
		index.append([{name: 'b:2'}]);
		rows.advance();
		expect(drawKeyRows(rows)).toEqual(['+ a: 2', '- b: 3+', '  - 1: 2', '    x', '    y', '  2']);
		index.finish();
		expect(rows.at(1)).toMatchObject({prefix: 'b:', complete: true});
	});

	test('finds the group around a row', () => {
		const rows = treeOf(createKeyIndex('a:b:1', 'a:b:2', 'a:c', 'd'));
		openAll(rows);
		expect(listKeyRows(rows).map((_, row) => rows.findParentRow(row))).toEqual([
			undefined,
			0,
			1,
			1,
			0,
			undefined,
		]);
		rows.close(0);
		expect(rows.findPrefixRow('a:b:')).toBeUndefined();
		expect(rows.findRow(1)).toBe(0);
	});

	test('shows nested open groups again when a group is reopened', () => {
		const rows = treeOf(createKeyIndex('a:b:1', 'a:b:2', 'a:c'));
		openAll(rows);
		const before = drawKeyRows(rows);
		rows.toggle(0);
		expect(drawKeyRows(rows)).toEqual(['+ a: 3']);
		rows.toggle(0);
		expect(drawKeyRows(rows)).toEqual(before);
	});

	test('starts over if more keys came and went than it can follow', () => {
		const index = createKeyIndex('a:1', 'a:2');
		const rows = treeOf(index);
		rows.open(0);
		rows.advance();
		for (let time = 0; time < 3000; time++) {
			index.put({name: `b${time}`});
			index.remove(`b${time}`);
		}
		index.put({name: 'a:3'});
		while (!rows.advance(0));
		expect(drawKeyRows(rows)).toEqual(['- a: 3', '  1', '  2', '  3']);
	});
});
