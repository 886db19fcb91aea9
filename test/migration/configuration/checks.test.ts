import {describe, expect, test} from 'vitest';
import {checkConfiguration} from '../../../source/migration/configuration/checks.ts';
import type {ManagedConfiguration} from '../../../source/migration/configuration/configuration.ts';
import {managedRulesets, thresholdRuleId} from '../../../source/migration/configuration/mapping.ts';
import type {ConfiguredRule} from '../../../source/migration/configuration/rule-overrides.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {configurationOf, execute, skip} from '../support/configurations.ts';

const {platform, owasp} = managedRulesets;

const findings = (...rules: readonly ConfiguredRule[]) =>
	checkConfiguration(configurationOf(...rules), {name: 'example.com', plan: 'enterprise'}).map(
		({severity, rule, sentence}) => `${severity} ${rule ?? '-'} ${sentence}`,
	);

const overriding = (overrides: JsonObject) => findings(execute(owasp.id, overrides));

test("the service's proposal for an ordinary zone has no findings", () => {
	expect(
		findings(
			skip('ip.src eq 192.0.2.1'),
			execute(
				platform.id,
				{rules: [{id: 'a1', action: 'log', enabled: true}]},
				{id: '', version: '', ref: ''},
			),
			execute(owasp.id, {
				categories: [{category: 'paranoia-level-3', enabled: false}],
				rules: [{id: thresholdRuleId, score_threshold: 40, action: 'managed_challenge'}],
			}),
		),
	).toEqual([]);
});

describe('expressions', () => {
	test('that do not parse are errors, with the position', () => {
		expect(findings(skip('ip.src eq'), execute(platform.id))[0]).toMatch(
			/^error 0 Expression error at line 1, column \d+:/,
		);
	});

	test('over 4,096 bytes are errors, with the measured size', () => {
		const long = `http.host eq "${'x'.repeat(4090)}"`;
		expect(findings(skip(long), execute(platform.id)).join()).toMatch(/^error 0 .*4,?105/);
	});

	test('of exactly 4,096 bytes are accepted', () => {
		const just = `http.host eq "${'x'.repeat(4096 - 15)}"`;
		expect(just).toHaveLength(4096);
		expect(findings(skip(just), execute(platform.id))).toEqual([]);
	});

	test('that the plan does not support are warnings, because the service knows its plans', () => {
		const regex = configurationOf(skip('http.host matches "^a"'), execute(platform.id));
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
		expect(findings({action: 'block', expression: 'ssl'}, execute(platform.id))).toEqual([
			'error 0 Managed rules can\'t have the action "block": use execute or skip.',
		]);
	});

	test('with ids of their own are warnings, because ids are not sent', () => {
		expect(findings(execute(platform.id, undefined, {id: 'abc', ref: 'mine', version: ''}))).toEqual([
			'warning 0 id, ref: not sent; the service sets its own.',
		]);
	});

	test('that deploy no ruleset are a warning for the whole configuration', () => {
		expect(findings({...execute(platform.id), enabled: false})).toEqual([
			'warning - No managed ruleset is deployed: no managed rule will protect the zone.',
		]);
	});

	test('that leave a ruleset off are a warning, repeated before sending', () => {
		const off = {...execute(owasp.id), enabled: false};
		expect(findings(execute(platform.id), off)).toEqual([
			'warning 1 OWASP Core Ruleset is off: none of its rules run.',
		]);
		expect(findings(execute(platform.id), execute(owasp.id, {enabled: false}))).toEqual([
			'warning 1 OWASP Core Ruleset has all its rules off.',
		]);
		expect(
			checkConfiguration(configurationOf(execute(platform.id), off), {name: 'example.com', plan: 'pro'}),
		).toMatchObject([{lessens: true}]);
		expect(findings(off, execute(owasp.id)).join()).not.toContain('is off');
	});

	test('that execute one ruleset twice are warnings', () => {
		expect(findings(execute(platform.id), execute(platform.id))).toEqual([
			'warning 1 Managed Ruleset is also executed by rule 1.',
		]);
	});

	test('that execute nothing or an unknown ruleset are reported', () => {
		expect(findings(execute(''))[0]).toMatch(/^error 0 It executes nothing/);
		expect(findings(execute('f00d'))).toEqual(['warning 0 ledge does not know the managed ruleset f00d.']);
	});

	test('that pin a version are warnings', () => {
		expect(findings({...execute(platform.id), action_parameters: {id: platform.id, version: '3'}})).toEqual([
			`warning 0 It's pinned to version "3" of the ruleset and gets no updates.`,
		]);
	});

	test('with malformed logging are errors', () => {
		expect(findings({...skip('ssl'), logging: true}, execute(platform.id))[0]).toMatch(/^error 0 logging/);
	});
});

