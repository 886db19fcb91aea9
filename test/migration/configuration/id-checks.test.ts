import {describe, expect, test} from 'vitest';
import {checkConfiguration} from '../../../source/migration/configuration/checks.ts';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import type {ConfiguredRule} from '../../../source/migration/configuration/rule-overrides.ts';
import type {ManagedContents} from '../../../source/migration/zone/managed-contents.ts';
import {configurationOf} from '../support/configurations.ts';

const {platform, owasp} = managedRulesets;
const known = 'a'.repeat(32);
const unknown = 'b'.repeat(32);
const managed: readonly ManagedContents[] = [
	{
		...platform,
		rules: [{id: known, description: 'one', categories: ['wordpress'], action: 'block', enabled: true}],
	},
	// One whose rules cannot be read.
	{...owasp},
];

const execute = (id: string, overrides = {}): ConfiguredRule => ({
	action: 'execute',
	expression: 'true',
	action_parameters: {id, overrides},
});
const skip = (parameters: object): ConfiguredRule => ({
	action: 'skip',
	expression: 'true',
	action_parameters: {...parameters},
});
const errors = (rules: readonly ConfiguredRule[], proposed: readonly ConfiguredRule[] = [], of = managed) =>
	checkConfiguration(
		configurationOf(...rules),
		{name: 'example.com', plan: 'enterprise'},
		configurationOf(...proposed),
		of,
	)
		.filter(({severity}) => severity === 'error')
		.map(({sentence}) => sentence);

describe('an id missing from the managed rulesets of the zone', () => {
	test.each([
		['of a rule that is overridden', execute(platform.id, {rules: [{id: unknown, action: 'log'}]}), unknown],
		['of a category', execute(platform.id, {categories: [{category: 'joomla', enabled: false}]}), 'joomla'],
		['of a rule that is skipped', skip({rules: {[platform.id]: [known, unknown]}}), unknown],
		['of a ruleset that is skipped', skip({rulesets: [unknown]}), unknown],
		['of a ruleset that is executed', execute(unknown), unknown],
	])('%s is an error', (_what, rule, id) => {
		expect(errors([rule])).toEqual([expect.stringContaining(id)]);
	});

	test('is no error if the service proposes it, even in an edited rule', () => {
		const rule = execute(platform.id, {rules: [{id: unknown, action: 'log'}]});
		const edited = {...rule, description: 'edited'};
		expect(errors([edited], [rule])).toEqual([]);
	});

	test('is no error if the contents of the ruleset are unknown', () => {
		const rule = execute(owasp.id, {rules: [{id: unknown, action: 'log'}]});
		expect(errors([rule])).toEqual([]);
		expect(errors([execute(platform.id, {rules: [{id: unknown}]})], [], [])).toEqual([]);
	});
});

test('ids in the managed rulesets are accepted', () => {
	const rules = [
		skip({rules: {[platform.id]: [known]}}),
		skip({rulesets: [platform.id]}),
		execute(platform.id, {
			rules: [{id: known, action: 'log'}],
			categories: [{category: 'wordpress', enabled: false}],
		}),
	];
	expect(errors(rules)).toEqual([]);
});
