import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {Failure} from '../../../source/failure.ts';
import type {KvStore, StoredValue} from '../../../source/kv/store.ts';
import {compareStores, type KeyDifference} from '../../../source/kv/transfer/difference.ts';
import {listExtraKeys} from '../../../source/kv/transfer/pairing.ts';
import {compareKeys} from '../../../source/text/utf8-order.ts';
import {getRunCount} from '../../support/full.ts';
import {MemoryStore} from '../support/memory-store.ts';

const neverAborted = new AbortController().signal;

type KeyContents = Readonly<
	Record<string, {readonly value: string; readonly metadata?: string; readonly expiration?: number}>
>;

/** A store with these keys, which answers each read after a different number of turns. */
function storeOf(contents: KeyContents, kind: KvStore['kind']): MemoryStore {
	let turn = 0;
	const store = new MemoryStore({
		kind,
		batch: {keysPerRead: 3, concurrency: 2},
		faults: {
			async before() {
				for (let wait = (turn++ * 7) % 5; wait > 0; wait--) await Promise.resolve();
			},
		},
	});
	for (const [key, {value, ...rest}] of Object.entries(contents))
		store.stored.set(key, {bytes: Buffer.from(value), ...rest} satisfies StoredValue);
	return store;
}

async function collectDifferences(
	one: KvStore,
	other: KvStore,
	options: {prefix?: string; withoutValues?: boolean} = {},
) {
	const differences: KeyDifference[] = [];
	let sameCount = 0;
	for await (const group of compareStores(one, other, options, neverAborted)) {
		differences.push(...group.differences);
		sameCount += group.sameCount;
	}
	return {differences, same: sameCount};
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
const anyContents = fc.dictionary(
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

/** A store with `count` keys of the same value. */
function createNumberedStore(
	count: number,
	storeOptions: ConstructorParameters<typeof MemoryStore>[0] = {},
): MemoryStore {
	const store = new MemoryStore(storeOptions);
	for (let at = 0; at < count; at++)
		store.stored.set(`k${String(at).padStart(5, '0')}`, {bytes: Buffer.from('x')});
	return store;
}

describe('a comparison of two stores', () => {
	test.each([
		{few: 0, many: 6000},
		{few: 5, many: 9000},
	])('of $few and $many keys completes despite long runs of keys that only one has', async ({few, many}) => {
		const [one, other] = [createNumberedStore(few), createNumberedStore(many)];
		expect((await collectDifferences(one, other)).differences).toHaveLength(many - few);
		expect((await collectDifferences(other, one)).differences).toHaveLength(many - few);
	});

	test.each(['one', 'other'])('does not wait for the other if %s fails', async side => {
		const failingStore = createNumberedStore(500, {
			faults: {
				before() {
					throw new Failure('connection_lost', 'The line is cut.');
				},
			},
		});
		const waitingStore = createNumberedStore(500, {
			faults: {
				before: (_keys, signal) => new Promise((_, reject) => signal.addEventListener('abort', reject)),
			},
		});
		const [one, other] = side === 'one' ? [failingStore, waitingStore] : [waitingStore, failingStore];
		await expect(collectDifferences(one, other)).rejects.toThrow('The line is cut.');
	});

	test.each([
		'listed twice',
		'out of order',
	])('reports a key that is %s, and treats none as missing', async how => {
		const [one, other] = [createNumberedStore(3), createNumberedStore(3)];
		const names =
			how === 'listed twice' ? ['k00000', 'k00001', 'k00001', 'k00002'] : ['k00000', 'k00002', 'k00001'];
		other.list = () => Promise.resolve({entries: names.map(name => ({name}))});
		await expect(collectDifferences(one, other)).rejects.toMatchObject({code: 'answer_malformed'});
		const extra = Array.fromAsync(listExtraKeys(one, other, undefined, neverAborted));
		await expect(extra).rejects.toMatchObject({code: 'answer_malformed'});
	});

	test('does not wait for the other if one cannot be listed', async () => {
		const failingStore = createNumberedStore(5);
		failingStore.list = () => Promise.reject(new Failure('connection_lost', 'The line is cut.'));
		const waitingStore = createNumberedStore(5);
		waitingStore.list = (_query, signal?: AbortSignal) =>
			new Promise((_, reject) => signal?.addEventListener('abort', reject));
		await expect(collectDifferences(failingStore, waitingStore)).rejects.toThrow('The line is cut.');
	});

	test('reports each differing key once, in byte order, with its differences', async () => {
		await fc.assert(
			fc.asyncProperty(
				anyContents,
				anyContents,
				fc.constantFrom('local' as const, 'remote' as const),
				async (left, right, kind) => {
					const {differences, same: sameCount} = await collectDifferences(
						storeOf(left, kind),
						storeOf(right, 'remote'),
					);
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
					expect(sameCount).toBe(names.length - expected.length);
				},
			),
			{numRuns: getRunCount(200)},
		);
	});
});
