import fc from 'fast-check';
import {expect, test} from 'vitest';
import {proposeConfiguration} from '../../source/managed/proposal.ts';
import type {ManagedRulesState} from '../../source/managed/state.ts';
import {computeFingerprint} from '../../source/migration/configuration/configuration.ts';
import {anyPair, configured, contents, type Model, wantsName, zoneName} from './protection-oracle.ts';

const pairs = 2000;

function inForceOf(model: Model, isRead: boolean): ManagedRulesState {
	const configuration = {name: 'default', rules: configured(model)};
	return {
		zone: {id: '7b3a9d2e6c5f4e1a8d7b0c1d2e3f4a74', name: zoneName, plan: 'enterprise', label: zoneName},
		stage: 'complete',
		readOnlyReason: undefined,
		ruleset: undefined,
		configuration,
		fingerprint: computeFingerprint(configuration),
		catalogue: isRead ? contents : undefined,
		catalogueFailure: undefined,
	};
}

test('among 2,000 random changes, exactly those that reduce protection ask for the zone name', {
	timeout: 300_000,
}, () => {
	const counts = {asked: 0, all: 0};
	fc.assert(
		fc.property(anyPair, fc.boolean(), ([before, after], isRead) => {
			const {reductions} = proposeConfiguration(inForceOf(before, isRead), {
				name: 'default',
				rules: configured(after),
			});
			const isWanted = wantsName(before, after, isRead);
			expect({isAsked: reductions.length > 0, reductions}).toMatchObject({isAsked: isWanted});
			counts.all++;
			if (isWanted) counts.asked++;
		}),
		{numRuns: pairs},
	);
	expect(counts.all).toBe(pairs);
	// Neither answer is the exception.
	expect(Math.min(counts.asked, pairs - counts.asked)).toBeGreaterThan(pairs / 5);
});
