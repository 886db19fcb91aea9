import {describe, expect, test} from 'vitest';
import {checkConfiguration} from '../../../source/migration/configuration/checks.ts';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import type {ConfiguredRule} from '../../../source/migration/configuration/rule-overrides.ts';
import type {ManagedContents} from '../../../source/migration/zone/managed-contents.ts';
import {configurationOf} from '../support/configurations.ts';

const {platform, owasp} = managedRulesets;
const knownRuleId = 'a'.repeat(32);
const unknownId = 'b'.repeat(32);
const managedContents: readonly ManagedContents[] = [
	{
		...platform,
		rules: [{id: knownRuleId, description: 'one', categories: ['wordpress'], action: 'block', enabled: true}],
	},
	// A ruleset whose rules could not be read.
	{...owasp},
];

const createOverridingRule = (id: string, overrides = {}): ConfiguredRule => ({
	action: 'execute',
	expression: 'true',
	action_parameters: {id, overrides},
});
const createSkippingRule = (parameters: object): ConfiguredRule => ({
	action: 'skip',
	expression: 'true',
	action_parameters: {...parameters},
});
const listErrors = (
	rules: readonly ConfiguredRule[],
	proposed: readonly ConfiguredRule[] = [],
	contents = managedContents,
) =>
	checkConfiguration(
		configurationOf(...rules),
		{name: 'example.com', plan: 'enterprise'},
		configurationOf(...proposed),
		contents,
	)
		.filter(({severity}) => severity === 'error')
		.map(({sentence}) => sentence);

describe('an id missing from the managed rulesets of the zone', () => {
	test.each([
		[
			'of a rule that is overridden',
			createOverridingRule(platform.id, {rules: [{id: unknownId, action: 'log'}]}),
			unknownId,
		],
		[
			'of a category',
			createOverridingRule(platform.id, {categories: [{category: 'joomla', enabled: false}]}),
			'joomla',
		],
		[
			'of a rule that is skipped',
			createSkippingRule({rules: {[platform.id]: [knownRuleId, unknownId]}}),
			unknownId,
		],
		['of a ruleset that is skipped', createSkippingRule({rulesets: [unknownId]}), unknownId],
		['of a ruleset that is executed', createOverridingRule(unknownId), unknownId],
	])('%s is an error', (_what, rule, id) => {
		expect(listErrors([rule])).toEqual([expect.stringContaining(id)]);
	});

	test('is no error if the service proposes it, even in an edited rule', () => {
		const rule = createOverridingRule(platform.id, {rules: [{id: unknownId, action: 'log'}]});
		const edited = {...rule, description: 'edited'};
		expect(listErrors([edited], [rule])).toEqual([]);
	});

	test('is no error if the contents of the ruleset are unknown', () => {
		const rule = createOverridingRule(owasp.id, {rules: [{id: unknownId, action: 'log'}]});
		expect(listErrors([rule])).toEqual([]);
		expect(listErrors([createOverridingRule(platform.id, {rules: [{id: unknownId}]})], [], [])).toEqual([]);
	});
});

test('ids in the managed rulesets are accepted', () => {
	const rules = [
		createSkippingRule({rules: {[platform.id]: [knownRuleId]}}),
		createSkippingRule({rulesets: [platform.id]}),
		createOverridingRule(platform.id, {
			rules: [{id: knownRuleId, action: 'log'}],
			categories: [{category: 'wordpress', enabled: false}],
		}),
	];
	expect(listErrors(rules)).toEqual([]);
});
