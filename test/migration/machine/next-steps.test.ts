import {describe, expect, test} from 'vitest';
import {
	createNotAllowedFailure,
	getMigrationAdvice,
	listNextActions,
	type MigrationProgress,
} from '../../../source/migration/machine/next-steps.ts';
import {migrationStates} from '../../../source/migration/machine/states.ts';

const zone = {name: 'one.example'};
const digits = 'a'.repeat(16);
const reviewed = {fingerprint: digits, proposed: undefined, rules: 2, at: 1};
const before = {stage: 'previous', version: undefined, fingerprint: undefined} as const;
const validated = (fingerprint: string) =>
	({mode: 'validation', fingerprint, at: 1, before, came: 'accepted'}) as const;
const line = (standing: MigrationProgress) =>
	listNextActions(zone, standing).map(({words}) => words.join(' '));

describe('the next step', () => {
	test.each([
		['validation', 'validate'],
		['pending', 'deploy'],
	] as const)('after a review for %s is %s of exactly that configuration', (goal, word) => {
		expect(line({state: 'reviewed', goal, reviewed})).toEqual([
			`${word} --fingerprint ${digits} --confirm one.example`,
		]);
	});

	test('in validation is a look at its effect, before the irreversible step', () => {
		const [first] = listNextActions(zone, {
			state: 'validating',
			goal: 'validation',
			reviewed,
			put: validated(digits),
		});
		expect(first?.words[0]).toBe('deploy');
		expect(first?.says).toMatch(/activity log.*Ready to update\?/);
	});

	test('in validation with another configuration reviewed is its validation', () => {
		const put = validated('b'.repeat(16));
		expect(line({state: 'validating', goal: 'validation', reviewed, put})[0]).toMatch(/^validate /);
		expect(line({state: 'validating', goal: 'pending', reviewed, put})[0]).toMatch(/^deploy /);
	});

	test('is never a PUT if nothing was reviewed', () => {
		for (const state of ['unread', 'eligible', 'validating unreviewed', 'reviewed'] as const)
			expect(line({state}), state).toEqual(['plan']);
	});

	test.each(
		migrationStates,
	)('in "%s" is the same in the list as in the failure of a refused action', state => {
		const standing = {state, reviewed, goal: 'pending'} as const;
		expect(listNextActions(zone, standing)).not.toEqual([]);
		// A person says it, and support tells: neither is a command.
		if (state === 'validating' || state === 'unknown stage') return;
		expect(createNotAllowedFailure(zone, standing, 'This').details.next).toEqual(
			getMigrationAdvice(zone, standing),
		);
	});
});
