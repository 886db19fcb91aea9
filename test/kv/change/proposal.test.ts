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
import {runs} from '../../support/full.ts';
import {bytes, never, openForTest} from '../local/temporary.ts';
import {MemoryStore} from '../support/memory-store.ts';

const now = 2_000_000_000;

const whole = (text: string, rest: Partial<WholeKey> = {}): WholeKey => ({
	bytes: bytes(text),
	metadata: null,
	...rest,
});

const put = (text: string, rest: Partial<PutProposal> = {}): PutProposal => ({
	kind: 'put',
	key: 'k',
	base: whole('base'),
	mine: {bytes: bytes(text), metadata: null},
	lifetime: 'keep',
	origin: 'edit',
	...rest,
});

const deleting = (base: Proposal['base']): Proposal => ({kind: 'delete', key: 'k', base, origin: 'delete'});

function storeWith(stored: StoredValue | undefined): MemoryStore {
	const store = new MemoryStore();
	if (stored) store.stored.set('k', stored);
	return store;
}

describe('a whole key', () => {
	test('has a value, expiry and metadata, and is undefined if the key does not exist', async () => {
		const store = storeWith({bytes: bytes('v'), expiration: now, metadata: {a: 1}});
		expect(await readWholeKey(store, 'k', never)).toEqual(whole('v', {expiration: now, metadata: {a: 1}}));
		expect(await readWholeKey(store, 'other', never)).toBeUndefined();
		expect(await readWholeKey(storeWith({bytes: bytes('v')}), 'k', never)).toEqual(whole('v'));
	});

	const one = whole('v', {expiration: now, metadata: {a: 1, b: 2}});
	test.each<[string, WholeKey, boolean]>([
		['the same', whole('v', {expiration: now, metadata: {b: 2, a: 1}}), true],
		['another value', {...one, bytes: bytes('w')}, false],
		['another expiry', {...one, expiration: now + 1}, false],
		['no expiration', whole('v', {metadata: {a: 1, b: 2}}), false],
		['other metadata', {...one, metadata: {a: 1}}, false],
		['no metadata', {...one, metadata: null}, false],
	])('is compared with %s, itself or its digest, on either side', (_what, other, same) => {
		expect([
			isSameState(one, other),
			isSameState(digestKey(one), other),
			isSameState(one, digestKey(other)),
			isSameState(digestKey(one), digestKey(other)),
		]).toEqual([same, same, same, same]);
	});
});

describe('check', () => {
	test.each<[string, Proposal, StoredValue | undefined, string]>([
		['what is stored is the base', put('mine'), {bytes: bytes('base')}, 'unchanged'],
		[
			'the same by its digest',
			put('mine', {base: digestKey(whole('base'))}),
			{bytes: bytes('base')},
			'unchanged',
		],
		['there was no key, and there is none', put('mine', {base: undefined}), undefined, 'unchanged'],
		['another value is stored', put('mine'), {bytes: bytes('theirs')}, 'changed'],
		['other metadata is stored', put('mine'), {bytes: bytes('base'), metadata: {a: 1}}, 'changed'],
		['another expiry is stored', put('mine'), {bytes: bytes('base'), expiration: now}, 'changed'],
		['the key is gone', put('mine'), undefined, 'vanished'],
		['a key has come', put('mine', {base: undefined}), {bytes: bytes('theirs')}, 'appeared'],
		['mine is stored already', put('mine'), {bytes: bytes('mine')}, 'already'],
		[
			'mine is stored with an expiry that stays',
			put('mine'),
			{bytes: bytes('mine'), expiration: now},
			'already',
		],
		[
			'mine is stored with an expiry it is not to have',
			put('mine', {lifetime: 'never'}),
			{bytes: bytes('mine'), expiration: now},
			'changed',
		],
		[
			'only the expiry changes, to what it is',
			put('base', {lifetime: {expiration: now}, base: whole('base')}),
			{bytes: bytes('base'), expiration: now},
			'already',
		],
		['a ttl begins anew', put('base', {lifetime: {ttl: 60}}), {bytes: bytes('base')}, 'unchanged'],
		['the key to delete is as it was', deleting(whole('base')), {bytes: bytes('base')}, 'unchanged'],
		['the key to delete was changed', deleting(whole('base')), {bytes: bytes('theirs')}, 'changed'],
		['the key to delete is gone', deleting(whole('base')), undefined, 'already'],
		['a key to delete has come', deleting(undefined), {bytes: bytes('theirs')}, 'appeared'],
	])('%s', async (_what, proposal, stored, type) => {
		const store = storeWith(stored);
		const checked = await checkProposal(store, proposal, never);
		expect(checked.type).toBe(type);
		expect(checked.stored).toEqual(await readWholeKey(store, 'k', never));
	});
});

