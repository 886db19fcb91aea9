import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
	checkProposal,
	findExpiryQuestion,
	findProposalProblem,
	type LifetimeChoice,
	type Proposal,
	type PutProposal,
	writeProposal,
} from '../../../source/kv/change/proposal.ts';
import {digestKey, isSameState, readWholeKey, type WholeKey} from '../../../source/kv/change/whole-key.ts';
import {limits} from '../../../source/kv/limits.ts';
import type {StoredValue} from '../../../source/kv/store.ts';
import type {JsonValue} from '../../../source/text/json.ts';
import {getRunCount} from '../../support/full.ts';
import {bytes, neverAborted, openForTest} from '../local/temporary.ts';
import {MemoryStore} from '../support/memory-store.ts';

const now = 2_000_000_000;

const createWholeKey = (text: string, rest: Partial<WholeKey> = {}): WholeKey => ({
	bytes: bytes(text),
	metadata: null,
	...rest,
});

const createPut = (text: string, rest: Partial<PutProposal> = {}): PutProposal => ({
	kind: 'put',
	key: 'k',
	base: createWholeKey('base'),
	mine: {bytes: bytes(text), metadata: null},
	lifetime: 'keep',
	origin: 'edit',
	...rest,
});

const createDelete = (base: Proposal['base']): Proposal => ({
	kind: 'delete',
	key: 'k',
	base,
	origin: 'delete',
});

function storeWith(stored: StoredValue | undefined): MemoryStore {
	const store = new MemoryStore();
	if (stored) store.stored.set('k', stored);
	return store;
}

describe('a whole key', () => {
	test('has a value, expiry and metadata, and is undefined if the key does not exist', async () => {
		const store = storeWith({bytes: bytes('v'), expiration: now, metadata: {a: 1}});
		expect(await readWholeKey(store, 'k', neverAborted)).toEqual(
			createWholeKey('v', {expiration: now, metadata: {a: 1}}),
		);
		expect(await readWholeKey(store, 'other', neverAborted)).toBeUndefined();
		expect(await readWholeKey(storeWith({bytes: bytes('v')}), 'k', neverAborted)).toEqual(
			createWholeKey('v'),
		);
	});

	const wholeKey = createWholeKey('v', {expiration: now, metadata: {a: 1, b: 2}});
	test.each<[string, WholeKey, boolean]>([
		['the same', createWholeKey('v', {expiration: now, metadata: {b: 2, a: 1}}), true],
		['another value', {...wholeKey, bytes: bytes('w')}, false],
		['another expiry', {...wholeKey, expiration: now + 1}, false],
		['no expiration', createWholeKey('v', {metadata: {a: 1, b: 2}}), false],
		['other metadata', {...wholeKey, metadata: {a: 1}}, false],
		['no metadata', {...wholeKey, metadata: null}, false],
	])('is compared with %s, each as a whole key or as a digest', (_what, other, same) => {
		expect([
			isSameState(wholeKey, other),
			isSameState(digestKey(wholeKey), other),
			isSameState(wholeKey, digestKey(other)),
			isSameState(digestKey(wholeKey), digestKey(other)),
		]).toEqual([same, same, same, same]);
	});
});

describe('check', () => {
	test.each<[string, Proposal, StoredValue | undefined, string]>([
		['what is stored is the base', createPut('mine'), {bytes: bytes('base')}, 'unchanged'],
		[
			'the same by its digest',
			createPut('mine', {base: digestKey(createWholeKey('base'))}),
			{bytes: bytes('base')},
			'unchanged',
		],
		['there was no key, and there is none', createPut('mine', {base: undefined}), undefined, 'unchanged'],
		['another value is stored', createPut('mine'), {bytes: bytes('theirs')}, 'changed'],
		['other metadata is stored', createPut('mine'), {bytes: bytes('base'), metadata: {a: 1}}, 'changed'],
		['another expiry is stored', createPut('mine'), {bytes: bytes('base'), expiration: now}, 'changed'],
		['the key is gone', createPut('mine'), undefined, 'vanished'],
		['a key has come', createPut('mine', {base: undefined}), {bytes: bytes('theirs')}, 'appeared'],
		['mine is stored already', createPut('mine'), {bytes: bytes('mine')}, 'already'],
		[
			'mine is stored with an expiry that stays',
			createPut('mine'),
			{bytes: bytes('mine'), expiration: now},
			'already',
		],
		[
			'mine is stored with an expiry it is not to have',
			createPut('mine', {lifetime: 'never'}),
			{bytes: bytes('mine'), expiration: now},
			'changed',
		],
		[
			'only the expiry changes, to what it is',
			createPut('base', {lifetime: {expiration: now}, base: createWholeKey('base')}),
			{bytes: bytes('base'), expiration: now},
			'already',
		],
		['a ttl begins anew', createPut('base', {lifetime: {ttl: 60}}), {bytes: bytes('base')}, 'unchanged'],
		[
			'the key to delete is as it was',
			createDelete(createWholeKey('base')),
			{bytes: bytes('base')},
			'unchanged',
		],
		[
			'the key to delete was changed',
			createDelete(createWholeKey('base')),
			{bytes: bytes('theirs')},
			'changed',
		],
		['the key to delete is gone', createDelete(createWholeKey('base')), undefined, 'already'],
		['a key to delete has come', createDelete(undefined), {bytes: bytes('theirs')}, 'appeared'],
	])('%s', async (_what, proposal, stored, type) => {
		const store = storeWith(stored);
		const checked = await checkProposal(store, proposal, neverAborted);
		expect(checked.type).toBe(type);
		expect(checked.stored).toEqual(await readWholeKey(store, 'k', neverAborted));
	});
});

