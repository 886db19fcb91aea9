import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {type JsonRow, JsonTree, maxRowUnits} from '../../../source/text/json/tree.ts';
import {maxJsonSize} from '../../../source/text/json/tree-nodes.ts';
import {jsonText} from './samples.ts';

function treeOf(text: string): JsonTree {
	const tree = JsonTree.read(text);
	if (!tree) throw new Error(`not JSON: ${text}`);
	return tree;
}

const rowsOf = (tree: JsonTree): JsonRow[] =>
	Array.from({length: tree.count}, (_, row) => tree.at(row) as JsonRow);

/** The rows as a person reads them. */
const drawRows = (tree: JsonTree): string[] =>
	rowsOf(tree).map(
		row => '  '.repeat(row.depth) + (row.name ? `${row.name}: ` : '') + row.text + (row.comma ? ',' : ''),
	);

const findRowNamed = (tree: JsonTree, name: string): number =>
	rowsOf(tree).findIndex(row => row.name === JSON.stringify(name));

const personJson =
	'{"name":"Ada","roles":["admin",1.0e2],"address":{"city":"\\u00e9","zip":null},"none":{ }}';

describe('the rows of a JSON value', () => {
	it('show one value each, spelled as in the source', () => {
		expect(drawRows(treeOf(personJson))).toEqual([
			'{',
			'  "name": "Ada",',
			'  "roles": [',
			'    "admin",',
			'    1.0e2',
			'  ],',
			'  "address": {',
			'    "city": "\\u00e9",',
			'    "zip": null',
			'  },',
			'  "none": {}',
			'}',
		]);
	});

	it('have the shape, kind, depth and member count of each value', () => {
		const tree = treeOf('{"list":[true,{}],"list":"x"}');
		expect(rowsOf(tree)).toEqual([
			{node: 0, shape: 'open', kind: 'object', depth: 0, text: '{', cutUnits: 0, childCount: 2, comma: false},
			{
				node: 1,
				shape: 'open',
				kind: 'array',
				depth: 1,
				name: '"list"',
				text: '[',
				cutUnits: 0,
				childCount: 2,
				comma: false,
			},
			{
				node: 2,
				shape: 'scalar',
				kind: 'true',
				depth: 2,
				index: 0,
				text: 'true',
				cutUnits: 0,
				childCount: 0,
				comma: true,
			},
			{
				node: 3,
				shape: 'empty',
				kind: 'object',
				depth: 2,
				index: 1,
				text: '{}',
				cutUnits: 0,
				childCount: 0,
				comma: false,
			},
			{node: 1, shape: 'end', kind: 'array', depth: 1, text: ']', cutUnits: 0, childCount: 2, comma: true},
			{
				node: 4,
				shape: 'scalar',
				kind: 'string',
				depth: 1,
				name: '"list"',
				text: '"x"',
				cutUnits: 0,
				childCount: 0,
				comma: false,
			},
			{node: 0, shape: 'end', kind: 'object', depth: 0, text: '}', cutUnits: 0, childCount: 2, comma: false},
		]);
		expect([2, 4, 5].map(row => tree.path(row))).toEqual([['list', 0], ['list'], ['list']]);
	});

	it('together form the value again if all are open', () => {
		fc.assert(
			fc.property(jsonText, text => {
				expect(JSON.parse(drawRows(treeOf(text).openAll()).join('\n'))).toEqual(JSON.parse(text));
			}),
		);
	});

	it('shorten a long scalar and say by how much, without halving a character', () => {
		const text = JSON.stringify([`${'x'.repeat(maxRowUnits - 2)}\u{1f600}${'y'.repeat(10)}`]);
		const row = treeOf(text).at(1);
		expect(row?.text).toBe(`"${'x'.repeat(maxRowUnits - 2)}`);
		expect(row?.cutUnits).toBe(13);
	});

	it('do not exist out of range', () => {
		expect([treeOf('[1]').at(-1), treeOf('[1]').at(3)]).toEqual([undefined, undefined]);
	});
});

