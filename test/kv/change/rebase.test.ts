import {expect, test} from 'vitest';
import type {PutProposal} from '../../../source/kv/change/proposal.ts';
import {rebaseProposal} from '../../../source/kv/change/rebase.ts';
import {digestKey, type WholeKey} from '../../../source/kv/change/whole-key.ts';
import {bytes} from '../local/temporary.ts';

const base: WholeKey = {bytes: bytes('base'), metadata: {v: 1}, expiration: 1000};

const createProposal = (mine: Partial<WholeKey>, rest: Partial<PutProposal> = {}): PutProposal => ({
	kind: 'put',
	key: 'k',
	base,
	mine: {bytes: base.bytes, metadata: base.metadata, ...mine},
	lifetime: 'keep',
	origin: 'edit',
	...rest,
});

test.each([
	['the whole base', base],
	['its digest', digestKey(base)],
])("parts changed by one side keep that side's change, compared with %s", (_what, baseOrDigest) => {
	const stored: WholeKey = {...base, metadata: {v: 2}, expiration: 2000};
	expect(rebaseProposal(createProposal({bytes: bytes('mine')}, {base: baseOrDigest}), stored)).toEqual({
		type: 'rebased',
		theirParts: ['metadata', 'expiry'],
		myParts: ['value'],
		proposal: createProposal({bytes: bytes('mine'), metadata: {v: 2}}, {base: stored}),
	});
	const theirs: WholeKey = {...base, bytes: bytes('theirs')};
	const mine = createProposal({metadata: null}, {base: baseOrDigest, lifetime: 'never', origin: 'metadata'});
	expect(rebaseProposal(mine, theirs)).toEqual({
		type: 'rebased',
		theirParts: ['value'],
		myParts: ['metadata', 'expiry'],
		proposal: {...mine, base: theirs, mine: {bytes: theirs.bytes, metadata: null}},
	});
});

test('parts that both changed differently are a conflict', () => {
	const stored: WholeKey = {bytes: bytes('theirs'), metadata: {v: 2}, expiration: 2000};
	const mine = {bytes: bytes('mine'), metadata: {v: 3}};
	expect(rebaseProposal(createProposal(mine, {lifetime: {ttl: 60}}), stored)).toEqual({
		type: 'conflict',
		parts: ['value', 'metadata', 'expiry'],
		theirParts: [],
	});
	expect(
		rebaseProposal(createProposal(mine, {lifetime: {expiration: 3000}}), {...base, expiration: 2000}),
	).toEqual({
		type: 'conflict',
		parts: ['expiry'],
		theirParts: [],
	});
	// They have also changed what is not changed here.
	expect(rebaseProposal(createProposal({metadata: {v: 3}}), stored)).toMatchObject({
		type: 'conflict',
		parts: ['metadata'],
		theirParts: ['value', 'expiry'],
	});
	expect(rebaseProposal(createProposal(mine, {base: undefined}), stored)).toEqual({
		type: 'conflict',
		parts: ['value', 'metadata'],
		theirParts: ['expiry'],
	});
});

test('parts that both changed in the same way are no conflict', () => {
	const stored: WholeKey = {bytes: bytes('same'), metadata: {v: 2}, expiration: 2000};
	const mine = createProposal({bytes: bytes('same'), metadata: {v: 2}}, {lifetime: {expiration: 2000}});
	expect(rebaseProposal(mine, stored)).toEqual({
		type: 'rebased',
		theirParts: [],
		myParts: ['value', 'metadata', 'expiry'],
		proposal: {...mine, base: stored},
	});
});

test.each([
	['never', undefined],
	['a time', 1000],
])('an undo to the expiry that its base has changes no expiry: %s', (_what, expiration) => {
	const lifetime = expiration === undefined ? 'never' : {expiration};
	const {bytes: value, metadata} = base;
	const written: WholeKey = {bytes: value, metadata, ...(expiration !== undefined && {expiration})};
	const undo = createProposal({bytes: bytes('earlier')}, {base: written, lifetime, origin: 'undo'});
	expect(rebaseProposal(undo, {...written, metadata: {v: 2}})).toMatchObject({
		theirParts: ['metadata'],
		myParts: ['value'],
		proposal: {lifetime},
	});
	expect(rebaseProposal(undo, {...written, expiration: 2000})).toMatchObject({
		theirParts: ['expiry'],
		myParts: ['value'],
		proposal: {lifetime: 'keep'},
	});
});

test('an undo that removes an expiry is mine, and a conflict with another one', () => {
	const undo = createProposal({}, {lifetime: 'never', origin: 'undo'});
	expect(rebaseProposal(undo, {...base, metadata: {v: 2}})).toMatchObject({
		theirParts: ['metadata'],
		myParts: ['expiry'],
		proposal: {lifetime: 'never'},
	});
	expect(rebaseProposal(undo, {...base, expiration: 2000})).toMatchObject({
		type: 'conflict',
		parts: ['expiry'],
	});
});

test('a merged value is used', () => {
	const stored: WholeKey = {...base, bytes: bytes('theirs'), metadata: {v: 2}};
	expect(rebaseProposal(createProposal({bytes: bytes('mine')}), stored, bytes('merged'))).toEqual({
		type: 'rebased',
		theirParts: ['metadata'],
		myParts: ['value'],
		proposal: createProposal({bytes: bytes('merged'), metadata: {v: 2}}, {base: stored}),
	});
});
