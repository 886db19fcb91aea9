import fc from 'fast-check';
import {expect, test} from 'vitest';
import {isFailure} from '../../source/failure.ts';
import {configurationOf, type InForce} from '../../source/managed/in-force.ts';
import {type Proposal, proposeEdits} from '../../source/managed/proposal.ts';
import {viewOf} from '../../source/managed/view.ts';
import {type Configuration, fingerprint} from '../../source/migration/configuration/configuration.ts';
import type {Edit} from '../../source/migration/configuration/edits.ts';
import {sameRules} from '../../source/rulesets/difference.ts';
import {edited} from '../../source/rulesets/edit.ts';
import {managedPhase, type Ruleset, readRulesetRule} from '../../source/rulesets/ruleset.ts';
import {anyConfiguration} from '../migration/support/configurations.ts';
import {anyEdit} from '../migration/support/edits.ts';
import {runs} from '../support/full.ts';
import {stages} from './support.ts';

/** A configuration as if it were in force, each rule with an id of its own. */
function inForceOf(configuration: Configuration): InForce & {readonly ruleset: Ruleset} {
	const ruleset: Ruleset = {
		id: 'e',
		name: 'default',
		kind: 'zone',
		phase: managedPhase,
		version: '1',
		rules: configuration.rules.map((rule, index) => ({...readRulesetRule(rule), id: `r${index}`})),
	};
	const live = configurationOf(ruleset);
	return {
		zone: {...stages.complete, label: 'zone done.acme.example'},
		stage: 'complete',
		readOnly: undefined,
		ruleset,
		configuration: live,
		fingerprint: fingerprint(live),
		managed: undefined,
		managedUnread: undefined,
	};
}

/** What edits come to; `undefined` where one of them cannot be made. */
function proposalOf(inForce: InForce, edits: readonly Edit[]): Proposal | undefined {
	try {
		return proposeEdits(inForce, edits);
	} catch (error) {
		expect(isFailure(error, 'usage', 'input_malformed')).toBe(true);
		return undefined;
	}
}

test('whatever is edited, one call makes it so, and rules that stay keep their ids', () => {
	fc.assert(
		fc.property(anyConfiguration, fc.array(anyEdit, {minLength: 1, maxLength: 4}), (configuration, edits) => {
			const inForce = inForceOf(configuration);
			const {rules} = inForce.ruleset;
			const proposal = proposalOf(inForce, edits);
			if (!proposal) return;
			const wanted = proposal.after.rules.map(readRulesetRule);
			expect(sameRules(proposal.edit ? edited(rules, proposal.edit) : rules, wanted)).toBe(true);
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

test('everything in force is in the view of it', () => {
	fc.assert(
		fc.property(anyConfiguration, configuration => {
			const {rulesets, exceptions} = viewOf(inForceOf(configuration));
			const places = [...rulesets, ...exceptions]
				.map(({place}) => place)
				.toSorted((one, other) => one - other);
			expect(places).toEqual(configuration.rules.map((_, index) => index + 1));
		}),
		{numRuns: runs(300)},
	);
});
