import {expect, test} from 'vitest';
import {
	expressionBytes,
	managedRulesets,
	mostFirewallRules,
	newActions,
	owaspLevels,
	paranoiaCategory,
	paranoiaContradiction,
	rulesetName,
} from '../../source/migration/mapping.ts';

test.each([
	['high', 2, 'Medium', 40],
	['medium', 1, 'High', 25],
	['low', 1, 'Medium', 40],
	['default', 2, 'Medium', 40],
] as const)('sensitivity %s becomes PL%i with the threshold %s, %i or higher', (sensitivity, paranoia, thresholdName, threshold) => {
	expect(owaspLevels[sensitivity]).toEqual({paranoia, thresholdName, threshold});
});

test('Simulate becomes Log', () => {
	expect(newActions.simulate).toBe('log');
});

test('block stays, and a challenge is a managed one', () => {
	expect(newActions).toEqual({simulate: 'log', block: 'block', challenge: 'managed_challenge'});
});

test('both sentences that contradict each other are told', () => {
	expect(paranoiaContradiction).toMatch(/PL2 for every zone.*PL1.*Medium and Low/);
});

test('a ruleset is called by its name, one that nobody knows by its id', () => {
	expect(rulesetName(managedRulesets.owasp.id)).toBe('OWASP Core Ruleset');
	expect(rulesetName('f00d')).toBe('f00d');
	expect(paranoiaCategory(3)).toBe('paranoia-level-3');
});

test('200 firewall rules and 4 KB of expression can be migrated', () => {
	expect([mostFirewallRules, expressionBytes]).toEqual([200, 4096]);
});
