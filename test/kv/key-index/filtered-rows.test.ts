import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {FilteredRows} from '../../../source/kv/key-index/filtered-rows.ts';
import {KeyIndex} from '../../../source/kv/key-index/key-index.ts';
import {runs} from '../../support/full.ts';
import {drawn, indexOf, rowsOf} from './drawn.ts';
import {happen, PlainKeys} from './model.ts';
import {anyChange, anyName} from './names.ts';
import {anyPages} from './tiny-pages.ts';

describe('filtered rows', () => {
	/** What smart case means for a name, the plain way. */
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

	test('are the keys whose names contain the query, whatever happens to the index', () => {
		const anyQuery = fc.oneof(
			anyName,
			fc.constantFrom('', 'b', 'B', 'é', 'É', '名', '\x00', '\x18', '{"', '.', 'a:'),
		);
		fc.assert(
			fc.property(anyPages, anyQuery, fc.array(anyChange, {maxLength: 12}), (pages, query, changes) => {
				const index = new KeyIndex(pages);
				const plain = new PlainKeys();
				const rows = new FilteredRows(index, query);
				for (const change of changes) {
					happen(change, index, plain);
					if (change.kind !== 'put') rows.advance();
				}
				rows.advance();
				const names = plain.names;
				const expected = names.flatMap((name, position) => (matches(name, query) ? [position] : []));
				expect(rowsOf(rows)).toEqual(
					expected.map(position => ({kind: 'key', position, depth: 0, label: names[position]})),
				);
				for (const [row, position] of expected.entries()) {
					expect(rows.findRow(position)).toBe(row);
					expect(rows.getPositions(row)).toEqual({from: position, to: position + 1});
				}
			}),
			{numRuns: runs(500)},
		);
	});

	test('know whether all are found, and asking does not search', () => {
		const index = indexOf(...Array.from({length: 5000}, (_, number) => `key:${number}`));
		const rows = new FilteredRows(index, 'key');
		const found: number[] = [];
		for (;;) {
			const asked = [rows.isDone, rows.count, rows.isDone, rows.count];
			expect(asked.slice(2)).toEqual(asked.slice(0, 2));
			found.push(rows.count);
			if (rows.isDone) break;
			rows.advance(0);
		}
		expect(found.length).toBeGreaterThan(3);
		expect(found.at(-1)).toBe(5000);
	});

	test('ignore case only for a query without capitals', () => {
		const index = indexOf('USER:1', 'User:2', 'user:3', 'ÉTÉ', 'été');
		const found = (query: string): string[] => {
			const rows = new FilteredRows(index, query);
			rows.advance();
			return drawn(rows);
		};
		expect(found('user')).toEqual(['USER:1', 'User:2', 'user:3']);
		expect(found('User')).toEqual(['User:2']);
		expect(found('ét')).toEqual(['ÉTÉ', 'été']);
		expect(found('ÉT')).toEqual(['ÉTÉ']);
		expect(found('.*')).toEqual([]);
	});

	test('are found in slices, in order, and continue when the listing brings more', () => {
		const index = new KeyIndex();
		const page = (from: number) =>
			Array.from({length: 5000}, (_, number) => ({name: `key ${String(from + number).padStart(6, '0')}`}));
		index.append(page(0));
		const rows = new FilteredRows(index, '7');
		const counts: number[] = [];
		while (!rows.advance(0)) counts.push(rows.count);
		expect(counts.length).toBeGreaterThan(2);
		expect(counts).toEqual([...counts].sort((one, other) => one - other));
		index.append(page(5000));
		expect(rows.searchedCount).toBe(5000);
		rows.advance();
		expect(rows.count).toBe(
			page(0)
				.concat(page(5000))
				.filter(({name}) => name.includes('7')).length,
		);
	});

	test('put the cursor on the next matching key', () => {
		const rows = new FilteredRows(indexOf('a', 'b1', 'c', 'd1', 'e'), '1');
		rows.advance();
		expect([0, 1, 2, 3, 4].map(position => rows.findRow(position))).toEqual([0, 0, 1, 1, 1]);
	});
});
