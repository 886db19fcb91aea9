import {describe, expect, test} from 'vitest';
import {managedRulesets, thresholdRuleId} from '../../../source/migration/configuration/mapping.ts';
import {
	buildExpectedConfiguration,
	buildPageRuleExpression,
	matchesPageRule,
} from '../../../source/migration/plan/expected.ts';
import type {PackageSnapshot} from '../../../source/migration/zone/snapshot.ts';
import {configurationOf, createExecuteRule, createSkipRule} from '../support/configurations.ts';
import {
	bypass,
	group,
	owaspPackage,
	pageRule,
	platformPackage,
	rule,
	scoringRule,
	snapshotOf,
} from '../support/previous-zone.ts';

const {platform, owasp} = managedRulesets;
const expectedOf = (...packages: readonly PackageSnapshot[]) =>
	buildExpectedConfiguration(snapshotOf({packages}));
const createDisabledLevels = (...levels: readonly number[]) =>
	levels.map(level => ({category: `paranoia-level-${level}`, enabled: false}));

describe('the OWASP package', () => {
	test.each([
		['high', createDisabledLevels(3, 4), 40],
		['medium', createDisabledLevels(2, 3, 4), 25],
		['low', createDisabledLevels(2, 3, 4), 40],
		['default', createDisabledLevels(3, 4), 40],
	])('with the sensitivity %s is mapped', (sensitivity, categories, threshold) => {
		expect(expectedOf(owaspPackage({sensitivity, action_mode: 'block'})).rules[1]).toEqual(
			createExecuteRule(owasp.id, {
				categories,
				rules: [{id: thresholdRuleId, score_threshold: threshold, action: 'block'}],
			}),
		);
	});

	test('without sensitivity and action gets the defaults and a challenge', () => {
		expect(expectedOf(owaspPackage({}))).toEqual(
			expectedOf(owaspPackage({sensitivity: 'default', action_mode: 'challenge'})),
		);
	});

	test.each([
		['simulate', 'log'],
		['block', 'block'],
		['challenge', 'managed_challenge'],
	])('with the action %s becomes a ruleset with %s', (action_mode, action) => {
		expect(expectedOf(owaspPackage({action_mode})).rules[1]?.action_parameters).toMatchObject({
			overrides: {rules: [{action}]},
		});
	});

	test('that is off is not deployed', () => {
		expect(expectedOf(owaspPackage({sensitivity: 'off'}))).toEqual(
			configurationOf(createExecuteRule(platform.id)),
		);
	});

	test('loses the settings of its groups and rules', () => {
		const settings = {sensitivity: 'high', action_mode: 'block'};
		expect(expectedOf(owaspPackage(settings, [group('g', 'off')], [scoringRule('r', 'off', 'g')]))).toEqual(
			expectedOf(owaspPackage(settings)),
		);
	});
});

test.each<[string, string, object | undefined]>([
	['default', 'block', undefined],
	['disable', 'block', {id: 'r', enabled: false}],
	['simulate', 'block', {id: 'r', action: 'log', enabled: true}],
	['challenge', 'block', {id: 'r', action: 'managed_challenge', enabled: true}],
	['block', 'simulate', {id: 'r', action: 'block', enabled: true}],
	['block', 'block', undefined],
	['disable', 'disable', undefined],
	['explode', 'block', undefined],
])('a managed rule with the mode %s, by default %s, is mapped', (mode, default_mode, override) => {
	expect(expectedOf(platformPackage([group('g', 'on')], [rule('r', mode, 'g', {default_mode})]))).toEqual(
		configurationOf(createExecuteRule(platform.id, override && {rules: [override as {id: string}]})),
	);
});

test('all rules of a group that is off are off, whatever their own modes', () => {
	const rules = [rule('r', 'block'), rule('s', 'default'), rule('t', 'default', 'h')];
	expect(expectedOf(platformPackage([group('g', 'off'), group('h', 'on')], rules))).toEqual(
		configurationOf(
			createExecuteRule(platform.id, {
				rules: [
					{id: 'r', enabled: false},
					{id: 's', enabled: false},
				],
			}),
		),
	);
});

test("with the zone's switch off, everything is off", () => {
	const {rules} = buildExpectedConfiguration(snapshotOf({waf: {id: 'waf', value: 'off'}}));
	expect(rules.map(({enabled}) => enabled)).toEqual([false, false]);
});

test('firewall rules that bypass the managed rules become exceptions before everything else; paused ones are off', () => {
	const {rules} = buildExpectedConfiguration(
		snapshotOf({
			packages: [],
			firewallRules: [
				bypass('r1', 'ssl', {description: 'office', products: ['bic', 'waf']}),
				bypass('r2', 'http.host eq "a"', {paused: true}),
				bypass('r3', 'ssl', {products: ['bic']}),
				bypass('r4', 'ssl', {action: 'allow'}),
				bypass('r5', '', {filter: {id: 'f', deleted: true}}),
			],
		}),
	);
	expect(rules).toEqual([
		{...createSkipRule('ssl'), description: 'office'},
		{...createSkipRule('http.host eq "a"'), enabled: false},
		createExecuteRule(platform.id),
	]);
});

test('page rules that turn managed rules off become exceptions, and those that turn them on become nothing', () => {
	const {rules} = buildExpectedConfiguration(
		snapshotOf({
			packages: [],
			pageRules: [
				pageRule('p1', 'acme.example/a/*', {id: 'waf', value: 'off'}),
				pageRule('p2', 'https://acme.example/b', {id: 'disable_security'}, 'disabled'),
				pageRule('p3', 'acme.example/c', {id: 'waf', value: 'on'}),
				pageRule('p4', 'acme.example/d', {id: 'always_online', value: 'off'}),
			],
		}),
	);
	expect(rules.map(({action, expression, enabled}) => [action, expression, enabled])).toEqual([
		['skip', 'http.request.full_uri wildcard "*://acme.example/a/*"', true],
		['skip', 'http.request.full_uri wildcard "https://acme.example/b"', false],
		['execute', 'true', true],
	]);
});

describe('an expression for a page rule', () => {
	test('is recognised, but not for a longer or different address', () => {
		const expression = buildPageRuleExpression('acme.example/a/*');
		expect(matchesPageRule(expression, 'acme.example/a/*')).toBe(true);
		expect(matchesPageRule(expression, 'acme.example/a/*.js')).toBe(false);
		expect(matchesPageRule(expression, 'example/a/*')).toBe(false);
		expect(matchesPageRule(expression, '')).toBe(false);
		expect(matchesPageRule('http.host wildcard "*://acme.example/a/*"', 'acme.example/a/*')).toBe(false);
	});

	test('contains no double asterisk, which is not a wildcard, and escapes quotes', () => {
		expect(buildPageRuleExpression('a**b"c')).toBe(String.raw`http.request.full_uri wildcard "*://a*b\"c"`);
	});
});
