import {expect, test} from 'vitest';
import {Failure} from '../../source/failure.ts';
import {runStoppable} from '../../source/text/run-stoppable.ts';

const tooLong = () => {
	throw new Error('too long');
};

test('work returns and throws as usual', () => {
	const given = {};
	expect(runStoppable(() => given, 1000, tooLong)).toBe(given);
	const failure = new Failure('usage', 'wrong');
	expect(() =>
		runStoppable(
			() => {
				throw failure;
			},
			1000,
			tooLong,
		),
	).toThrow(failure);
});

test('endless work is stopped, and the fallback answers', () => {
	expect(
		runStoppable(
			() => /^(a+)+$/.test(`${'a'.repeat(60)}b`),
			20,
			() => false,
		),
	).toBe(false);
});
