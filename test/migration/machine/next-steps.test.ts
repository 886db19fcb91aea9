import {describe, expect, test} from 'vitest';
import {
	createNotAllowedFailure,
	getMigrationAdvice,
	listNextActions,
	type MigrationProgress,
} from '../../../source/migration/machine/next-steps.ts';
import {migrationStates} from '../../../source/migration/machine/states.ts';

const zone = {name: 'one.example'};
const reviewedFingerprint = 'a'.repeat(16);
const reviewed = {fingerprint: reviewedFingerprint, proposed: undefined, rules: 2, at: 1};
const before = {stage: 'previous', version: undefined, fingerprint: undefined} as const;
const createAcceptedPut = (fingerprint: string) =>
	({mode: 'validation', fingerprint, at: 1, before, came: 'accepted'}) as const;
const listCommands = (progress: MigrationProgress) =>
	listNextActions(zone, progress).map(({words}) => words.join(' '));

describe('the next step', () => {
	test.each([
		['validation', 'validate'],
		['pending', 'deploy'],
	] as const)('after a review for %s is %s of exactly that configuration', (goal, word) => {
		expect(listCommands({state: 'reviewed', goal, reviewed})).toEqual([
			`${word} --fingerprint ${reviewedFingerprint} --confirm one.example`,
		]);
	});

	test('in validation is the deployment, after a look at the activity log', () => {
		const [first] = listNextActions(zone, {
			state: 'validating',
			goal: 'validation',
			reviewed,
			put: createAcceptedPut(reviewedFingerprint),
		});
		expect(first?.words[0]).toBe('deploy');
		expect(first?.says).toMatch(/activity log.*Ready to update\?/);
	});

	test('in validation with another configuration reviewed is its validation', () => {
		const put = createAcceptedPut('b'.repeat(16));
		expect(listCommands({state: 'validating', goal: 'validation', reviewed, put})[0]).toMatch(/^validate /);
		expect(listCommands({state: 'validating', goal: 'pending', reviewed, put})[0]).toMatch(/^deploy /);
	});

	test('is never a PUT if nothing was reviewed', () => {
		for (const state of ['unread', 'eligible', 'validating unreviewed', 'reviewed'] as const)
			expect(listCommands({state}), state).toEqual(['plan']);
	});

	test.each(
		migrationStates,
	)('in "%s" is the same in the list as in the failure of a refused action', state => {
		const progress = {state, reviewed, goal: 'pending'} as const;
		expect(listNextActions(zone, progress)).not.toEqual([]);
		// `validating` needs a decision of a person, `unknown stage` needs support: neither is a command.
		if (state === 'validating' || state === 'unknown stage') return;
		expect(createNotAllowedFailure(zone, progress, 'This').details.next).toEqual(
			getMigrationAdvice(zone, progress),
		);
	});
});
