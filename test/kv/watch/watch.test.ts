import {describe, expect, test} from 'vitest';
import {createInterruptedFailure, Failure, toFailure} from '../../../source/failure.ts';
import type {WatchedKey} from '../../../source/kv/watch/changes.ts';
import {type WatchScope, watchLimits} from '../../../source/kv/watch/snapshot.ts';
import {type WatchHandlers, watchKeys} from '../../../source/kv/watch/watch.ts';
import type {Clock} from '../../../source/service/clock.ts';
import {MemoryStore} from '../support/memory-store.ts';

type WatchCase = {
	readonly scope?: WatchScope;
	readonly initialKeys?: readonly WatchedKey[];
	readonly handlers?: Partial<WatchHandlers>;
	/** What happens during the wait after each read; after the last one the watch is stopped. */
	readonly steps: readonly (() => void)[];
};

/** Watches a store until the steps are used up. Returns what was reported, and the waits in seconds. */
async function watch(store: MemoryStore, {scope = {prefix: ''}, initialKeys, handlers, steps}: WatchCase) {
	const controller = new AbortController();
	let time = 0;
	let stepIndex = 0;
	const waits: number[] = [];
	const reports: string[] = [];
	const clock: Clock = {
		now: () => time,
		elapsed: () => time,
		random: () => 0.5,
		scale: 1,
		async wait(milliseconds) {
			time += milliseconds;
			waits.push(milliseconds / 1000);
			const step = steps[stepIndex++];
			if (!step) controller.abort();
			if (controller.signal.aborted) throw createInterruptedFailure();
			step?.();
		},
	};
	const end = await watchKeys(
		store,
		{scope, intervalMs: 5000, initialKeys, clock},
		{
			onChanges(changes) {
				reports.push(
					...changes.map(({kind, key, previous, parts}) =>
						[kind, key.name, previous?.size, key.size, ...parts].filter(part => part !== undefined).join(' '),
					),
				);
				return undefined;
			},
			onFailure: ({code}, waitMs) => void reports.push(`${code}, ${waitMs / 1000} s`),
			onRead: intervalMs => void reports.push(`every ${intervalMs / 1000} s`),
			...handlers,
		},
		controller.signal,
	).then(
		() => 'ended',
		error => toFailure(error).code,
	);
	return {reports, waits, end};
}

/** Sets the value of a key, its metadata, or both. */
const put = (store: MemoryStore, name: string, text: string, metadata?: string) =>
	store.stored.set(name, {bytes: Buffer.from(text), ...(metadata !== undefined && {metadata})});

describe('one key', () => {
	test('is read with its value, and each change has both sizes', async () => {
		const store = new MemoryStore();
		put(store, 'a', '1');
		const {reports, end} = await watch(store, {
			scope: {key: 'a'},
			steps: [
				() => put(store, 'a', '123'),
				() => put(store, 'b', 'other'),
				() => put(store, 'a', '123', 'note'),
				() => store.stored.delete('a'),
			],
		});
		expect(reports).toEqual(['every 5 s', 'changed a 1 3 value', 'changed a 3 3 metadata', 'deleted a 3 3']);
		expect(end).toBe('interrupted');
	});

	test('may not exist yet; its value comes with the change', async () => {
		const store = new MemoryStore();
		const values: (string | undefined)[] = [];
		await watch(store, {
			scope: {key: 'a'},
			handlers: {
				onChanges(changes) {
					values.push(...changes.map(({key}) => key.bytes && Buffer.from(key.bytes).toString()));
					return undefined;
				},
			},
			steps: [() => put(store, 'a', 'new'), () => put(store, 'a', 'newer')],
		});
		expect(values).toEqual(['new', 'newer']);
	});
});

