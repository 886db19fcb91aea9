import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
	type Batch,
	BatchFiller,
	BatchSize,
	maxBatchBytes,
	OrderedFiller,
} from '../../../source/kv/bulk/batches.ts';
import type {Item} from '../../../source/kv/bulk/entries.ts';
import {getRunCount} from '../../support/full.ts';

const limits = {entries: 10, bytes: 1000, keysPerRead: 100, concurrency: 6};

const item = (key: string, number: number, bytes = 20): Item<string> => ({
	key,
	number,
	bytes,
	content: key,
	unknownProperties: [],
});

function fill(
	filler: BatchFiller<string> | OrderedFiller<string>,
	items: Iterable<Item<string>>,
): Batch<string>[] {
	const batches: Batch<string>[] = [];
	for (const one of items) batches.push(...filler.add(one));
	batches.push(...filler.flush());
	return batches;
}

const getItemNumbers = (batches: readonly Batch<string>[]): number[][] =>
	batches.map(({items}) => items.map(({number}) => number));

const someItems = fc
	.array(
		fc.record({
			key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
			bytes: fc.integer({min: 5, max: 400}),
		}),
		{
			maxLength: 60,
		},
	)
	.map(all => all.map(({key, bytes}, at) => item(key, at + 1, bytes)));

describe('batches', () => {
	test('contain everything in order, within the limits', () => {
		fc.assert(
			fc.property(someItems, items => {
				const batches = fill(new BatchFiller(new BatchSize(limits)), items);
				expect(getItemNumbers(batches).flat()).toEqual(items.map(({number}) => number));
				for (const {items: batchItems, bytes} of batches) {
					expect(batchItems.length).toBeGreaterThan(0);
					expect(batchItems.length).toBeLessThanOrEqual(limits.entries);
					expect(bytes).toBeLessThanOrEqual(limits.bytes);
					expect(bytes).toBe(batchItems.reduce((sum, one) => sum + one.bytes + 1, 2));
				}
			}),
		);
	});

	test('are as few as the limits allow', () => {
		const items = Array.from({length: 25}, (_, at) => item(`k${at}`, at + 1));
		expect(
			getItemNumbers(fill(new BatchFiller(new BatchSize(limits)), items)).map(({length}) => length),
		).toEqual([10, 10, 5]);
	});

	test('give an entry larger than a batch its own batch', () => {
		const items = [item('a', 1), item('b', 2, 5000), item('c', 3)];
		expect(getItemNumbers(fill(new BatchFiller(new BatchSize(limits)), items))).toEqual([[1], [2], [3]]);
	});

	test('are no larger than memory allows, whatever limits the store has', () => {
		expect(new BatchSize({...limits, bytes: 100_000_000}).bytes).toBe(maxBatchBytes);
	});

	test('become smaller after one was too large, but never tiny', () => {
		const size = new BatchSize({entries: 10_000, bytes: 100_000_000, keysPerRead: 100, concurrency: 6});
		const createBatch = (entries: number, bytes: number): Batch<string> => ({
			items: Array.from({length: entries}, (_, at) => item('k', at)),
			bytes,
		});
		size.halve(createBatch(10_000, maxBatchBytes / 2));
		expect([size.entries, size.bytes]).toEqual([5000, maxBatchBytes / 4]);
		size.halve(createBatch(10_000, maxBatchBytes / 2));
		expect([size.entries, size.bytes]).toEqual([5000, maxBatchBytes / 4]);
		for (let entries = 2500; entries > 1; entries /= 2) size.halve(createBatch(entries, entries));
		expect([size.entries, size.bytes]).toEqual([157, maxBatchBytes / 64]);
	});
});

describe('ordered batches', () => {
	test('contain everything once, no key twice, and earlier entries of a key first', () => {
		fc.assert(
			fc.property(someItems, items => {
				const batches = fill(new OrderedFiller(new BatchSize(limits)), items);
				const sent = batches.flatMap(batch => batch.items);
				expect(sent.map(({number}) => number).sort((one, other) => one - other)).toEqual(
					items.map(({number}) => number),
				);
				const last = new Map<string, number>();
				for (const {key, number} of sent) {
					expect(number).toBeGreaterThan(last.get(key) ?? 0);
					last.set(key, number);
				}
				for (const {items: batchItems, bytes} of batches) {
					expect(new Set(batchItems.map(({key}) => key)).size).toBe(batchItems.length);
					expect(batchItems.length).toBeLessThanOrEqual(limits.entries);
					expect(bytes).toBeLessThanOrEqual(limits.bytes);
				}
			}),
			{numRuns: getRunCount(1000)},
		);
	});

	test('are few if repeated keys are adjacent', () => {
		const items = Array.from({length: 20}, (_, at) => item(`k${at >> 1}`, at + 1));
		expect(getItemNumbers(fill(new OrderedFiller(new BatchSize(limits)), items))).toEqual([
			[1, 3, 5, 7, 9, 11, 13, 15, 17, 19],
			[2, 4, 6, 8, 10, 12, 14, 16, 18, 20],
		]);
	});
});