describe('write', () => {
	const metadata = {by: 'them'};
	test.each<[string, LifetimeChoice, number | undefined]>([
		['keeps the expiry of what is stored', 'keep', now + 500],
		['removes the expiry', 'never', undefined],
		['sets another expiry', {expiration: now + 900}, now + 900],
	])('%s', async (_what, lifetime, expiration) => {
		const stored = createWholeKey('base', {expiration: now + 500, metadata});
		const store = storeWith(stored);
		const proposal = createPut('mine', {base: stored, mine: {bytes: bytes('mine'), metadata}, lifetime});
		const written = await writeProposal(store, proposal, stored, neverAborted);
		const storedAfterwards = await readWholeKey(store, 'k', neverAborted);
		expect(storedAfterwards).toEqual({
			...createWholeKey('mine', {metadata}),
			...(expiration !== undefined && {expiration}),
		});
		expect(storedAfterwards && digestKey(storedAfterwards)).toEqual(written);
	});

	test('keeps an expiry that someone else changed meanwhile, or that of the base if the key is gone', async () => {
		const base = createWholeKey('base', {expiration: now + 500});
		const theirs = createWholeKey('base', {expiration: now + 700});
		const store = storeWith(theirs);
		expect(await writeProposal(store, createPut('mine', {base}), theirs, neverAborted)).toMatchObject({
			expiration: now + 700,
		});
		store.stored.clear();
		expect(await writeProposal(store, createPut('mine', {base}), undefined, neverAborted)).toMatchObject({
			expiration: now + 500,
		});
	});

	test('deletes a key', async () => {
		const store = storeWith(createWholeKey('base'));
		expect(
			await writeProposal(store, createDelete(createWholeKey('base')), createWholeKey('base'), neverAborted),
		).toBeUndefined();
		expect(store.stored.size).toBe(0);
	});

	test('with a ttl returns a digest that a local store confirms', async () => {
		using store = openForTest({now: () => (now + 7) * 1000});
		const times = [now * 1000, (now + 20) * 1000];
		const proposal = createPut('mine', {base: undefined, lifetime: {ttl: 90}});
		const written = await writeProposal(store, proposal, undefined, neverAborted, () => times.shift() ?? 0);
		expect(await store.get('k', neverAborted)).toMatchObject({expiration: now + 97});
		expect((await checkProposal(store, createPut('next', {base: written}), neverAborted)).type).toBe(
			'unchanged',
		);
		await store.put('k', bytes('mine'), {expiration: now + 300}, neverAborted);
		expect((await checkProposal(store, createPut('next', {base: written}), neverAborted)).type).toBe(
			'changed',
		);
	});
});

describe('two writers of one key', () => {
	const state = fc.option(
		fc.record({
			text: fc.constantFrom('', 'a', 'b'),
			metadata: fc.constantFrom(null, {}, {v: 1}),
			expiration: fc.constantFrom(undefined, now, now + 1),
		}),
		{nil: undefined},
	);
	type State = {text: string; metadata: JsonValue; expiration: number | undefined} | undefined;
	const storedOf = (state: State): StoredValue | undefined =>
		state && {
			bytes: bytes(state.text),
			...(state.metadata !== null && {metadata: state.metadata}),
			...(state.expiration !== undefined && {expiration: state.expiration}),
		};
	const asText = (stored: StoredValue | undefined) =>
		JSON.stringify(stored && [[...stored.bytes], stored.metadata ?? null, stored.expiration ?? null]);

	test('never overwrite a state that differs from the base after an unchanged check', async () => {
		let unchangedCount = 0;
		let refusedCount = 0;
		const step = fc.record({theirs: fc.array(state, {maxLength: 2}), mine: state, digest: fc.boolean()});
		await fc.assert(
			fc.asyncProperty(state, fc.array(step, {minLength: 1, maxLength: 8}), async (first, steps) => {
				const store = storeWith(storedOf(first));
				for (const {theirs, mine, digest} of steps) {
					const textWhenRead = asText(store.stored.get('k'));
					const keyWhenRead = await readWholeKey(store, 'k', neverAborted);
					const base = keyWhenRead && digest ? digestKey(keyWhenRead) : keyWhenRead;
					for (const theirState of theirs) {
						const stored = storedOf(theirState);
						if (stored) store.stored.set('k', stored);
						else store.stored.delete('k');
					}
					const proposal: Proposal = mine
						? createPut(mine.text, {
								base,
								mine: {bytes: bytes(mine.text), metadata: mine.metadata},
								lifetime: mine.expiration === undefined ? 'never' : {expiration: mine.expiration},
							})
						: createDelete(base);
					const checked = await checkProposal(store, proposal, neverAborted);
					const textWhenChecked = asText(store.stored.get('k'));
					const proposedText = asText(storedOf(mine));
					if (checked.type === 'already') expect(textWhenChecked).toBe(proposedText);
					else expect(checked.type === 'unchanged').toBe(textWhenChecked === textWhenRead);
					if (checked.type !== 'unchanged') {
						refusedCount++;
						continue;
					}
					unchangedCount++;
					await writeProposal(store, proposal, checked.stored, neverAborted);
					expect(asText(store.stored.get('k'))).toBe(proposedText);
				}
			}),
			{numRuns: getRunCount(300)},
		);
		expect(Math.min(unchangedCount, refusedCount)).toBeGreaterThan(30);
	});
});

