import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {KeyDifference} from '../../../source/kv/transfer/difference.ts';
import {DifferenceList} from '../../../source/kv/transfer/difference-list.ts';
import {anyPages} from '../key-index/tiny-pages.ts';

const facts = fc.record(
	{
		bytes: fc.nat(),
		metadata: fc.oneof(
			fc.constant(null),
			fc.string(),
			fc.dictionary(fc.string(), fc.nat(), {noNullPrototype: true}),
		),
		expiration: fc.nat(),
	},
	{requiredKeys: [], noNullPrototype: true},
);
const key = fc.string({unit: 'binary', minLength: 1});
const difference: fc.Arbitrary<KeyDifference> = fc.oneof(
	fc.record({kind: fc.constant('only in one' as const), key, one: facts}, {noNullPrototype: true}),
	fc.record({kind: fc.constant('only in other' as const), key, other: facts}, {noNullPrototype: true}),
	fc.record(
		{
			kind: fc.constant('differs' as const),
			key,
			parts: fc.subarray(['value', 'metadata', 'expiration'] as const),
			one: facts,
			other: facts,
		},
		{noNullPrototype: true},
	),
);

test('differences are read back as they were written', () => {
	fc.assert(
		fc.property(fc.array(difference), anyPages, (differences, pages) => {
			const list = new DifferenceList(pages);
			for (const one of differences) list.push(one);
			expect([...list]).toEqual(differences);
			expect(list.length).toBe(differences.length);
			expect(differences.map((_, number) => list.getKey(number))).toEqual(differences.map(({key}) => key));
			expect(list.at(differences.length)).toBeUndefined();
			expect(list.getKey(differences.length)).toBe('');
		}),
	);
});