describe('overrides', () => {
	test.each<[string, JsonObject]>([
		['an action that overrides cannot give', {rules: [{id: 'a1', action: 'simulate'}]}],
		['the same for all of a ruleset', {action: 'skip'}],
		['the same for a category', {categories: [{category: 'a', action: 'allow'}]}],
		['enabled that is neither true nor false', {rules: [{id: 'a1', enabled: 'no'}]}],
		['an entry without an id', {rules: [{action: 'log'}]}],
		['an entry that is not an object', {categories: ['a']}],
		['a list that is none', {rules: {}}],
		['a score threshold of nothing', {rules: [{id: thresholdRuleId, score_threshold: 0}]}],
		['a score threshold as text', {rules: [{id: thresholdRuleId, score_threshold: '40'}]}],
	])('with %s are errors', (_, overrides) => {
		expect(overriding(overrides).map(line => line.slice(0, 7))).toEqual(['error 0']);
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
		expect(overriding(overrides).map(line => line.slice(0, 9))).toEqual(['warning 0']);
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
	])('with a score threshold of %d are checked', (score_threshold, found) => {
		expect(overriding({rules: [{id: thresholdRuleId, score_threshold}]})).toEqual(found);
	});

	test('that are not an object are errors', () => {
		const rule = {...execute(owasp.id), action_parameters: {id: owasp.id, overrides: []}};
		expect(findings(rule)).toEqual(['error 0 overrides must be an object.']);
	});
});

describe('exceptions', () => {
	const parameters = (given: JsonObject) => findings(skip('ssl', given), execute(platform.id));

	test.each<[string, JsonObject]>([
		['ruleset and rulesets', {ruleset: 'current', rulesets: [platform.id]}],
		['rules and ruleset', {ruleset: 'current', rules: {[platform.id]: ['a1']}}],
		['phases and rulesets', {phases: ['http_request_firewall_managed'], rulesets: [platform.id]}],
	])('cannot have both %s', (_, given) => {
		expect(parameters(given).filter(line => line.startsWith('error'))).toHaveLength(1);
	});

	test.each<[string, JsonObject]>([
		['nothing', {}],
		['another ruleset than the current', {ruleset: 'other'}],
		['no rulesets', {rulesets: []}],
		['rules as one text', {rules: {[platform.id]: 'a1,b2'}}],
		['no rules', {rules: {}}],
	])('that skip %s are errors', (_, given) => {
		expect(parameters(given).filter(line => line.startsWith('error'))).toHaveLength(1);
	});

	test('after everything they should skip are warnings', () => {
		expect(findings(execute(platform.id), skip('ip.src eq 192.0.2.1'))).toEqual([
			'warning 1 It comes after everything it should skip, so it skips nothing.',
		]);
	});

	test('between the rulesets they should skip are warnings', () => {
		expect(findings(execute(platform.id), skip('ip.src eq 192.0.2.1'), execute(owasp.id))).toEqual([
			'warning 1 It does not skip Managed Ruleset: rule 1 executes it first.',
		]);
	});

	test('for a ruleset that is not deployed are warnings', () => {
		expect(findings(skip('ssl', {rulesets: [owasp.id]}), execute(platform.id))).toEqual([
			'warning 0 It skips nothing: its targets are not deployed.',
		]);
	});

	test.each([
		'true',
		'ip.src ne 192.0.2.1',
		'http.host eq "example.com"',
		'http.host in {"example.com" "www.example.com"}',
	])('for nearly all traffic and all rules are warnings, because the zone is unprotected: %s', expression => {
		expect(findings(skip(expression), execute(platform.id))).toEqual([
			'warning 0 It skips all managed rules for all or nearly all traffic: no managed rule protects the zone.',
		]);
	});

	test('for the host of another zone do not count as nearly all traffic', () => {
		expect(findings(skip('http.host eq "search.example.net"'), execute(platform.id))).toEqual([]);
	});
});

test('a rule taken unchanged from the proposal is never an error, because the service knows what it accepts', () => {
	const proposed: ManagedConfiguration = configurationOf(
		skip('a.field.of.tomorrow eq 1'),
		execute(platform.id),
	);
	const severities = (before?: ManagedConfiguration) =>
		new Set(
			checkConfiguration(proposed, {name: 'example.com', plan: 'pro'}, before).map(({severity}) => severity),
		);
	expect(severities()).toContain('error');
	expect(severities(proposed)).toEqual(new Set(['warning']));
});
