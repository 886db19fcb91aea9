import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {checkProposal, type Proposal, writeProposal} from '../../../source/kv/change/proposal.ts';
import {type KeyUndo, UndoHistory} from '../../../source/kv/change/undo.ts';
import {digestKey, readWholeKey, type WholeKey} from '../../../source/kv/change/whole-key.ts';
import type {KvStore} from '../../../source/kv/store.ts';
import {getRunCount} from '../../support/full.ts';
import {bytes, neverAborted, openForTest} from '../local/temporary.ts';
import {MemoryStore} from '../support/memory-store.ts';

const now = 2_000_000_000;
const target = {place: 'local:/data', namespace: 'N'};

const createWholeKey = (text: string, rest: Partial<WholeKey> = {}): WholeKey => ({
	bytes: bytes(text),
	metadata: null,
	...rest,
});

/** Writes or deletes a key, and remembers the write in the history, as a screen does. */
async function change(store: KvStore, history: UndoHistory, key: string, mine: WholeKey | undefined) {
	const base = await readWholeKey(store, key, neverAborted);
	const proposal: Proposal = mine
		? {
				kind: 'put',
				key,
				base,
				mine,
				lifetime: mine.expiration === undefined ? 'never' : {expiration: mine.expiration},
				origin: 'edit',
			}
		: {kind: 'delete', key, base, origin: 'delete'};
	const after = await writeProposal(store, proposal, base, neverAborted);
	history.remember({target, key, before: base, after});
}

/** Undoes the last write if the check finds no change. Returns the result of the check. */
async function undo(store: KvStore, history: UndoHistory): Promise<string> {
	const last = expectPossible(history.peek(now));
	const checked = await checkProposal(store, last.proposal, neverAborted);
	if (checked.type !== 'unchanged') return checked.type;
	history.removeWrite(last, await writeProposal(store, last.proposal, checked.stored, neverAborted));
	return checked.type;
}

function expectPossible(undo: ReturnType<UndoHistory['peek']>): Extract<KeyUndo, {type: 'possible'}> {
	if (undo?.type !== 'possible') throw new TypeError('Nothing can be undone.');
	return undo;
}

describe('undo', () => {
	const state = fc.option(
		fc.record(
			{
				bytes: fc.uint8Array({maxLength: 20}),
				metadata: fc.constantFrom(null, {}, {v: [1, null]}),
				expiration: fc.integer({min: now + 60, max: now + 1e9}),
			},
			{requiredKeys: ['bytes', 'metadata']},
		),
		{nil: undefined},
	);
	const writes = fc.array(fc.tuple(fc.constantFrom('a', 'b'), state), {maxLength: 12});

	test('restores bytes, metadata and expiry exactly, write by write', async () => {
		await fc.assert(
			fc.asyncProperty(writes, async keysAndStates => {
				const store = new MemoryStore();
				const history = new UndoHistory();
				const statesBefore: unknown[] = [];
				const readStates = async () => [
					await readWholeKey(store, 'a', neverAborted),
					await readWholeKey(store, 'b', neverAborted),
				];
				for (const [key, mine] of keysAndStates) {
					const before = await readStates();
					await change(store, history, key, mine);
					// Deleting a missing key is not a write that can be undone.
					if (mine || before[key === 'a' ? 0 : 1]) statesBefore.push(before);
				}
				for (const before of statesBefore.reverse()) {
					const last = expectPossible(history.peek(now));
					const checked = await checkProposal(store, last.proposal, neverAborted);
					if (checked.type !== 'already') {
						expect(checked.type).toBe('unchanged');
						history.removeWrite(
							last,
							await writeProposal(store, last.proposal, checked.stored, neverAborted),
						);
					} else history.removeWrite(last);
					expect(await readStates()).toEqual(before);
				}
				expect(history.peek(now)).toBeUndefined();
			}),
			{numRuns: getRunCount(200)},
		);
	});

	test('works on local data', async () => {
		using store = openForTest({now: () => now * 1000});
		const history = new UndoHistory();
		const first = createWholeKey('first', {metadata: {v: 1}, expiration: now + 100});
		await change(store, history, 'k', first);
		await change(store, history, 'k', createWholeKey('second'));
		await change(store, history, 'k', undefined);
		expect(await undo(store, history)).toBe('unchanged');
		expect(await readWholeKey(store, 'k', neverAborted)).toMatchObject({metadata: null});
		expect(await undo(store, history)).toBe('unchanged');
		const restored = await readWholeKey(store, 'k', neverAborted);
		expect(restored && digestKey(restored)).toEqual(digestKey(first));
		expect(await undo(store, history)).toBe('unchanged');
		expect(await readWholeKey(store, 'k', neverAborted)).toBeUndefined();
	});

	test('does not overwrite what someone else wrote since', async () => {
		const store = new MemoryStore();
		const history = new UndoHistory();
		await change(store, history, 'k', createWholeKey('mine'));
		store.stored.set('k', {bytes: bytes('theirs')});
		expect(await undo(store, history)).toBe('changed');
		expect(store.texts()).toEqual({k: 'theirs'});
		expect(history.peek(now)).toBeDefined();
	});

	test.each([
		['has passed', now - 5, {ttl: 60}, 'has passed: it will expire 60 s'],
		['is under a minute away', now + 59, {ttl: 60}, 'is less than 60 s away: it will expire 60 s'],
		['is beyond any date', 8_640_000_000_001, 'never', 'it will not expire'],
	])('says what will differ if an expiry %s', (_what, expiration, lifetime, note) => {
		const history = new UndoHistory();
		history.remember({target, key: 'k', before: createWholeKey('v', {expiration}), after: undefined});
		const {proposal, notes} = expectPossible(history.peek(now));
		expect(proposal).toMatchObject({lifetime});
		expect(notes).toEqual([expect.stringContaining(note)]);
	});

	test('continues after an undo that could not restore the expiry', async () => {
		using store = openForTest({now: () => now * 1000});
		const history = new UndoHistory();
		await store.put('k', bytes('first'), {}, neverAborted);
		const signal = neverAborted;
		const before = await readWholeKey(store, 'k', signal);
		await store.put('k', bytes('second'), {expiration: now + 30}, signal);
		const second = createWholeKey('second', {expiration: now + 30});
		history.remember({target, key: 'k', before, after: digestKey(second)});
		await store.put('k', bytes('third'), {}, signal);
		history.remember({target, key: 'k', before: second, after: digestKey(createWholeKey('third'))});
		const last = expectPossible(history.peek(now));
		history.removeWrite(
			last,
			await writeProposal(store, last.proposal, createWholeKey('third'), signal, () => now * 1000),
		);
		expect(await undo(store, history)).toBe('unchanged');
		expect(Buffer.from((await store.get('k', signal))?.bytes ?? []).toString()).toBe('first');
	});
});