describe('several keys', () => {
	test('a new value is seen only with the values, or with other metadata', async () => {
		const steps = (store: MemoryStore) => [
			() => put(store, 'p:a', 'second'),
			() => put(store, 'p:a', 'third', 'note'),
			() => put(store, 'other', ''),
		];
		const [listed, whole] = [new MemoryStore(), new MemoryStore()];
		for (const store of [listed, whole]) put(store, 'p:a', 'first');
		expect((await watch(listed, {scope: {prefix: 'p:'}, steps: steps(listed)})).reports).toEqual([
			'every 5 s',
			'changed p:a metadata',
		]);
		const scope = {prefix: 'p:', readsValues: true};
		expect((await watch(whole, {scope, steps: steps(whole)})).reports).toEqual([
			'every 5 s',
			'changed p:a 5 6 value',
			'changed p:a 6 5 value metadata',
		]);
	});

	test('more than a quarter of the quota is never used: a second per call', async () => {
		const store = new MemoryStore();
		for (let index = 0; index < 6500; index++) put(store, `k${index}`, '');
		const {reports, waits} = await watch(store, {steps: [() => {}]});
		expect(reports).toEqual(['every 7 s']);
		expect(waits).toEqual([7, 7]);
	});

	test('not all new values are kept in memory', async () => {
		const store = new MemoryStore();
		const putAll = (fill: string) => {
			for (const name of ['a', 'b', 'c']) put(store, name, fill.repeat(9_000_000));
		};
		const sizes: (number | undefined)[][] = [];
		putAll('x');
		await watch(store, {
			scope: {prefix: '', readsValues: true},
			handlers: {
				onChanges(changes) {
					for (const {key} of changes) sizes.push([key.size, key.bytes?.length]);
					return undefined;
				},
			},
			steps: [() => putAll('y')],
		});
		expect(sizes).toEqual([
			[9_000_000, 9_000_000],
			[9_000_000, 9_000_000],
			[9_000_000, undefined],
		]);
	});

	test('too many of them are refused', async () => {
		const store = new MemoryStore();
		for (let index = 0; index <= watchLimits.values; index++) put(store, `k${index}`, '');
		expect((await watch(store, {scope: {prefix: '', readsValues: true}, steps: []})).end).toBe('limit');
		expect((await watch(store, {scope: {prefix: '', maxKeys: 1000}, steps: []})).end).toBe('limit');
	});

	test('given keys are compared with the first read', async () => {
		const store = new MemoryStore();
		put(store, 'a', '');
		const initialKeys = [{name: 'b'}];
		expect((await watch(store, {initialKeys, steps: []})).reports).toEqual([
			'every 5 s',
			'added a',
			'deleted b',
		]);
	});
});

describe('failures', () => {
	/** A store whose listings fail in turn as given; undefined for none. */
	function createFailingStore(failures: readonly (Failure | undefined)[]): MemoryStore {
		const store = new MemoryStore();
		const list = store.list.bind(store);
		let readIndex = 0;
		store.list = query => {
			const failure = failures[readIndex++];
			return failure ? Promise.reject(failure) : list(query);
		};
		return store;
	}
	const [throttled, unreachable, malformed, refused] = (
		['rate_limited', 'unreachable', 'answer_malformed', 'credential_refused'] as const
	).map(code => new Failure(code, 'It failed.'));

	const refusedCursor = new Failure('refused_by_service', 'It failed.', {service: [10_041]});

	test('a temporary one doubles the time to the next read, up to five minutes', async () => {
		const steps = Array.from({length: 8}, () => () => {});
		const failures = [undefined, throttled, malformed, ...Array.from({length: 5}, () => unreachable)];
		const {reports, waits} = await watch(createFailingStore(failures), {steps});
		expect(waits).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 5]);
		expect(reports).toEqual([
			'every 5 s',
			'rate_limited, 10 s',
			'answer_malformed, 20 s',
			...[40, 80, 160, 300, 300].map(seconds => `unreachable, ${seconds} s`),
			'every 5 s',
		]);
	});

	test.each([
		['', unreachable],
		[', also after a cursor that the service no longer knows', refusedCursor],
	])('changes meanwhile are found by the next read%s', async (_when, failure) => {
		const store = createFailingStore([undefined, failure]);
		const {reports} = await watch(store, {steps: [() => put(store, 'a', ''), () => {}]});
		expect(reports.at(-1)).toBe('added a');
	});

	test.each([
		['a failure of the first read', [unreachable], 'unreachable'],
		['a permanent one', [undefined, refused], 'credential_refused'],
		['the limit of a day', [undefined, throttled?.withDetails({service: [10_048]})], 'rate_limited'],
	])('%s ends the watch', async (_what, failures, code) => {
		expect((await watch(createFailingStore(failures), {steps: [() => {}]})).end).toBe(code);
	});
});

test('while paused nothing is read, and nothing is missed', async () => {
	const store = new MemoryStore();
	let isPaused = false;
	let readCount = 0;
	const list = store.list.bind(store);
	store.list = query => {
		readCount++;
		return list(query);
	};
	const {reports} = await watch(store, {
		handlers: {isPaused: () => isPaused},
		steps: [
			() => {
				isPaused = true;
				put(store, 'a', '');
			},
			() => {
				isPaused = false;
			},
		],
	});
	expect(readCount).toBe(2);
	expect(reports).toEqual(['every 5 s', 'added a']);
});

test('it ends when the changes were enough', async () => {
	const store = new MemoryStore();
	const {end} = await watch(store, {
		handlers: {onChanges: () => true},
		steps: [() => put(store, 'a', ''), () => put(store, 'b', '')],
	});
	expect(end).toBe('ended');
});
