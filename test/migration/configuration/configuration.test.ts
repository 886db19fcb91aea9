import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {isFailure} from '../../../source/failure.ts';
import {
	buildConfigurationBody,
	computeFingerprint,
	formatFingerprint,
	hasActiveRuleset,
	type ManagedConfiguration,
	matchesFingerprint,
	parseConfiguration,
	parseConfigurationJson,
	toCanonicalRule,
} from '../../../source/migration/configuration/configuration.ts';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import type {ConfiguredRule} from '../../../source/migration/configuration/rule-overrides.ts';
import {isJsonObject, type JsonObject} from '../../../source/text/json.ts';
import {
	anyConfiguration,
	configurationOf,
	createExecuteRule,
	createSkipRule,
	reverseKeys,
} from '../support/configurations.ts';

const proposed = configurationOf(
	createSkipRule('ip.src eq 192.0.2.1'),
	createExecuteRule(managedRulesets.platform.id, {rules: [{id: 'a1', action: 'log', enabled: true}]}),
);

const changeFirstRule = (changes: JsonObject): ManagedConfiguration => ({
	...proposed,
	rules: proposed.rules.map((rule, index) =>
		index === 0 ? ({...rule, ...changes} as ConfiguredRule) : rule,
	),
});

describe('reading a configuration', () => {
	test('keeps unknown fields', () => {
		const rule = {...createSkipRule('ssl'), future: {deep: [1]}};
		expect(parseConfigurationJson({name: 'default', rules: [rule]}, 'It').rules).toEqual([rule]);
	});

	test('fills in a missing name', () => {
		expect(parseConfigurationJson({rules: []}, 'It')).toEqual({name: 'default', rules: []});
	});

	test.each<[string, unknown]>([
		['a list', []],
		['nothing', null],
		['no rules', {name: 'default'}],
		['a name that is not a string', {name: 1, rules: []}],
		['a rule that is not an object', {rules: ['x']}],
		['a rule without an action', {rules: [{expression: 'true'}]}],
		['a rule without an expression', {rules: [{action: 'skip', expression: ''}]}],
		['enabled as text', {rules: [{...createSkipRule('ssl'), enabled: 'yes'}]}],
		['a description that is not a string', {rules: [{...createSkipRule('ssl'), description: 3}]}],
		['parameters that are not an object', {rules: [{...createSkipRule('ssl'), action_parameters: []}]}],
	])('refuses %s', (_, value) => {
		let thrown: unknown;
		try {
			parseConfigurationJson(value, 'The file');
		} catch (error) {
			thrown = error;
		}
		expect(isFailure(thrown, 'input_malformed')).toBe(true);
	});

	test.each([
		'9007199254740993',
		'1e400',
		'-1e400',
	])('refuses the number %s, which would be sent as a different number', number => {
		const rule = JSON.stringify(createSkipRule('ssl')).replace('{', `{"score_threshold": ${number}, `);
		expect(() => parseConfiguration(`{"rules": [${rule}]}`, 'c.json')).toThrow(
			`c.json contains the number ${number}`,
		);
	});

	test('refuses text that is not JSON, and names its source', () => {
		expect(() => parseConfiguration('{', 'c.json')).toThrow('c.json is not JSON.');
	});
});

describe('the canonical form', () => {
	test('does not change when canonicalised again', () => {
		fc.assert(
			fc.property(anyConfiguration, ({rules}) => {
				for (const rule of rules)
					expect(toCanonicalRule(toCanonicalRule(rule))).toEqual(toCanonicalRule(rule));
			}),
		);
	});

	test('is what is sent, and never contains an id, a version or a ref', () => {
		fc.assert(
			fc.property(anyConfiguration, configuration => {
				const {rules} = buildConfigurationBody(configuration);
				for (const rule of rules as readonly JsonObject[])
					for (const name of ['id', 'version', 'ref', 'last_updated']) expect(rule).not.toHaveProperty(name);
			}),
		);
	});

	test('keeps the version of a pinned ruleset, and drops "latest"', () => {
		const pinned = (version: string) =>
			toCanonicalRule({...createExecuteRule('x'), action_parameters: {id: 'x', version}}).action_parameters;
		expect(pinned('7')).toEqual({id: 'x', version: '7'});
		expect(pinned('latest')).toEqual({id: 'x'});
	});
});

