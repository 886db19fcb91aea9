import fc from 'fast-check';
import {expect, test} from 'vitest';
import {isFailure} from '../../source/failure.ts';
import {type ManagedProposal, proposeEdits} from '../../source/managed/proposal.ts';
import {type ManagedRulesState, toConfiguration} from '../../source/managed/state.ts';
import {buildManagedView} from '../../source/managed/view.ts';
import {
	computeFingerprint,
	type ManagedConfiguration,
} from '../../source/migration/configuration/configuration.ts';
import type {ConfigurationEdit} from '../../source/migration/configuration/edits.ts';
import {areRulesEqual} from '../../source/rulesets/difference.ts';
import {applyRulesetEdit} from '../../source/rulesets/edit.ts';
import {managedPhase, type Ruleset, readRulesetRule} from '../../source/rulesets/ruleset.ts';
import {anyConfiguration} from '../migration/support/configurations.ts';
import {anyEdit} from '../migration/support/edits.ts';
import {getRunCount} from '../support/full.ts';
import {sampleZonesByStage} from './support.ts';

/** The state of a zone in which this configuration is active, each rule with an id of its own. */
function createActiveState(
	configuration: ManagedConfiguration,
): ManagedRulesState & {readonly ruleset: Ruleset} {
	const ruleset: Ruleset = {
		id: 'e',
		name: 'default',
		kind: 'zone',
		phase: managedPhase,
		version: '1',
		rules: configuration.rules.map((rule, index) => ({...readRulesetRule(rule), id: `r${index}`})),
	};
	const activeConfiguration = toConfiguration(ruleset);
	return {
		zone: {...sampleZonesByStage.complete, label: 'zone done.acme.example'},
		stage: 'complete',
		readOnlyReason: undefined,
		ruleset,
		configuration: activeConfiguration,
		fingerprint: computeFingerprint(activeConfiguration),
		catalogue: undefined,
		catalogueFailure: undefined,
	};
}

/** Proposes edits; undefined if one of them cannot be made. */
function tryProposing(
	activeState: ManagedRulesState,
	edits: readonly ConfigurationEdit[],
): ManagedProposal | undefined {
	try {
		return proposeEdits(activeState, edits);
	} catch (error) {
		expect(isFailure(error, 'usage', 'input_malformed')).toBe(true);
		return undefined;
	}
}

test('any edits are applied in one call, and remaining rules keep their ids', () => {
	fc.assert(
		fc.property(anyConfiguration, fc.array(anyEdit, {minLength: 1, maxLength: 4}), (configuration, edits) => {
			const activeState = createActiveState(configuration);
			const {rules} = activeState.ruleset;
			const proposal = tryProposing(activeState, edits);
			if (!proposal) return;
			const expectedRules = proposal.newConfiguration.rules.map(readRulesetRule);
			expect(
				areRulesEqual(proposal.edit ? applyRulesetEdit(rules, proposal.edit) : rules, expectedRules),
			).toBe(true);
			const keptIds = expectedRules.flatMap(({id}) => id ?? []);
			expect(new Set(keptIds).size).toBe(keptIds.length);
			expect(keptIds.every(id => rules.some(rule => rule.id === id))).toBe(true);
			const removedCount = edits.filter(({kind}) => kind === 'rule removed').length;
			expect(keptIds.length).toBe(rules.length - removedCount);
			const isSame = proposal.fingerprint === activeState.fingerprint;
			expect(proposal.differences.length === 0).toBe(isSame);
			if (proposal.edit === undefined)
				expect({isSame, reductions: proposal.reductions}).toEqual({isSame: true, reductions: []});
		}),
		{numRuns: getRunCount(1200)},
	);
});

test('the view shows the whole active configuration', () => {
	fc.assert(
		fc.property(anyConfiguration, configuration => {
			const {rulesets, exceptions} = buildManagedView(createActiveState(configuration));
			const positions = [...rulesets, ...exceptions]
				.map(({place}) => place)
				.toSorted((one, other) => one - other);
			expect(positions).toEqual(configuration.rules.map((_, index) => index + 1));
		}),
		{numRuns: getRunCount(300)},
	);
});
