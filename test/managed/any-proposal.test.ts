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
import {runs} from '../support/full.ts';
import {stages} from './support.ts';

/** A configuration as if it were in force, each rule with an id of its own. */
function inForceOf(configuration: ManagedConfiguration): ManagedRulesState & {readonly ruleset: Ruleset} {
	const ruleset: Ruleset = {
		id: 'e',
		name: 'default',
		kind: 'zone',
		phase: managedPhase,
		version: '1',
		rules: configuration.rules.map((rule, index) => ({...readRulesetRule(rule), id: `r${index}`})),
	};
	const live = toConfiguration(ruleset);
	return {
		zone: {...stages.complete, label: 'zone done.acme.example'},
		stage: 'complete',
		readOnlyReason: undefined,
		ruleset,
		configuration: live,
		fingerprint: computeFingerprint(live),
		catalogue: undefined,
		catalogueFailure: undefined,
	};
}

/** What edits come to; `undefined` where one of them cannot be made. */
function proposalOf(
	inForce: ManagedRulesState,
	edits: readonly ConfigurationEdit[],
): ManagedProposal | undefined {
	try {
		return proposeEdits(inForce, edits);
	} catch (error) {
		expect(isFailure(error, 'usage', 'input_malformed')).toBe(true);
		return undefined;
	}
}

test('any edits are applied in one call, and remaining rules keep their ids', () => {
	fc.assert(
		fc.property(anyConfiguration, fc.array(anyEdit, {minLength: 1, maxLength: 4}), (configuration, edits) => {
			const inForce = inForceOf(configuration);
			const {rules} = inForce.ruleset;
			const proposal = proposalOf(inForce, edits);
			if (!proposal) return;
			const wanted = proposal.newConfiguration.rules.map(readRulesetRule);
			expect(areRulesEqual(proposal.edit ? applyRulesetEdit(rules, proposal.edit) : rules, wanted)).toBe(
				true,
			);
			const kept = wanted.flatMap(({id}) => id ?? []);
			expect(new Set(kept).size).toBe(kept.length);
			expect(kept.every(id => rules.some(rule => rule.id === id))).toBe(true);
			const gone = edits.filter(({kind}) => kind === 'rule removed').length;
			expect(kept.length).toBe(rules.length - gone);
			const isSame = proposal.fingerprint === inForce.fingerprint;
			expect(proposal.differences.length === 0).toBe(isSame);
			if (proposal.edit === undefined)
				expect({isSame, reductions: proposal.reductions}).toEqual({isSame: true, reductions: []});
		}),
		{numRuns: runs(1200)},
	);
});

test('the view shows the whole active configuration', () => {
	fc.assert(
		fc.property(anyConfiguration, configuration => {
			const {rulesets, exceptions} = buildManagedView(inForceOf(configuration));
			const places = [...rulesets, ...exceptions]
				.map(({place}) => place)
				.toSorted((one, other) => one - other);
			expect(places).toEqual(configuration.rules.map((_, index) => index + 1));
		}),
		{numRuns: runs(300)},
	);
});
