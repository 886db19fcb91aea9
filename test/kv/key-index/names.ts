import fc from 'fast-check';
import type {KeyEntry} from '../../../source/kv/store.ts';

/** Names that share prefixes, with delimiters in odd places, segments without a letter, and any Unicode. */
export const anyName = fc.oneof(
	{weight: 6, arbitrary: fc.string({unit: fc.constantFrom('a', 'b', ':', '/'), minLength: 1, maxLength: 7})},
	{
		weight: 3,
		arbitrary: fc.string({
			unit: fc.constantFrom('a', 'B', 'É', 'é', 'ß', '名', '\u{1f511}', '\uffff', ':', '.'),
			minLength: 1,
			maxLength: 5,
		}),
	},
	{weight: 1, arbitrary: fc.string({unit: 'binary', minLength: 1, maxLength: 12})},
);

export const anyEntry: fc.Arbitrary<KeyEntry> = fc
	.record(
		{
			name: anyName,
			expiration: fc.oneof(fc.integer({min: 0, max: 2 ** 31}), fc.maxSafeNat(), fc.constant(-1.5)),
			metadata: fc.jsonValue({maxDepth: 1}) as fc.Arbitrary<NonNullable<KeyEntry['metadata']>>,
		},
		{requiredKeys: ['name']},
	)
	.map(entry => ({...entry}));

export const inByteOrder = (one: string, other: string): number =>
	Buffer.compare(Buffer.from(one), Buffer.from(other));

/** A change to an index. Each pick, modulo the number of keys, is the position of a key to remove. */
export type Change =
	| {readonly kind: 'append'; readonly entries: readonly KeyEntry[]}
	| {readonly kind: 'put'; readonly entries: readonly KeyEntry[]}
	| {readonly kind: 'remove'; readonly picks: readonly number[]};

export const anyChange: fc.Arbitrary<Change> = fc.oneof(
	fc.record({kind: fc.constant('append' as const), entries: fc.array(anyEntry, {maxLength: 12})}),
	fc.record({kind: fc.constant('put' as const), entries: fc.array(anyEntry, {minLength: 1, maxLength: 4})}),
	fc.record({kind: fc.constant('remove' as const), picks: fc.array(fc.nat(), {minLength: 1, maxLength: 4})}),
);