describe('limits', () => {
	test.each<[string, Proposal, string]>([
		['the key', createPut('v', {key: 'é'.repeat(257)}), '514'],
		['the key to delete', {...createDelete(undefined), key: ''}, '0'],
		[
			'the value',
			createPut('', {mine: {bytes: new Uint8Array(limits.valueBytes + 1), metadata: null}}),
			'26214401',
		],
		['the metadata', createPut('v', {mine: {bytes: bytes('v'), metadata: {a: 'x'.repeat(1017)}}}), '1025'],
		['the kind of the metadata', createPut('v', {mine: {bytes: bytes('v'), metadata: [1]}}), 'an array'],
		['a ttl', createPut('v', {lifetime: {ttl: 59}}), '59'],
		['an expiry that was typed', createPut('v', {lifetime: {expiration: now + 59}}), `${now + 59}`],
		[
			'an expiry that stays',
			createPut('v', {base: createWholeKey('v', {expiration: limits.latestExpiration + 1})}),
			`${limits.latestExpiration + 1}`,
		],
	])('of %s are reported with the figure', (_what, proposal, figure) => {
		expect(findProposalProblem(proposal, now)?.why).toContain(figure);
	});

	test.each<[string, Proposal]>([
		[
			'a value of the largest size',
			createPut('', {mine: {bytes: new Uint8Array(limits.valueBytes), metadata: {}}}),
		],
		['a ttl of a minute', createPut('v', {lifetime: {ttl: 60}})],
		['a delete', createDelete(createWholeKey('v', {expiration: now}))],
		[
			'metadata of another kind that stays as it is',
			createPut('v', {base: createWholeKey('b', {metadata: [1]}), mine: {bytes: bytes('v'), metadata: [1]}}),
		],
		[
			'metadata of another kind that an undo restores',
			createPut('v', {origin: 'undo', mine: {bytes: bytes('v'), metadata: [1]}}),
		],
	])('let %s pass', (_what, proposal) => {
		expect(findProposalProblem(proposal, now)).toBeUndefined();
	});
});

describe('an expiry to keep', () => {
	const expiring = (left: number, rest: Partial<PutProposal> = {}) =>
		createPut('v', {base: createWholeKey('base', {expiration: now + left}), ...rest});

	test('is kept without a question if at least a minute is left', () => {
		expect(findExpiryQuestion(expiring(60), now)).toBeUndefined();
		expect(findExpiryQuestion(createPut('v'), now)).toBeUndefined();
	});

	test('is questioned if less is left, and every answer gives a valid proposal', () => {
		const proposal = expiring(59);
		const question = findExpiryQuestion(proposal, now);
		expect(question?.why).toContain('59 s');
		expect(question?.answers.map(({lifetime}) => lifetime)).toEqual([{ttl: 60}, 'never', undefined]);
		expect(findProposalProblem(proposal, now)).toBeUndefined();
		for (const {lifetime} of question?.answers ?? []) {
			if (!lifetime) continue;
			const answered = {...proposal, lifetime};
			expect([findExpiryQuestion(answered, now), findProposalProblem(answered, now)]).toEqual([
				undefined,
				undefined,
			]);
		}
	});

	test('is reported as expired once it has passed', () => {
		expect(findExpiryQuestion(expiring(0), now)?.why).toContain('has expired');
	});

	test('is that of the stored key, if known', () => {
		expect(
			findExpiryQuestion(expiring(500), now, createWholeKey('theirs', {expiration: now + 10}))?.why,
		).toContain('10 s');
		expect(findExpiryQuestion(expiring(10), now, createWholeKey('theirs'))).toBeUndefined();
	});

	test('is also questioned if an undo came too late for it, but not if it was typed', () => {
		const lifetime = {expiration: now + 30};
		expect(findExpiryQuestion(createPut('v', {origin: 'undo', lifetime}), now)).toBeDefined();
		expect(findExpiryQuestion(createPut('v', {origin: 'expiry', lifetime}), now)).toBeUndefined();
	});
});
