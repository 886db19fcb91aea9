import {describe, expect, test} from 'vitest';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import type {ConfiguredRule} from '../../../source/migration/configuration/rule-overrides.ts';
import {describeWeakenedRules} from '../../../source/migration/configuration/weakened-rules.ts';
import type {ManagedContents} from '../../../source/migration/zone/managed-contents.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {createExecuteRule} from '../support/configurations.ts';

const {platform} = managedRulesets;
const platformOn = createExecuteRule(platform.id);
const withRuleOverrides = (count: number, override: JsonObject = {enabled: false}): ConfiguredRule =>
	createExecuteRule(platform.id, {
		rules: Array.from({length: count}, (_, at) => ({id: `a${at}`, ...override})),
	});

/** Twelve rules, the last of which only logs. */
const managedContents: readonly ManagedContents[] = [
	{
		...platform,
		rules: Array.from({length: 12}, (_, at) => ({
			id: `a${at}`,
			description: `Rule ${at}`,
			categories: at < 3 ? ['wordpress'] : ['php'],
			action: at === 11 ? 'log' : 'block',
			enabled: true,
		})),
	},
];

describe('single rules that do less', () => {
	const listWeakened = (before: ConfiguredRule, after: ConfiguredRule, contents = managedContents) =>
		describeWeakenedRules({rules: [before]}, {rules: [after]}, contents);
	const challenging = withRuleOverrides(1, {action: 'managed_challenge'});

	test.each<[string, ConfiguredRule, ConfiguredRule, readonly string[]]>([
		[
			'from the default to log',
			platformOn,
			withRuleOverrides(1, {action: 'log'}),
			['Managed Ruleset: "Rule 0" block → log, blocks less.'],
		],
		[
			'from the action of the ruleset to log',
			createExecuteRule(platform.id, {action: 'managed_challenge'}),
			createExecuteRule(platform.id, {action: 'managed_challenge', rules: [{id: 'a0', action: 'log'}]}),
			['Managed Ruleset: "Rule 0" managed challenge → log, blocks less.'],
		],
		[
			'from block to a challenge',
			platformOn,
			challenging,
			['Managed Ruleset: "Rule 0" block → managed challenge, challenges instead of blocking.'],
		],
		[
			'off',
			challenging,
			withRuleOverrides(1),
			['Managed Ruleset: "Rule 0" managed challenge → off, blocks less.'],
		],
		[
			'from log to off',
			platformOn,
			createExecuteRule(platform.id, {rules: [{id: 'a11', enabled: false}]}),
			['Managed Ruleset: "Rule 11" log → off, logs less.'],
		],
		[
			'and are many',
			platformOn,
			withRuleOverrides(4),
			['Managed Ruleset: 4 rules block → off, blocks less.'],
		],
		[
			'and challenge with their ruleset',
			platformOn,
			createExecuteRule(platform.id, {action: 'managed_challenge'}),
			['Managed Ruleset: 11 rules block → managed challenge, challenges instead of blocking.'],
		],
		[
			'not if a reduction names their category',
			platformOn,
			createExecuteRule(platform.id, {categories: [{category: 'php', enabled: false}]}),
			[],
		],
		['not if they do more', withRuleOverrides(1, {action: 'log'}), platformOn, []],
	])('are named: %s', (_what, before, after, sentences) => {
		expect(listWeakened(before, after)).toEqual(sentences);
	});

	test('are named by id if the ruleset could not be read', () => {
		expect(listWeakened(platformOn, withRuleOverrides(1, {action: 'log'}), [])).toEqual([
			'Managed Ruleset: rule a0 its default → log, blocks less.',
		]);
	});
});
