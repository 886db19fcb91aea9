import {expect, test} from 'vitest';
import {Failure} from '../../../source/failure.ts';
import {search} from '../../../source/kv/transfer/search.ts';
import {stoppable} from '../../../source/kv/transfer/stoppable.ts';
import {MemoryStore} from '../support/memory-store.ts';
import {failureOf} from '../support/workspace.ts';

const tooLong = () => new Failure('timed_out', 'too long');

test('work gives what it gives, and fails with what it fails with', () => {
	const given = {};
	expect(stoppable(() => given, 1000, tooLong)).toBe(given);
	const failure = new Failure('usage', 'wrong');
	expect(() =>
		stoppable(
			() => {
				throw failure;
			},
			1000,
			tooLong,
		),
	).toThrow(failure);
});

test.each([
	'names',
	'values',
] as const)('an expression that comes to no end in %s is stopped', async within => {
	const store = new MemoryStore();
	const endless = `${'a'.repeat(60)}b`;
	store.stored.set('before', {bytes: Buffer.from('aaa')});
	store.stored.set(within === 'names' ? endless : 'key', {bytes: Buffer.from(endless)});
	const asked = {pattern: '(a+)+$', isRegex: true, ignoresCase: false, within, patience: 50};
	const walk = async () => {
		for await (const _piece of search(store, asked, new AbortController().signal));
	};
	const failure = await failureOf(walk());
	expect(failure).toMatchObject({
		code: 'timed_out',
		message: expect.stringContaining(within === 'names' ? endless : '"key"'),
	});
});
