import {expect, test} from 'vitest';
import {maxExpressionLength} from '../../../source/firewall/expression/expressions.ts';
import {
	formatRulesetName,
	getParanoiaCategory,
	managedRulesets,
	maxFirewallRules,
	migratedActions,
	overrideActions,
	owaspLevels,
	paranoiaLevelWarning,
	parseScoreThreshold,
	thresholdRuleId,
} from '../../../source/migration/configuration/mapping.ts';

test.each([
	['high', 2, 'Medium', 40],
	['medium', 1, 'High', 25],
	['low', 1, 'Medium', 40],
	['default', 2, 'Medium', 40],
] as const)('sensitivity %s becomes PL%i with the threshold %s, %i or higher', (sensitivity, paranoia, thresholdName, threshold) => {
	expect(owaspLevels[sensitivity]).toEqual({paranoia, thresholdName, threshold});
});

test('Simulate becomes Log', () => {
	expect(migratedActions.simulate).toBe('log');
});

test('block stays block, and a challenge becomes a managed challenge', () => {
	expect(migratedActions).toEqual({simulate: 'log', block: 'block', challenge: 'managed_challenge'});
});

test('the two contradictory sentences of the documentation are both mentioned', () => {
	expect(paranoiaLevelWarning).toMatch(/PL2 for every zone.*PL1.*Medium or Low/);
});

test('a known ruleset is shown by name, an unknown one by id', () => {
	expect(formatRulesetName(managedRulesets.owasp.id)).toBe('OWASP Core Ruleset');
	expect(formatRulesetName('f00d')).toBe('f00d');
	expect(getParanoiaCategory(3)).toBe('paranoia-level-3');
});

test('the managed rulesets, the threshold rule and the actions match the service', () => {
	expect(Object.values(managedRulesets).map(({id, name}) => [name, id])).toEqual([
		['Managed Ruleset', 'efb7b8c949ac4650a09736fc376e9aee'],
		['OWASP Core Ruleset', '4814384a9e5d4991b9815dcfc25d2f1f'],
		['Exposed Credentials Check', 'c2e184081120413c86c3ab7e14069605'],
	]);
	expect(thresholdRuleId).toBe('6179ae15870a4bb7b2d480d4843b323c');
	expect(overrideActions.toSorted()).toEqual([
		'block',
		'challenge',
		'js_challenge',
		'log',
		'managed_challenge',
	]);
});

test('200 firewall rules and 4 KB of expression can be migrated', () => {
	expect([maxFirewallRules, maxExpressionLength]).toEqual([200, 4096]);
});

test.each([
	['low', 60],
	['Medium', 40],
	['HIGH', 25],
	['25', 25],
	['1000', 1000],
	['0', undefined],
	['-5', undefined],
	['lower', undefined],
	['', undefined],
])('the score threshold %j is %j points', (text, points) => {
	expect(parseScoreThreshold(text)).toBe(points);
});