describe('write', () => {
	const metadata = {by: 'them'};
	test.each<[string, LifetimeChoice, number | undefined]>([
		['keeps the expiry of what is stored', 'keep', now + 500],
		['takes it away', 'never', undefined],
		['sets another', {expiration: now + 900}, now + 900],
	])('%s', async (_what, lifetime, expiration) => {
		const stored = whole('base', {expiration: now + 500, metadata});
		const store = storeWith(stored);
		const proposal = put('mine', {base: stored, mine: {bytes: bytes('mine'), metadata}, lifetime});
		const written = await writeProposal(store, proposal, stored, never);
		const there = await readWholeKey(store, 'k', never);
		expect(there).toEqual({...whole('mine', {metadata}), ...(expiration !== undefined && {expiration})});
		expect(there && digestKey(there)).toEqual(written);
	});

	test('keeps an expiry that someone else changed meanwhile, or that of the base if the key is gone', async () => {
		const base = whole('base', {expiration: now + 500});
		const theirs = whole('base', {expiration: now + 700});
		const store = storeWith(theirs);
		expect(await writeProposal(store, put('mine', {base}), theirs, never)).toMatchObject({
			expiration: now + 700,
		});
		store.stored.clear();
		expect(await writeProposal(store, put('mine', {base}), undefined, never)).toMatchObject({
			expiration: now + 500,
		});
	});

	test('deletes a key', async () => {
		const store = storeWith(whole('base'));
		expect(await writeProposal(store, deleting(whole('base')), whole('base'), never)).toBeUndefined();
		expect(store.stored.size).toBe(0);
	});

	test('with a ttl returns a digest that a local store confirms', async () => {
		using store = openForTest({now: () => (now + 7) * 1000});
		const times = [now * 1000, (now + 20) * 1000];
		const proposal = put('mine', {base: undefined, lifetime: {ttl: 90}});
		const written = await writeProposal(store, proposal, undefined, never, () => times.shift() ?? 0);
		expect(await store.get('k', never)).toMatchObject({expiration: now + 97});
		expect((await checkProposal(store, put('next', {base: written}), never)).type).toBe('unchanged');
		await store.put('k', bytes('mine'), {expiration: now + 300}, never);
		expect((await checkProposal(store, put('next', {base: written}), never)).type).toBe('changed');
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
		let unchanged = 0;
		let refused = 0;
		const step = fc.record({theirs: fc.array(state, {maxLength: 2}), mine: state, digest: fc.boolean()});
		await fc.assert(
			fc.asyncProperty(state, fc.array(step, {minLength: 1, maxLength: 8}), async (first, steps) => {
				const store = storeWith(storedOf(first));
				for (const {theirs, mine, digest} of steps) {
					const before = asText(store.stored.get('k'));
					const read = await readWholeKey(store, 'k', never);
					const base = read && digest ? digestKey(read) : read;
					for (const foreign of theirs) {
						const stored = storedOf(foreign);
						if (stored) store.stored.set('k', stored);
						else store.stored.delete('k');
					}
					const proposal: Proposal = mine
						? put(mine.text, {
								base,
								mine: {bytes: bytes(mine.text), metadata: mine.metadata},
								lifetime: mine.expiration === undefined ? 'never' : {expiration: mine.expiration},
							})
						: deleting(base);
					const checked = await checkProposal(store, proposal, never);
					const overwritten = asText(store.stored.get('k'));
					const wanted = asText(storedOf(mine));
					if (checked.type === 'already') expect(overwritten).toBe(wanted);
					else expect(checked.type === 'unchanged').toBe(overwritten === before);
					if (checked.type !== 'unchanged') {
						refused++;
						continue;
					}
					unchanged++;
					await writeProposal(store, proposal, checked.stored, never);
					expect(asText(store.stored.get('k'))).toBe(wanted);
				}
			}),
			{numRuns: runs(300)},
		);
		expect(Math.min(unchanged, refused)).toBeGreaterThan(30);
	});
});

