import fc from 'fast-check';
import {expect, test} from 'vitest';
import {FilteredRows} from '../../../source/kv/key-index/filtered-rows.ts';
import {KeyIndex} from '../../../source/kv/key-index/key-index.ts';
import {FlatRows} from '../../../source/kv/key-index/rows.ts';
import {SortedRows} from '../../../source/kv/key-index/sorted-rows.ts';
import type {SortSizes} from '../../../source/kv/key-index/value-order.ts';
import type {KeyEntry} from '../../../source/kv/store.ts';
import {applyIndexChange, PlainKeys} from './model.ts';
import {anyChange, inByteOrder} from './names.ts';
import {anyPages} from './tiny-pages.ts';

const entry = (name: string, expiration?: number): KeyEntry => ({
	name,
	...(expiration !== undefined && {expiration}),
});

const listShownNames = (rows: SortedRows): readonly string[] =>
	Array.from({length: rows.count}, (_, at) => {
		const row = rows.at(at);
		return row?.kind === 'key' ? row.label : '';
	});

const sortNames = (plain: PlainKeys, query = ''): readonly string[] => {
	const expiry = (name: string) => plain.entries.get(name)?.expiration ?? Number.POSITIVE_INFINITY;
	return plain.names
		.filter(name => name.includes(query))
		.sort((one, other) =>
			expiry(one) === expiry(other) ? inByteOrder(one, other) : expiry(one) - expiry(other),
		);
};

test('the earliest expiry comes first, keys that never expire last, and equals are sorted by name', () => {
	const index = new KeyIndex();
	index.append([entry('a'), entry('b', 300), entry('c', 100), entry('d'), entry('e', 100)]);
	const rows = new SortedRows(index, new FlatRows(index));
	expect(listShownNames(rows)).toEqual(['c', 'e', 'b', 'a', 'd']);
	expect(rows.at(5)).toBeUndefined();
	expect(rows.findRow(1)).toBe(2);
	expect(rows.findRow(9)).toBe(4);
	expect(rows.getPositions(0)).toEqual({from: 2, to: 3});
	expect(rows.getPositions(5)).toEqual({from: 0, to: 0});
});

test('a key with a changed expiry moves to its place, even if no keys come or go', () => {
	const index = new KeyIndex();
	index.append([entry('a', 100), entry('b', 200), entry('c', 300)]);
	const rows = new SortedRows(index, new FlatRows(index));
	expect(listShownNames(rows)).toEqual(['a', 'b', 'c']);
	index.put(entry('a', 250));
	expect(listShownNames(rows)).toEqual(['b', 'a', 'c']);
});

test('an empty index has no rows', () => {
	const index = new KeyIndex();
	const rows = new SortedRows(index, new FlatRows(index));
	expect(rows.count).toBe(0);
	expect(rows.findRow(0)).toBe(0);
});

test('the order is that of a plain sort through all changes, page by page and with a filter', () => {
	fc.assert(
		fc.property(
			anyPages,
			fc.array(anyChange, {maxLength: 12}),
			fc.constantFrom('', 'a'),
			(pages, changes, query) => {
				const index = new KeyIndex(pages);
				const plain = new PlainKeys();
				const source = query === '' ? new FlatRows(index) : new FilteredRows(index, query);
				const rows = new SortedRows(index, source);
				for (const one of changes) {
					applyIndexChange(one, index, plain);
					expect(rows.advance()).toBe(true);
					expect(listShownNames(rows)).toEqual(sortNames(plain, query));
					for (let at = 0; at < rows.count; at++) expect(rows.findRow(rows.getPositions(at).from)).toBe(at);
				}
			},
		),
	);
});

const tinySizes: SortSizes = {maxGathered: 4, maxInsertionLength: 3, mergeStep: 2};

test('sorting in small steps shows no removed key and none twice, and ends in the same order', () => {
	fc.assert(
		fc.property(
			anyPages,
			fc.array(anyChange, {maxLength: 12}),
			fc.constantFrom('', 'a'),
			fc.nat({max: 3}),
			(pages, changes, query, slices) => {
				const index = new KeyIndex(pages);
				const plain = new PlainKeys();
				const source = query === '' ? new FlatRows(index) : new FilteredRows(index, query);
				const rows = new SortedRows(index, source, tinySizes);
				for (const one of changes) {
					applyIndexChange(one, index, plain);
					const names = listShownNames(rows);
					expect(new Set(names).size).toBe(names.length);
					expect(new Set(plain.names)).toEqual(new Set([...plain.names, ...names]));
					for (let slice = 0; slice < slices; slice++) rows.advance(0);
				}
				index.finish();
				for (let slice = 0; !rows.advance(0); slice++) expect(slice).toBeLessThan(10_000);
				expect(rows.isDone).toBe(true);
				expect(listShownNames(rows)).toEqual(sortNames(plain, query));
				for (let at = 0; at < rows.count; at++) expect(rows.findRow(rows.getPositions(at).from)).toBe(at);
			},
		),
	);
});

test('the previous order stays visible while everything is sorted again', () => {
	const index = new KeyIndex();
	index.append(
		Array.from({length: 20}, (_, at) => entry(`key:${at + 10}`, at % 2 === 0 ? 1000 - at : undefined)),
	);
	index.finish();
	const rows = new SortedRows(index, new FlatRows(index), tinySizes);
	rows.advance();
	const before = listShownNames(rows);
	expect(before).toHaveLength(20);
	index.remove('key:14');
	index.put(entry('key:00', 1));
	expect(rows.isDone).toBe(false);
	expect(listShownNames(rows)).toEqual(before.filter(name => name !== 'key:14'));
	expect(rows.advance()).toBe(true);
	expect(listShownNames(rows)).toEqual(['key:00', ...before.filter(name => name !== 'key:14')]);
});

test('a million keys are sorted, and new pages are merged in', () => {
	const index = new KeyIndex();
	const page = (from: number, to: number) =>
		Array.from({length: to - from}, (_, at) =>
			entry(`key:${String(from + at).padStart(8, '0')}`, ((from + at) * 7919) % 1_000_003),
		);
	for (let from = 0; from < 1_000_000; from += 10_000) index.append(page(from, from + 10_000));
	const rows = new SortedRows(index, new FlatRows(index));
	expect(rows.advance()).toBe(true);
	expect(rows.count).toBe(1_000_000);
	index.append(page(1_000_000, 1_001_000));
	index.finish();
	expect(rows.advance()).toBe(true);
	expect(rows.count).toBe(1_001_000);
	let before = -1;
	for (let row = 0; row < rows.count; row += 97) {
		const expiration = index.getExpiration(rows.getPositions(row).from) ?? 0;
		expect(expiration).toBeGreaterThanOrEqual(before);
		before = expiration;
	}
});