describe('opening and closing', () => {
	it('closes a container to one row with its member count, from either bracket', () => {
		const tree = treeOf(personJson);
		const closed = tree.toggle(findRowNamed(tree, 'roles'));
		expect(drawRows(closed).slice(2, 4)).toEqual(['  "roles": [ 2 elements ],', '  "address": {']);
		expect(drawRows(tree.toggle(5))).toEqual(drawRows(closed));
		expect(drawRows(closed.toggle(2))).toEqual(drawRows(tree));
	});

	it('leaves the original tree unchanged, and returns the same tree if nothing can be opened', () => {
		const tree = treeOf(personJson);
		const before = drawRows(tree);
		tree.toggle(0);
		expect(drawRows(tree)).toEqual(before);
		expect(tree.toggle(1)).toBe(tree);
		expect(tree.toggle(findRowNamed(tree, 'none'))).toBe(tree);
		expect(tree.toggle(99)).toBe(tree);
	});

	it('can close all but the outermost container, and open all', () => {
		const closed = treeOf(personJson).closeAll();
		expect(drawRows(closed)).toEqual([
			'{',
			'  "name": "Ada",',
			'  "roles": [ 2 elements ],',
			'  "address": { 2 fields },',
			'  "none": {}',
			'}',
		]);
		expect(drawRows(closed.openAll())).toEqual(drawRows(treeOf(personJson)));
		expect(treeOf('[[1]]').closeAll().at(1)?.text).toBe('[ 1 element ]');
		expect(treeOf('[{"a":1}]').closeAll().at(1)?.text).toBe('{ 1 field }');
	});

	it('opens the parents of a node to reveal it', () => {
		const tree = treeOf(personJson).closeAll();
		const node = tree.nodes.find(['address', 'zip']) as number;
		const revealed = tree.reveal(node);
		expect(revealed.at(revealed.findRow(node))?.name).toBe('"zip"');
		expect(revealed.at(findRowNamed(revealed, 'roles'))?.shape).toBe('closed');
		expect(revealed.reveal(node)).toBe(revealed);
	});

	it('initially shows all of a small value', () => {
		expect(treeOf(JSON.stringify({a: {b: {c: [1, 2]}}})).count).toBe(10);
	});

	it('initially shows the first level of a large value, and more if that is very little', () => {
		const people = Array.from({length: 3000}, (_, id) => ({id, roles: ['a', 'b']}));
		expect(treeOf(JSON.stringify(people)).count).toBe(3002);
		const wrapped = treeOf(JSON.stringify({data: people}));
		expect(wrapped.count).toBe(3004);
		expect(wrapped.at(2)?.text).toBe('{ 2 fields }');
		const groups = Object.fromEntries(
			Array.from({length: 30}, (_, groupIndex) => [`group ${groupIndex}`, people.slice(0, 100)]),
		);
		expect(treeOf(JSON.stringify(groups)).count).toBe(32);
		expect(
			treeOf(JSON.stringify({n: people.map(({id}) => id)}))
				.closeAll()
				.at(1)?.text,
		).toBe('[ 3,000 elements ]');
	});

	it('keeps every row and finds each again, whatever was toggled', () => {
		fc.assert(
			fc.property(jsonText, fc.array(fc.nat(30)), (text, toggles) => {
				let tree = treeOf(text);
				for (const row of toggles) tree = tree.toggle(row % tree.count);
				for (const [rowIndex, row] of rowsOf(tree).entries()) {
					if (row.shape !== 'end') expect(tree.findRow(row.node)).toBe(rowIndex);
					const parentRow = tree.at(tree.findParentRow(rowIndex));
					expect(parentRow?.node).toBe(Math.max(0, tree.nodes.parent(row.node)));
				}
				expect(drawRows(tree.openAll())).toEqual(drawRows(treeOf(text).openAll()));
			}),
		);
	});

	it('finds a node inside a closed container at the row of the container', () => {
		const tree = treeOf('{"a":{"b":{"c":1}}}');
		const inner = tree.nodes.find(['a', 'b', 'c']) as number;
		expect(tree.findRow(inner)).toBe(3);
		expect(tree.toggle(2).toggle(1).findRow(inner)).toBe(1);
	});
});

describe('a tree reread after a change', () => {
	it('stays open and closed as before, with new parts open', () => {
		const tree = treeOf(personJson);
		const closed = tree.toggle(findRowNamed(tree, 'address')).toggle(findRowNamed(tree, 'roles'));
		const changed = JSON.stringify({new: [1], address: {zip: 1}, name: 'Ada', roles: ['ops']});
		expect(drawRows(closed.reread(changed) as JsonTree)).toEqual([
			'{',
			'  "new": [',
			'    1',
			'  ],',
			'  "address": { 1 field },',
			'  "name": "Ada",',
			'  "roles": [ 1 element ]',
			'}',
		]);
	});

	it('is undefined if the text is no longer JSON', () => {
		expect(treeOf('{}').reread('{')).toBeUndefined();
	});
});

describe('large and deep values', () => {
	it('are refused above the limit', () => {
		expect(JsonTree.read(`[${' '.repeat(maxJsonSize - 2)}]`)).toBeDefined();
		expect(JsonTree.read(`[${' '.repeat(maxJsonSize - 1)}]`)).toBeUndefined();
	});

	it('can nest a hundred thousand levels deep', () => {
		const depth = 100_000;
		const tree = treeOf('['.repeat(depth) + ']'.repeat(depth)).openAll();
		expect(tree.count).toBe(2 * depth - 1);
		expect(tree.at(depth - 1)).toMatchObject({depth: depth - 1, text: '[]'});
		expect(tree.closeAll().count).toBe(3);
	});
});
