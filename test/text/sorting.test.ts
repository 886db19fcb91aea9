import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {sortInSteps} from '../../source/text/sorting.ts';
import {runSteps} from '../../source/text/steps.ts';
import {getRunCount} from '../support/full.ts';

type Item = {readonly rank: number; readonly originalIndex: number};

const byRank = (one: Item, other: Item) => one.rank - other.rank;

const itemsOf = (ranks: readonly number[]): Item[] =>
	ranks.map((rank, originalIndex) => ({rank, originalIndex}));

describe('sorting in steps', () => {
	it('gives the same result as sorting at once, with equal items in their order', () => {
		fc.assert(
			fc.property(fc.array(fc.nat(20), {maxLength: 50}), fc.integer({min: 0, max: 5000}), (ranks, length) => {
				const items = itemsOf(Array.from({length}, (_, at) => (ranks[at % ranks.length] ?? at) + (at % 7)));
				expect(runSteps(sortInSteps(items, byRank))).toEqual(items.toSorted(byRank));
			}),
			{numRuns: getRunCount(50)},
		);
	});

	it('leaves the input unchanged', () => {
		const items = itemsOf([3, 1, 2]);
		runSteps(sortInSteps(items, byRank));
		expect(items).toEqual(itemsOf([3, 1, 2]));
	});

	it('pauses in between if there is much to sort', () => {
		const items = itemsOf(Array.from({length: 20_000}, (_, at) => (at * 7919) % 20_011));
		expect([...sortInSteps(items, byRank)].length).toBeGreaterThan(20);
	});
});
