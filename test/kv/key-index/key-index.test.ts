import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {KeyIndex} from '../../../source/kv/key-index/key-index.ts';
import type {KeyEntry} from '../../../source/kv/store.ts';
import {getRunCount} from '../../support/full.ts';
import {applyIndexChange, PlainKeys} from './model.ts';
import {anyChange, anyName} from './names.ts';
import {anyPages} from './tiny-pages.ts';

const entries = (...names: string[]): KeyEntry[] => names.map(name => ({name}));
const namesOf = (index: KeyIndex): string[] =>
	Array.from({length: index.count}, (_, position) => index.getName(position));

/** Creates an index with one page of a listing. */
function createListedIndex(...names: string[]): KeyIndex {
	const index = new KeyIndex();
	index.append(entries(...names));
	return index;
}

const createNumberedNames = (from: number, to: number): string[] =>
	Array.from({length: to - from}, (_, number) => `key:${String(from + number).padStart(7, '0')}`);

describe('an index of keys', () => {
	test('has the content of a sorted map, whatever happens to it', () => {
		fc.assert(
			fc.property(anyPages, fc.array(anyChange, {maxLength: 12}), (pages, changes) => {
				const index = new KeyIndex(pages);
				const plain = new PlainKeys();
				for (const change of changes) applyIndexChange(change, index, plain);
				expect(namesOf(index)).toEqual(plain.names);
				for (const [position, name] of plain.names.entries()) {
					const entry = plain.entries.get(name);
					expect(index.find(name)).toEqual({position, isFound: true});
					expect(index.getExpiration(position)).toBe(entry?.expiration);
					expect(index.getMetadata(position)).toBe(
						entry?.metadata === undefined ? undefined : JSON.stringify(entry.metadata),
					);
					expect(index.getEntry(position)).toEqual(JSON.parse(JSON.stringify(entry)));
				}
			}),
			{numRuns: getRunCount(300)},
		);
	});

	test('gives the position where a missing name would be', () => {
		fc.assert(
			fc.property(fc.uniqueArray(anyName), anyName, (names, missingName) => {
				const index = new KeyIndex();
				index.putAll(entries(...names.filter(name => name !== missingName)));
				const {position, isFound} = index.find(missingName);
				expect(isFound).toBe(false);
				expect(index.put({name: missingName})).toBe(position);
				expect(index.getName(position)).toBe(missingName);
			}),
		);
	});

	test('orders names by their bytes, not by their UTF-16 units', () => {
		const index = new KeyIndex();
		index.putAll(entries('\u{1f511}', '\uffff', 'Z', 'a', 'a:', 'a:b'));
		expect(namesOf(index)).toEqual(['Z', 'a', 'a:', 'a:b', '\uffff', '\u{1f511}']);
	});

	test('accepts overlapping pages without duplicating a key, and keeps the later data', () => {
		const index = new KeyIndex();
		index.append([{name: 'a'}, {name: 'b', expiration: 1}, {name: 'd'}]);
		index.append([{name: 'b', expiration: 2}, {name: 'c'}, {name: 'd', metadata: {v: 1}}, {name: 'e'}]);
		expect(namesOf(index)).toEqual(['a', 'b', 'c', 'd', 'e']);
		expect(index.getExpiration(1)).toBe(2);
		expect(index.getMetadata(3)).toBe('{"v":1}');
	});

	test('keeps names and metadata larger than the service allows', () => {
		const name = 'n'.repeat(100_000);
		const metadata = {text: 'é'.repeat(70_000)};
		const index = createListedIndex('a', 'b');
		index.put({name, metadata, expiration: 2 ** 53 - 1});
		index.append(entries('z'));
		expect(index.getEntry(2)).toEqual({name, metadata, expiration: 2 ** 53 - 1});
		expect(namesOf(index)).toEqual(['a', 'b', name, 'z']);
	});

	test('frees memory when most keys are removed, and keeps the others intact', () => {
		const index = new KeyIndex();
		const metadata = {text: 'x'.repeat(500)};
		index.append(createNumberedNames(0, 20_000).map(name => ({name, metadata, expiration: 7})));
		const before = index.bytesUsed;
		index.removeAll(createNumberedNames(0, 19_000));
		expect(index.bytesUsed).toBeLessThan(before / 5);
		expect(namesOf(index)).toEqual(createNumberedNames(19_000, 20_000));
		expect(index.getEntry(999)).toEqual({name: 'key:0019999', metadata, expiration: 7});
	});

	test('keeps a hundred thousand names in little more than their bytes', () => {
		const index = new KeyIndex();
		const names = createNumberedNames(0, 100_000);
		for (let from = 0; from < names.length; from += 1000)
			index.append(entries(...names.slice(from, from + 1000)));
		expect(index.bytesUsed).toBeLessThan(names.length * ('key:0000000'.length + 16));
	});

	test('refuses a position without a key', () => {
		expect(() => createListedIndex('a').getName(1)).toThrow('There is no key at the position 1 of 1.');
		expect(() => createListedIndex('a').getName(-1)).toThrow('There is no key at the position -1 of 1.');
	});
});

