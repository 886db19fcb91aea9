import fc from 'fast-check';
import {expect, test} from 'vitest';
import {proposeConfiguration} from '../../source/managed/proposal.ts';
import type {ManagedRulesState} from '../../source/managed/state.ts';
import {computeFingerprint} from '../../source/migration/configuration/configuration.ts';
import {
	anyPair,
	catalogueContents,
	type Model,
	shouldRequireZoneName,
	toConfiguredRules,
	zoneName,
} from './protection-oracle.ts';

const pairCount = 2000;

function createActiveState(model: Model, isCatalogueRead: boolean): ManagedRulesState {
	const configuration = {name: 'default', rules: toConfiguredRules(model)};
	return {
		zone: {id: '7b3a9d2e6c5f4e1a8d7b0c1d2e3f4a74', name: zoneName, plan: 'enterprise', label: zoneName},
		stage: 'complete',
		readOnlyReason: undefined,
		ruleset: undefined,
		configuration,
		fingerprint: computeFingerprint(configuration),
		catalogue: isCatalogueRead ? catalogueContents : undefined,
		catalogueFailure: undefined,
	};
}

test('among 2,000 random changes, exactly those that reduce protection ask for the zone name', {
	timeout: 300_000,
}, () => {
	const counts = {asked: 0, all: 0};
	fc.assert(
		fc.property(anyPair, fc.boolean(), ([before, after], isCatalogueRead) => {
			const {reductions} = proposeConfiguration(createActiveState(before, isCatalogueRead), {
				name: 'default',
				rules: toConfiguredRules(after),
			});
			const isNameRequired = shouldRequireZoneName(before, after, isCatalogueRead);
			expect({isAsked: reductions.length > 0, reductions}).toMatchObject({isAsked: isNameRequired});
			counts.all++;
			if (isNameRequired) counts.asked++;
		}),
		{numRuns: pairCount},
	);
	expect(counts.all).toBe(pairCount);
	// Both results are common.
	expect(Math.min(counts.asked, pairCount - counts.asked)).toBeGreaterThan(pairCount / 5);
});
