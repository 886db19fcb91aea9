import {describe, expect, test} from 'vitest';
import {checkConfiguration} from '../../../source/migration/configuration/checks.ts';
import type {ManagedConfiguration} from '../../../source/migration/configuration/configuration.ts';
import {managedRulesets, thresholdRuleId} from '../../../source/migration/configuration/mapping.ts';
import type {ConfiguredRule} from '../../../source/migration/configuration/rule-overrides.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {configurationOf, createExecuteRule, createSkipRule} from '../support/configurations.ts';

const {platform, owasp} = managedRulesets;

const listFindings = (...rules: readonly ConfiguredRule[]) =>
	checkConfiguration(configurationOf(...rules), {name: 'example.com', plan: 'enterprise'}).map(
		({severity, rule, sentence}) => `${severity} ${rule ?? '-'} ${sentence}`,
	);

const listOverrideFindings = (overrides: JsonObject) => listFindings(createExecuteRule(owasp.id, overrides));

test("the service's proposal for an ordinary zone has no findings", () => {
	expect(
		listFindings(
			createSkipRule('ip.src eq 192.0.2.1'),
			createExecuteRule(
				platform.id,
				{rules: [{id: 'a1', action: 'log', enabled: true}]},
				{id: '', version: '', ref: ''},
			),
			createExecuteRule(owasp.id, {
				categories: [{category: 'paranoia-level-3', enabled: false}],
				rules: [{id: thresholdRuleId, score_threshold: 40, action: 'managed_challenge'}],
			}),
		),
	).toEqual([]);
});

describe('expressions', () => {
	test('that do not parse are errors, with the position', () => {
		expect(listFindings(createSkipRule('ip.src eq'), createExecuteRule(platform.id))[0]).toMatch(
			/^error 0 Expression error at line 1, column \d+:/,
		);
	});

	test('over 4,096 bytes are errors, with the measured size', () => {
		const tooLongExpression = `http.host eq "${'x'.repeat(4090)}"`;
		expect(listFindings(createSkipRule(tooLongExpression), createExecuteRule(platform.id)).join()).toMatch(
			/^error 0 .*4,?105/,
		);
	});

	test('of exactly 4,096 bytes are accepted', () => {
		const longestExpression = `http.host eq "${'x'.repeat(4096 - 15)}"`;
		expect(longestExpression).toHaveLength(4096);
		expect(listFindings(createSkipRule(longestExpression), createExecuteRule(platform.id))).toEqual([]);
	});

	test('that the plan does not support are warnings, because the service knows its plans', () => {
		const regex = configurationOf(createSkipRule('http.host matches "^a"'), createExecuteRule(platform.id));
		expect(
			checkConfiguration(regex, {name: 'example.com', plan: 'pro'}).map(({severity}) => severity),
		).toContain('warning');
		expect(
			checkConfiguration(regex, {name: 'example.com', plan: 'pro'}).map(({severity}) => severity),
		).not.toContain('error');
	});
});

describe('rules', () => {
	test('that neither execute nor skip are errors', () => {
		expect(listFindings({action: 'block', expression: 'ssl'}, createExecuteRule(platform.id))).toEqual([
			'error 0 Managed rules can\'t have the action "block": use execute or skip.',
		]);
	});

	test('with ids of their own are warnings, because ids are not sent', () => {
		expect(
			listFindings(createExecuteRule(platform.id, undefined, {id: 'abc', ref: 'mine', version: ''})),
		).toEqual(['warning 0 id, ref: not sent; the service sets its own.']);
	});

	test('that deploy no ruleset are a warning for the whole configuration', () => {
		expect(listFindings({...createExecuteRule(platform.id), enabled: false})).toEqual([
			'warning - No managed ruleset is deployed: no managed rule will protect the zone.',
		]);
	});

	test('that leave a ruleset off are a warning, repeated before sending', () => {
		const owaspOff = {...createExecuteRule(owasp.id), enabled: false};
		expect(listFindings(createExecuteRule(platform.id), owaspOff)).toEqual([
			'warning 1 OWASP Core Ruleset is off: none of its rules run.',
		]);
		expect(
			listFindings(createExecuteRule(platform.id), createExecuteRule(owasp.id, {enabled: false})),
		).toEqual(['warning 1 OWASP Core Ruleset has all its rules off.']);
		expect(
			checkConfiguration(configurationOf(createExecuteRule(platform.id), owaspOff), {
				name: 'example.com',
				plan: 'pro',
			}),
		).toMatchObject([{lessens: true}]);
		expect(listFindings(owaspOff, createExecuteRule(owasp.id)).join()).not.toContain('is off');
	});

	test('that execute one ruleset twice are warnings', () => {
		expect(listFindings(createExecuteRule(platform.id), createExecuteRule(platform.id))).toEqual([
			'warning 1 Managed Ruleset is also executed by rule 1.',
		]);
	});

	test('that execute nothing or an unknown ruleset are reported', () => {
		expect(listFindings(createExecuteRule(''))[0]).toMatch(/^error 0 It executes nothing/);
		expect(listFindings(createExecuteRule('f00d'))).toEqual([
			'warning 0 ledge does not know the managed ruleset f00d.',
		]);
	});

	test('that pin a version are warnings', () => {
		expect(
			listFindings({...createExecuteRule(platform.id), action_parameters: {id: platform.id, version: '3'}}),
		).toEqual([`warning 0 It's pinned to version "3" of the ruleset and gets no updates.`]);
	});

	test('with malformed logging are errors', () => {
		expect(
			listFindings({...createSkipRule('ssl'), logging: true}, createExecuteRule(platform.id))[0],
		).toMatch(/^error 0 logging/);
	});
});

