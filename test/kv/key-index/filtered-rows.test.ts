import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {FilteredRows} from '../../../source/kv/key-index/filtered-rows.ts';
import {KeyIndex} from '../../../source/kv/key-index/key-index.ts';
import {getRunCount} from '../../support/full.ts';
import {createKeyIndex, drawKeyRows, listKeyRows} from './drawn.ts';
import {applyIndexChange, PlainKeys} from './model.ts';
import {anyChange, anyName} from './names.ts';
import {anyPages} from './tiny-pages.ts';

describe('filtered rows', () => {
	/** A simple implementation of smart case, to compare with. */
	function matches(name: string, query: string): boolean {
		if (/\p{Lu}|\p{Lt}/u.test(query)) return name.includes(query);
		if (/^[\0-\x7f]*$/.test(query))
			return name.replace(/[A-Z]/g, letter => letter.toLowerCase()).includes(query);
		if (query.toUpperCase() === query) return name.includes(query);
		return new RegExp(
			[...query].map(sign => `\\u{${sign.codePointAt(0)?.toString(16)}}`).join(''),
			'iu',
		).test(name);
	}

	test('are the keys whose names contain the query, or do not, whatever happens to the index', () => {
		const anyQuery = fc.oneof(
			anyName,
			fc.constantFrom('', 'b', 'B', 'é', 'É', '名', '\x00', '\x18', '{"', '.', 'a:'),
		);
		fc.assert(
			fc.property(
				anyPages,
				anyQuery,
				fc.boolean(),
				fc.array(anyChange, {maxLength: 12}),
				(pages, query, isInverse, changes) => {
					const index = new KeyIndex(pages);
					const plain = new PlainKeys();
					const rows = new FilteredRows(index, query, isInverse);
					for (const change of changes) {
						applyIndexChange(change, index, plain);
						if (change.kind !== 'put') rows.advance();
					}
					rows.advance();
					const names = plain.names;
					const expected = names.flatMap((name, position) =>
						matches(name, query) === isInverse ? [] : [position],
					);
					expect(listKeyRows(rows)).toEqual(
						expected.map(position => ({kind: 'key', position, depth: 0, label: names[position]})),
					);
					for (const [row, position] of expected.entries()) {
						expect(rows.findRow(position)).toBe(row);
						expect(rows.getPositions(row)).toEqual({from: position, to: position + 1});
					}
				},
			),
			{numRuns: getRunCount(500)},
		);
	});

	test('know whether all are found, and reading this does not search', () => {
		const index = createKeyIndex(...Array.from({length: 5000}, (_, number) => `key:${number}`));
		const rows = new FilteredRows(index, 'key');
		const counts: number[] = [];
		for (;;) {
			const answers = [rows.isDone, rows.count, rows.isDone, rows.count];
			expect(answers.slice(2)).toEqual(answers.slice(0, 2));
			counts.push(rows.count);
			if (rows.isDone) break;
			rows.advance(0);
		}
		expect(counts.length).toBeGreaterThan(3);
		expect(counts.at(-1)).toBe(5000);
	});

	test('ignore case only for a query without capitals', () => {
		const index = createKeyIndex('USER:1', 'User:2', 'user:3', 'ÉTÉ', 'été');
		const findNames = (query: string): string[] => {
			const rows = new FilteredRows(index, query);
			rows.advance();
			return drawKeyRows(rows);
		};
		expect(findNames('user')).toEqual(['USER:1', 'User:2', 'user:3']);
		expect(findNames('User')).toEqual(['User:2']);
		expect(findNames('ét')).toEqual(['ÉTÉ', 'été']);
		expect(findNames('ÉT')).toEqual(['ÉTÉ']);
		expect(findNames('.*')).toEqual([]);
	});

	test('are found in slices, in order, and the search continues when the listing brings more', () => {
		const index = new KeyIndex();
		const createPage = (from: number) =>
			Array.from({length: 5000}, (_, number) => ({name: `key ${String(from + number).padStart(6, '0')}`}));
		index.append(createPage(0));
		const rows = new FilteredRows(index, '7');
		const counts: number[] = [];
		while (!rows.advance(0)) counts.push(rows.count);
		expect(counts.length).toBeGreaterThan(2);
		expect(counts).toEqual([...counts].sort((one, other) => one - other));
		index.append(createPage(5000));
		expect(rows.searchedCount).toBe(5000);
		rows.advance();
		expect(rows.count).toBe(
			createPage(0)
				.concat(createPage(5000))
				.filter(({name}) => name.includes('7')).length,
		);
	});

	test('put the cursor on the next matching key', () => {
		const rows = new FilteredRows(createKeyIndex('a', 'b1', 'c', 'd1', 'e'), '1');
		rows.advance();
		expect([0, 1, 2, 3, 4].map(position => rows.findRow(position))).toEqual([0, 0, 1, 1, 1]);
	});
});