describe('the fingerprint', () => {
	test('ignores what the service adds, the order of keys, and a round trip through JSON', () => {
		fc.assert(
			fc.property(anyConfiguration, fc.string(), (configuration, serviceValue) => {
				const storedRules = configuration.rules.map(rule => ({
					...reverseKeys(rule),
					id: serviceValue,
					version: serviceValue,
					ref: serviceValue,
					last_updated: serviceValue,
				})) as ConfiguredRule[];
				expect(computeFingerprint({rules: storedRules})).toBe(computeFingerprint(configuration));
				expect(
					computeFingerprint(parseConfiguration(JSON.stringify(buildConfigurationBody(configuration)), 'It')),
				).toBe(computeFingerprint(configuration));
			}),
		);
	});

	test.each<[string, JsonObject]>([
		['the action', {action: 'execute'}],
		['the expression', {expression: 'ip.src eq 192.0.2.2'}],
		['the description', {description: 'x'}],
		['being turned off', {enabled: false}],
		['the parameters', {action_parameters: {rulesets: ['x']}}],
		['the logging', {logging: {enabled: false}}],
		['an unknown field', {future: 1}],
	])('changes with %s', (_, changes) => {
		expect(computeFingerprint(changeFirstRule(changes))).not.toBe(computeFingerprint(proposed));
	});

	test('changes with any change of a value, however deep', () => {
		fc.assert(
			fc.property(anyConfiguration, fc.nat(), ({rules}, leafNumber) => {
				const body = rules.map(toCanonicalRule);
				const leaves = body.reduce((sum, rule) => sum + countLeaves(rule), 0);
				fc.pre(leaves > 0);
				let leavesBefore = leafNumber % leaves;
				const changeLeaf = (value: unknown): unknown => {
					if (Array.isArray(value)) return value.map(changeLeaf);
					if (isJsonObject(value))
						return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, changeLeaf(part)]));
					return leavesBefore-- === 0 ? toOtherValue(value) : value;
				};
				expect(computeFingerprint({rules: changeLeaf(body) as ConfiguredRule[]})).not.toBe(
					computeFingerprint({rules}),
				);
			}),
		);
	});

	test('changes with the order and the number of rules', () => {
		const {rules} = proposed;
		const ruleLists = [rules, rules.toReversed(), rules.slice(1), [...rules, createSkipRule('ssl')]];
		expect(new Set(ruleLists.map(one => computeFingerprint({rules: one}))).size).toBe(ruleLists.length);
	});

	test('is 16 digits, shown in groups of four', () => {
		expect(computeFingerprint(proposed)).toMatch(/^[0-9a-f]{16}$/);
		expect(formatFingerprint('7c1e09ab12345678')).toBe('7c1e 09ab 1234 5678');
	});

	test.each([
		['7c1e 09ab', true],
		['7C1E-09AB-1234-5678', true],
		['7c1e09ab12345678', true],
		['7c1e09a', false],
		['', false],
		['7c1e09ac', false],
		['7c1e09ab123456780', false],
	])('matches what people type: "%s" %s', (given, isMatch) => {
		expect(matchesFingerprint(given, '7c1e09ab12345678')).toBe(isMatch);
	});
});

test('a configuration deploys something only with an active execute rule', () => {
	expect(hasActiveRuleset(proposed)).toBe(true);
	expect(hasActiveRuleset(configurationOf(createSkipRule('ssl')))).toBe(false);
	expect(hasActiveRuleset(configurationOf({...createExecuteRule('x'), enabled: false}))).toBe(false);
});

function countLeaves(value: unknown): number {
	if (Array.isArray(value)) return value.reduce((sum: number, part) => sum + countLeaves(part), 0);
	if (isJsonObject(value))
		return Object.values(value).reduce((sum: number, part) => sum + countLeaves(part), 0);
	return 1;
}

function toOtherValue(value: unknown): unknown {
	if (typeof value === 'boolean') return !value;
	if (typeof value === 'number') return value + 1;
	return `${String(value)}x`;
}
