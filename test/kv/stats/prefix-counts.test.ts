import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {KeyIndex} from '../../../source/kv/key-index/key-index.ts';
import {TreeRows} from '../../../source/kv/key-index/tree-rows.ts';
import {PrefixCounts, type PrefixGroup} from '../../../source/kv/stats/prefix-counts.ts';
import {getRunCount} from '../../support/full.ts';
import {anyName, inByteOrder} from '../key-index/names.ts';

const countPrefixes = (
	names: readonly string[],
	options: {prefix?: string; depth?: number; maxPerLevel?: number} = {},
) => {
	const counts = new PrefixCounts({depth: 3, maxPerLevel: 1000, ...options});
	for (const name of names) counts.add(name);
	return counts.counts;
};

/** Lists prefixes with their numbers of keys, each followed by the prefixes below it. */
const flatten = ({groups}: PrefixGroup): [string, number][] =>
	groups.flatMap(group => [[group.prefix, group.keyCount] as [string, number], ...flatten(group)]);

const sumKeyCounts = ({ungroupedKeyCount, groups, smaller}: PrefixGroup): number =>
	ungroupedKeyCount + smaller.keyCount + groups.reduce((sum, {keyCount}) => sum + keyCount, 0);

/** Lists prefixes with their numbers of keys, as the tree of keys shows them when opened `levels` deep. */
function treeOf(names: readonly string[], levels: number): [string, number][] {
	const index = new KeyIndex();
	index.append(names.map(name => ({name})));
	index.finish();
	const rows = new TreeRows(index);
	rows.advance();
	const found: [string, number][] = [];
	for (let row = 0; row < rows.count; row++) {
		const treeRow = rows.at(row);
		if (treeRow?.kind !== 'group') continue;
		found.push([treeRow.prefix, treeRow.count]);
		if (treeRow.depth < levels - 1) rows.open(row);
		rows.advance();
	}
	return found;
}

const byName = (one: readonly [string, number], other: readonly [string, number]) =>
	inByteOrder(one[0], other[0]);

describe('keys by prefix', () => {
	test('are grouped like the tree of keys', () => {
		fc.assert(
			fc.property(fc.uniqueArray(anyName, {maxLength: 40}), fc.integer({min: 1, max: 3}), (names, depth) => {
				const sorted = names.toSorted(inByteOrder);
				const counts = countPrefixes(sorted, {depth});
				expect(flatten(counts).toSorted(byName)).toEqual(treeOf(sorted, depth).toSorted(byName));
				expect(counts.keyCount).toBe(sorted.length);
				expect(sumKeyCounts(counts)).toBe(sorted.length);
			}),
			{numRuns: getRunCount(400)},
		);
	});

	test('are available during the listing', () => {
		fc.assert(
			fc.property(fc.uniqueArray(anyName, {maxLength: 30}), names => {
				const sorted = names.toSorted(inByteOrder);
				const counts = new PrefixCounts({depth: 2, maxPerLevel: 1000});
				for (const [at, name] of sorted.entries()) {
					counts.add(name);
					expect(counts.counts).toEqual(countPrefixes(sorted.slice(0, at + 1), {depth: 2}));
				}
			}),
			{numRuns: getRunCount(60)},
		);
	});

	test('keep the largest groups, and count the others', () => {
		const names = Array.from({length: 100}, (_, number) =>
			Array.from({length: number + 2}, (_key, key) => `p${number}:${key}`),
		).flat();
		const counts = countPrefixes(names.toSorted(inByteOrder), {maxPerLevel: 3});
		expect(flatten(counts)).toEqual([
			['p99:', 101],
			['p98:', 100],
			['p97:', 99],
		]);
		expect(counts.smaller).toEqual({groupCount: 97, keyCount: names.length - 300});
	});

	test('count a key once if it is on two pages', () => {
		const counts = new PrefixCounts({depth: 1, maxPerLevel: 10});
		expect(['a:1', 'a:2', 'a:2', 'a:1', 'b'].map(name => counts.add(name))).toEqual([
			true,
			true,
			false,
			false,
			true,
		]);
		expect(counts.counts).toMatchObject({
			keyCount: 3,
			ungroupedKeyCount: 1,
			groups: [{prefix: 'a:', keyCount: 2}],
		});
	});

	test('are grouped by what follows the prefix, if one is given', () => {
		const names = ['user:1:a', 'user:1:b', 'user:2:a', 'user:2:b', 'user:2:c'];
		expect(flatten(countPrefixes(names, {prefix: 'user:', depth: 1}))).toEqual([
			['user:2:', 3],
			['user:1:', 2],
		]);
	});
});