describe('overrides', () => {
	test.each<[string, JsonObject]>([
		['an action that overrides cannot give', {rules: [{id: 'a1', action: 'simulate'}]}],
		['such an action for a whole ruleset', {action: 'skip'}],
		['such an action for a category', {categories: [{category: 'a', action: 'allow'}]}],
		['enabled that is neither true nor false', {rules: [{id: 'a1', enabled: 'no'}]}],
		['an entry without an id', {rules: [{action: 'log'}]}],
		['an entry that is not an object', {categories: ['a']}],
		['an object in place of a list', {rules: {}}],
		['a score threshold of nothing', {rules: [{id: thresholdRuleId, score_threshold: 0}]}],
		['a score threshold as text', {rules: [{id: thresholdRuleId, score_threshold: '40'}]}],
	])('with %s are errors', (_, overrides) => {
		expect(listOverrideFindings(overrides).map(line => line.slice(0, 7))).toEqual(['error 0']);
	});

	test.each<[string, JsonObject]>([
		['fields that ledge does not know', {future: 1}],
		[
			'one rule twice',
			{
				rules: [
					{id: 'a1', action: 'log'},
					{id: 'a1', action: 'block'},
				],
			},
		],
		['a score threshold on another rule', {rules: [{id: 'a1', score_threshold: 40}]}],
	])('with %s are warnings', (_, overrides) => {
		expect(listOverrideFindings(overrides).map(line => line.slice(0, 9))).toEqual(['warning 0']);
	});

	test.each([
		[60, []],
		[
			61,
			[
				'warning 0 OWASP Core Ruleset acts only at 61 points or more: even the lowest sensitivity acts at 60.',
			],
		],
		[
			999,
			[
				'warning 0 OWASP Core Ruleset acts only at 999 points or more: even the lowest sensitivity acts at 60.',
			],
		],
	])('with a score threshold of %d are checked', (score_threshold, expectedFindings) => {
		expect(listOverrideFindings({rules: [{id: thresholdRuleId, score_threshold}]})).toEqual(expectedFindings);
	});

	test('that are not an object are errors', () => {
		const rule = {...createExecuteRule(owasp.id), action_parameters: {id: owasp.id, overrides: []}};
		expect(listFindings(rule)).toEqual(['error 0 overrides must be an object.']);
	});
});

describe('exceptions', () => {
	const listExceptionFindings = (given: JsonObject) =>
		listFindings(createSkipRule('ssl', given), createExecuteRule(platform.id));

	test.each<[string, JsonObject]>([
		['ruleset and rulesets', {ruleset: 'current', rulesets: [platform.id]}],
		['rules and ruleset', {ruleset: 'current', rules: {[platform.id]: ['a1']}}],
		['phases and rulesets', {phases: ['http_request_firewall_managed'], rulesets: [platform.id]}],
	])('cannot have both %s', (_, given) => {
		expect(listExceptionFindings(given).filter(line => line.startsWith('error'))).toHaveLength(1);
	});

	test.each<[string, JsonObject]>([
		['nothing', {}],
		['a ruleset other than "current"', {ruleset: 'other'}],
		['no rulesets', {rulesets: []}],
		['rules as one text', {rules: {[platform.id]: 'a1,b2'}}],
		['no rules', {rules: {}}],
	])('that skip %s are errors', (_, given) => {
		expect(listExceptionFindings(given).filter(line => line.startsWith('error'))).toHaveLength(1);
	});

	test('after everything they should skip are warnings', () => {
		expect(listFindings(createExecuteRule(platform.id), createSkipRule('ip.src eq 192.0.2.1'))).toEqual([
			'warning 1 It comes after everything it should skip, so it skips nothing.',
		]);
	});

	test('between the rulesets they should skip are warnings', () => {
		expect(
			listFindings(
				createExecuteRule(platform.id),
				createSkipRule('ip.src eq 192.0.2.1'),
				createExecuteRule(owasp.id),
			),
		).toEqual(['warning 1 It does not skip Managed Ruleset: rule 1 executes it first.']);
	});

	test('for a ruleset that is not deployed are warnings', () => {
		expect(
			listFindings(createSkipRule('ssl', {rulesets: [owasp.id]}), createExecuteRule(platform.id)),
		).toEqual(['warning 0 It skips nothing: its targets are not deployed.']);
	});

	test.each([
		'true',
		'ip.src ne 192.0.2.1',
		'http.host eq "example.com"',
		'http.host in {"example.com" "www.example.com"}',
	])('for nearly all traffic and all rules are warnings, because the zone is unprotected: %s', expression => {
		expect(listFindings(createSkipRule(expression), createExecuteRule(platform.id))).toEqual([
			'warning 0 It skips all managed rules for all or nearly all traffic: no managed rule protects the zone.',
		]);
	});

	test('for the host of another zone do not count as nearly all traffic', () => {
		expect(
			listFindings(createSkipRule('http.host eq "search.example.net"'), createExecuteRule(platform.id)),
		).toEqual([]);
	});
});

test('a rule taken unchanged from the proposal is never an error, because the service knows what it accepts', () => {
	const proposed: ManagedConfiguration = configurationOf(
		createSkipRule('a.field.of.tomorrow eq 1'),
		createExecuteRule(platform.id),
	);
	const listSeverities = (before?: ManagedConfiguration) =>
		new Set(
			checkConfiguration(proposed, {name: 'example.com', plan: 'pro'}, before).map(({severity}) => severity),
		);
	expect(listSeverities()).toContain('error');
	expect(listSeverities(proposed)).toEqual(new Set(['warning']));
});
