import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {compareKeys} from '../../../source/kv/key-order.ts';
import type {KvStore, StoredValue} from '../../../source/kv/store.ts';
import {compareStores, type Difference} from '../../../source/kv/transfer/difference.ts';
import {MemoryStore} from '../support/memory-store.ts';

const never = new AbortController().signal;

type Held = Readonly<
	Record<string, {readonly value: string; readonly metadata?: string; readonly expiration?: number}>
>;

/** A store that holds those, and answers each reading after a different number of turns. */
function storeOf(held: Held, kind: KvStore['kind']): MemoryStore {
	let turn = 0;
	const store = new MemoryStore({
		kind,
		batch: {reads: 3, concurrency: 2},
		faults: {
			async before() {
				for (let wait = (turn++ * 7) % 5; wait > 0; wait--) await Promise.resolve();
			},
		},
	});
	for (const [key, {value, ...rest}] of Object.entries(held))
		store.stored.set(key, {bytes: Buffer.from(value), ...rest} satisfies StoredValue);
	return store;
}

async function allDifferences(
	one: KvStore,
	other: KvStore,
	options: {prefix?: string; withoutValues?: boolean} = {},
) {
	const differences: Difference[] = [];
	let same = 0;
	for await (const group of compareStores(one, other, options, never)) {
		differences.push(...group.differences);
		same += group.same;
	}
	return {differences, same};
}

const keys = fc.constantFrom(
	'a',
	'ab',
	'b',
	'ä',
	'z',
	'\u{1f600}',
	'\uffee',
	' ',
	'a/b',
	'a/c',
	'q',
	'r',
	's',
	't',
);
const held = fc.dictionary(
	keys,
	fc.record(
		{
			value: fc.constantFrom('', 'x', 'y'),
			metadata: fc.constantFrom('m', 'n'),
			expiration: fc.constantFrom(2_000_000_000, 2_000_000_001),
		},
		{requiredKeys: ['value']},
	),
);

describe('two stores side by side', () => {
	test('each key that is not the same is told once, in the order of its bytes, with what differs', async () => {
		await fc.assert(
			fc.asyncProperty(
				held,
				held,
				fc.constantFrom('local' as const, 'remote' as const),
				async (left, right, kind) => {
					const {differences, same} = await allDifferences(storeOf(left, kind), storeOf(right, 'remote'));
					const names = [...new Set([...Object.keys(left), ...Object.keys(right)])].sort(compareKeys);
					const expected = names.flatMap(key => {
						const [one, other] = [left[key], right[key]];
						if (!one) return [{key, kind: 'only in other'}];
						if (!other) return [{key, kind: 'only in one'}];
						const parts = (['value', 'metadata', 'expiration'] as const).filter(
							part => one[part] !== other[part],
						);
						return parts.length === 0 ? [] : [{key, kind: 'differs', parts}];
					});
					expect(
						differences.map(({key, kind, ...rest}) => ({
							key,
							kind,
							...('parts' in rest && {parts: rest.parts}),
						})),
					).toEqual(expected);
					expect(same).toBe(names.length - expected.length);
				},
			),
			{numRuns: 200},
		);
	});
});
