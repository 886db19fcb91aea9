import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {withExistingIds} from '../../source/managed/assign-ids.ts';
import {toConfiguration as ofRuleset} from '../../source/managed/state.ts';
import {omitServiceFields} from '../../source/migration/configuration/configuration.ts';
import {managedRulesets} from '../../source/migration/configuration/mapping.ts';
import type {ConfiguredRule} from '../../source/migration/configuration/rule-overrides.ts';
import {computeRulesetEdit} from '../../source/rulesets/edit.ts';
import {readRulesetRule} from '../../source/rulesets/ruleset.ts';
import {anyConfiguration, configurationOf, execute, skip} from '../migration/support/configurations.ts';
import {runs} from '../support/full.ts';

const {platform, owasp} = managedRulesets;
const withId = (id: string, rule: ConfiguredRule): ConfiguredRule => ({id, ...rule});
const live = configurationOf(
	withId('s1', skip('ssl')),
	withId('p1', execute(platform.id)),
	withId('o1', execute(owasp.id)),
);
const ids = (...rules: readonly ConfiguredRule[]) =>
	withExistingIds(live, configurationOf(...rules)).rules.map(({id}) => id);

describe('rules of a file keep the ids of the active rules', () => {
	test('when the file names the ids, in any order', () => {
		expect(ids(withId('o1', execute(owasp.id)), withId('s1', skip('not ssl')))).toEqual(['o1', 's1']);
	});

	test('when an active rule says the same, executes the same, or has the same expression or description', () => {
		expect(
			ids(execute(owasp.id, {action: 'log'}), skip('ssl', {rulesets: [owasp.id]}), execute(platform.id)),
		).toEqual(['o1', 's1', 'p1']);
	});

	test('but new rules get no id, even if the file gives them one', () => {
		expect(ids(withId('x9', skip('http.host eq "a"')), execute(platform.id))).toEqual([undefined, 'p1']);
		expect(ids({...execute(owasp.id), id: ''})).toEqual(['o1']);
	});

	test('but the same id is refused for two rules', () => {
		expect(() => ids(withId('o1', execute(owasp.id)), withId('o1', skip('ssl')))).toThrow(
			/two rules have the id/i,
		);
	});

	test('and their ref is kept with the id', () => {
		const referred = configurationOf({id: 'p1', ref: 'mine', ...execute(platform.id)});
		expect(withExistingIds(referred, configurationOf(execute(platform.id))).rules[0]).toMatchObject({
			ref: 'mine',
		});
	});
});

test('the active configuration, written to a file without ids, needs no change', () => {
	fc.assert(
		fc.property(anyConfiguration, configuration => {
			const rules = configuration.rules.map((rule, index) => ({...readRulesetRule(rule), id: `r${index}`}));
			const inForce = ofRuleset({id: 'e', name: 'default', kind: 'zone', phase: 'x', version: '1', rules});
			const again = withExistingIds(inForce, omitServiceFields(inForce));
			// Rules that say the same may change places, which changes nothing.
			expect(new Set(again.rules.map(({id}) => id))).toEqual(new Set(rules.map(({id}) => id)));
			expect(computeRulesetEdit(rules, again.rules.map(readRulesetRule))).toBeUndefined();
		}),
		{numRuns: runs(300)},
	);
});