describe('limits', () => {
	test.each<[string, Proposal, string]>([
		['the key', put('v', {key: 'é'.repeat(257)}), '514'],
		['the key to delete', {...deleting(undefined), key: ''}, '0'],
		[
			'the value',
			put('', {mine: {bytes: new Uint8Array(limits.valueBytes + 1), metadata: null}}),
			'26214401',
		],
		['the metadata', put('v', {mine: {bytes: bytes('v'), metadata: {a: 'x'.repeat(1017)}}}), '1025'],
		['the kind of the metadata', put('v', {mine: {bytes: bytes('v'), metadata: [1]}}), 'an array'],
		['a ttl', put('v', {lifetime: {ttl: 59}}), '59'],
		['an expiry that was typed', put('v', {lifetime: {expiration: now + 59}}), `${now + 59}`],
		[
			'an expiry that stays',
			put('v', {base: whole('v', {expiration: limits.latestExpiration + 1})}),
			`${limits.latestExpiration + 1}`,
		],
	])('of %s are reported with the figure', (_what, proposal, figure) => {
		expect(findProposalProblem(proposal, now)?.why).toContain(figure);
	});

	test.each<[string, Proposal]>([
		[
			'a value of the largest size',
			put('', {mine: {bytes: new Uint8Array(limits.valueBytes), metadata: {}}}),
		],
		['a ttl of a minute', put('v', {lifetime: {ttl: 60}})],
		['a delete', deleting(whole('v', {expiration: now}))],
		[
			'metadata of another kind that stays as it is',
			put('v', {base: whole('b', {metadata: [1]}), mine: {bytes: bytes('v'), metadata: [1]}}),
		],
		['the same that comes back', put('v', {origin: 'undo', mine: {bytes: bytes('v'), metadata: [1]}})],
	])('let %s pass', (_what, proposal) => {
		expect(findProposalProblem(proposal, now)).toBeUndefined();
	});
});

describe('an expiry to keep', () => {
	const expiring = (left: number, rest: Partial<PutProposal> = {}) =>
		put('v', {base: whole('base', {expiration: now + left}), ...rest});

	test('is kept without a question from one minute on', () => {
		expect(findExpiryQuestion(expiring(60), now)).toBeUndefined();
		expect(findExpiryQuestion(put('v'), now)).toBeUndefined();
	});

	test('is questioned if less is left, and every answer gives a valid proposal', () => {
		const proposal = expiring(59);
		const asked = findExpiryQuestion(proposal, now);
		expect(asked?.why).toContain('59 s');
		expect(asked?.answers.map(({lifetime}) => lifetime)).toEqual([{ttl: 60}, 'never', undefined]);
		expect(findProposalProblem(proposal, now)).toBeUndefined();
		for (const {lifetime} of asked?.answers ?? []) {
			if (!lifetime) continue;
			const answered = {...proposal, lifetime};
			expect([findExpiryQuestion(answered, now), findProposalProblem(answered, now)]).toEqual([
				undefined,
				undefined,
			]);
		}
	});

	test('is reported as passed when it has', () => {
		expect(findExpiryQuestion(expiring(0), now)?.why).toContain('has expired');
	});

	test('is that of the stored key, if known', () => {
		expect(findExpiryQuestion(expiring(500), now, whole('theirs', {expiration: now + 10}))?.why).toContain(
			'10 s',
		);
		expect(findExpiryQuestion(expiring(10), now, whole('theirs'))).toBeUndefined();
	});

	test('is also questioned if an undo came too late for it, but not if it was typed', () => {
		const lifetime = {expiration: now + 30};
		expect(findExpiryQuestion(put('v', {origin: 'undo', lifetime}), now)).toBeDefined();
		expect(findExpiryQuestion(put('v', {origin: 'expiry', lifetime}), now)).toBeUndefined();
	});
});