describe('keys that a listing may still bring', () => {
	test('come after the last listed key, not after one added beyond it', () => {
		const index = createListedIndex('a', 'c');
		index.put({name: 'x'});
		expect([0, 1, 2, 3].map(position => index.mayGrow(position))).toEqual([false, false, true, true]);
		index.append(entries('d', 'e'));
		expect(namesOf(index)).toEqual(['a', 'c', 'd', 'e', 'x']);
		expect([3, 4].map(position => index.mayGrow(position))).toEqual([false, true]);
		index.put({name: 'b'});
		index.removeAll(['a', 'c']);
		expect([2, 3].map(position => index.mayGrow(position))).toEqual([false, true]);
	});

	test('are none once the listing has ended', () => {
		const index = createListedIndex('a');
		expect(index.mayGrow(1)).toBe(true);
		index.finish();
		expect(index.complete).toBe(true);
		expect(index.mayGrow(1)).toBe(false);
	});
});

describe('the selection', () => {
	test('behaves like a plain set, and follows its keys when others come and go', () => {
		const anySelect = fc.record({
			kind: fc.constant('select' as const),
			from: fc.nat(20),
			length: fc.nat(8),
			on: fc.boolean(),
		});
		fc.assert(
			fc.property(anyPages, fc.array(fc.oneof(anyChange, anySelect), {maxLength: 20}), (pages, steps) => {
				const index = new KeyIndex(pages);
				const plain = new PlainKeys();
				let selected = new Set<string>();
				for (const step of steps) {
					if (step.kind === 'select') {
						index.selectRange(step.from, step.from + step.length, step.on);
						for (const name of plain.names.slice(step.from, step.from + step.length))
							if (step.on) selected.add(name);
							else selected.delete(name);
					} else applyIndexChange(step, index, plain);
					selected = selected.intersection(plain.entries);
				}
				const names = plain.names;
				expect([...index.listSelectedNames()]).toEqual(names.filter(name => selected.has(name)));
				expect(index.selectedCount).toBe(selected.size);
				expect(names.map((_, position) => index.isSelected(position))).toEqual(
					names.map(name => selected.has(name)),
				);
				const middle = names.length >> 1;
				expect(index.countSelected(middle, names.length)).toBe(
					names.slice(middle).filter(name => selected.has(name)).length,
				);
			}),
			{numRuns: getRunCount(300)},
		);
	});

	test('keeps a key that is put again', () => {
		const index = createListedIndex('a', 'b');
		index.select(1, true);
		index.put({name: 'b', metadata: {larger: 'than before'}});
		expect([...index.listSelectedNames()]).toEqual(['b']);
	});

	test('is empty after it was cleared', () => {
		const index = createListedIndex('a', 'b', 'c');
		index.selectRange(-5, 50, true);
		expect(index.selectedCount).toBe(3);
		index.clearSelection();
		expect([...index.listSelectedNames()]).toEqual([]);
	});
});
