import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {withExistingIds} from '../../source/managed/assign-ids.ts';
import {toConfiguration} from '../../source/managed/state.ts';
import {omitServiceFields} from '../../source/migration/configuration/configuration.ts';
import {managedRulesets} from '../../source/migration/configuration/mapping.ts';
import type {ConfiguredRule} from '../../source/migration/configuration/rule-overrides.ts';
import {computeRulesetEdit} from '../../source/rulesets/edit.ts';
import {readRulesetRule} from '../../source/rulesets/ruleset.ts';
import {
	anyConfiguration,
	configurationOf,
	createExecuteRule,
	createSkipRule,
} from '../migration/support/configurations.ts';
import {getRunCount} from '../support/full.ts';

const {platform, owasp} = managedRulesets;
const withId = (id: string, rule: ConfiguredRule): ConfiguredRule => ({id, ...rule});
const activeConfiguration = configurationOf(
	withId('s1', createSkipRule('ssl')),
	withId('p1', createExecuteRule(platform.id)),
	withId('o1', createExecuteRule(owasp.id)),
);
const getAssignedIds = (...rules: readonly ConfiguredRule[]) =>
	withExistingIds(activeConfiguration, configurationOf(...rules)).rules.map(({id}) => id);

describe('rules of a file keep the ids of the active rules', () => {
	test('when the file names the ids, in any order', () => {
		expect(
			getAssignedIds(withId('o1', createExecuteRule(owasp.id)), withId('s1', createSkipRule('not ssl'))),
		).toEqual(['o1', 's1']);
	});

	test('when an active rule is equal, or has the same ruleset, expression or description', () => {
		expect(
			getAssignedIds(
				createExecuteRule(owasp.id, {action: 'log'}),
				createSkipRule('ssl', {rulesets: [owasp.id]}),
				createExecuteRule(platform.id),
			),
		).toEqual(['o1', 's1', 'p1']);
	});

	test('but new rules get no id, even if the file gives them one', () => {
		expect(
			getAssignedIds(withId('x9', createSkipRule('http.host eq "a"')), createExecuteRule(platform.id)),
		).toEqual([undefined, 'p1']);
		expect(getAssignedIds({...createExecuteRule(owasp.id), id: ''})).toEqual(['o1']);
	});

	test('but the same id is refused for two rules', () => {
		expect(() =>
			getAssignedIds(withId('o1', createExecuteRule(owasp.id)), withId('o1', createSkipRule('ssl'))),
		).toThrow(/two rules have the id/i);
	});

	test('and their ref is kept with the id', () => {
		const configurationWithRef = configurationOf({id: 'p1', ref: 'mine', ...createExecuteRule(platform.id)});
		expect(
			withExistingIds(configurationWithRef, configurationOf(createExecuteRule(platform.id))).rules[0],
		).toMatchObject({
			ref: 'mine',
		});
	});
});

test('the active configuration, written to a file without ids, needs no change', () => {
	fc.assert(
		fc.property(anyConfiguration, configuration => {
			const rules = configuration.rules.map((rule, index) => ({...readRulesetRule(rule), id: `r${index}`}));
			const configurationWithIds = toConfiguration({
				id: 'e',
				name: 'default',
				kind: 'zone',
				phase: 'x',
				version: '1',
				rules,
			});
			const reassigned = withExistingIds(configurationWithIds, omitServiceFields(configurationWithIds));
			// Equal rules may swap positions, which has no effect.
			expect(new Set(reassigned.rules.map(({id}) => id))).toEqual(new Set(rules.map(({id}) => id)));
			expect(computeRulesetEdit(rules, reassigned.rules.map(readRulesetRule))).toBeUndefined();
		}),
		{numRuns: getRunCount(300)},
	);
});