describe('the undo history', () => {
	const rememberWrite = (history: UndoHistory, key: string, size: number) =>
		history.remember({target, key, before: createWholeKey('x'.repeat(size - key.length)), after: undefined});
	const takeAllWrites = (history: UndoHistory) => {
		const seen: string[] = [];
		for (let last = history.peek(now); last; last = history.peek(now)) {
			seen.push('key' in last ? `${last.key} ${last.type}` : last.type);
			history.removeWrite(last);
		}
		return seen;
	};

	test('drops the oldest write if there is no more room', () => {
		const history = new UndoHistory(100);
		for (const key of ['a', 'b', 'c', 'd']) expect(rememberWrite(history, key, 40)).toBeUndefined();
		expect(takeAllWrites(history)).toEqual(['d possible', 'c possible']);
	});

	test('has all its room again after everything was undone', () => {
		const history = new UndoHistory(100);
		for (const key of ['a', 'b', 'c']) {
			rememberWrite(history, key, 100);
			expect(takeAllWrites(history)).toEqual([`${key} possible`]);
		}
	});

	test('reports a write that is too large, and does not undo the write before it instead', () => {
		const history = new UndoHistory(100);
		rememberWrite(history, 'a', 100);
		expect(rememberWrite(history, 'b', 101)?.why).toContain('101');
		expect(history.peek(now)).toMatchObject({type: 'not kept', why: expect.stringContaining('100 bytes')});
		expect(takeAllWrites(history)).toEqual(['not kept', 'a possible']);
	});

	test('keeps a write that cannot be undone as the last one, and finds the one before it', () => {
		const history = new UndoHistory();
		rememberWrite(history, 'a', 10);
		history.remember({what: 'The last write was a copy.', why: 'Delete the copies.'});
		history.remember({what: 'The last write was an import.', why: 'Delete the keys.'});
		expect(history.peek(now)).toMatchObject({type: 'not kept', what: 'The last write was an import.'});
		const earlier = expectPossible(history.peekPossible(now));
		expect(earlier.key).toBe('a');
		history.removeWrite(earlier);
		expect(history.peekPossible(now)).toBeUndefined();
		expect(takeAllWrites(history)).toEqual(['not kept']);
	});

	test('stores any value that the service accepts', () => {
		const value: WholeKey = {bytes: new Uint8Array(26_214_400), metadata: null};
		expect(new UndoHistory().remember({target, key: 'k', before: value, after: undefined})).toBeUndefined();
	});

	test('stores a copy of the value', () => {
		const history = new UndoHistory();
		const before = createWholeKey('before');
		history.remember({target, key: 'k', before, after: undefined});
		before.bytes.fill(0);
		expect(expectPossible(history.peek(now)).proposal.mine?.bytes).toEqual(bytes('before'));
	});

	test('stores nothing for a write that changed nothing', () => {
		const history = new UndoHistory();
		history.remember({target, key: 'k', before: undefined, after: undefined});
		expect(history.peek(now)).toBeUndefined();
	});
});
