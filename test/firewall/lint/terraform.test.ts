import {describe, expect, test} from 'vitest';
import {lintRules} from '../../../source/firewall/lint/findings.ts';
import {groupTerraformRules, isTerraformJson} from '../../../source/firewall/lint/terraform.ts';
import type {JsonObject, JsonValue} from '../../../source/text/json.ts';
import {now} from './support.ts';

const zone = '0123456789abcdef0123456789abcdef';

const buildResource = (address: string, values: JsonObject): JsonObject => ({
	address,
	mode: 'managed',
	type: address.split('.').at(-2) ?? '',
	values: {zone_id: zone, ...values},
});

const buildState = (
	resources: readonly JsonObject[],
	childModules: readonly JsonObject[] = [],
): JsonObject => ({
	format_version: '1.0',
	terraform_version: '1.9.0',
	values: {root_module: {resources, child_modules: childModules}},
});

const buildPlan = (
	...changes: readonly {
		address: string;
		after: JsonValue;
		after_unknown?: JsonValue;
		actions?: readonly string[];
	}[]
): JsonObject => ({
	format_version: '1.2',
	planned_values: {root_module: {}},
	resource_changes: changes.map(({address, after, after_unknown = {}, actions = ['create']}) => ({
		address,
		mode: 'managed',
		type: address.split('.').at(-2) ?? '',
		change: {actions, before: null, after, after_unknown},
	})),
});

/** What is found, and what is left out. */
function lint(json: JsonObject) {
	expect(isTerraformJson(json)).toBe(true);
	const {groups, leftOut} = groupTerraformRules(json, 'tf.json');
	return {
		findings: groups
			.flatMap(group => lintRules(group, {now}))
			.map(
				({level, code, sentence, rule}) =>
					`${rule.address} ${level} ${code.startsWith('L2') ? code : sentence}`,
			),
		leftOut: [
			...leftOut.map(({name, why}) => `${name}: ${why}`),
			...groups.flatMap(({rules}) =>
				rules.flatMap(({address, unknownReason}) => (unknownReason ? [`${address}: ${unknownReason}`] : [])),
			),
		],
		rules: groups.flatMap(({noun, phase, rules}) => rules.map(({rule}) => ({noun, phase, ...rule}))),
	};
}

const custom = {kind: 'zone', phase: 'http_request_firewall_custom', name: 'default'};
const invalid = 'error Unknown field http.hots';

describe('a ruleset', () => {
	test('of provider 4 has its blocks as lists of one object', () => {
		const {findings, rules} = lint(
			buildState([
				buildResource('cloudflare_ruleset.custom', {
					...custom,
					rules: [
						{
							action: 'skip',
							action_parameters: [{ruleset: 'current', phases: [], products: null, response: []}],
							enabled: true,
							expression: 'ssl',
							description: 'Skip',
							logging: [{enabled: true, status: ''}],
							ratelimit: [],
						},
						{
							action: 'block',
							action_parameters: [
								{response: [{status_code: 404, content: 'No', content_type: 'text/plain'}]},
							],
							enabled: true,
							expression: 'ssl and http.host eq "a"',
						},
					],
				}),
			]),
		);
		expect(rules).toEqual([
			{
				noun: 'custom rule',
				phase: custom.phase,
				action: 'skip',
				action_parameters: {ruleset: 'current'},
				enabled: true,
				expression: 'ssl',
				description: 'Skip',
				logging: {enabled: true, status: ''},
			},
			expect.objectContaining({
				action_parameters: {response: {status_code: 404, content: 'No', content_type: 'text/plain'}},
			}),
		]);
		expect(findings).toEqual(['cloudflare_ruleset.custom.rules[1] warning L201']);
	});

	test('of provider 5 has objects; those of modules are found, too', () => {
		const ruleset = buildResource('module.waf["a"].cloudflare_ruleset.custom', {
			...custom,
			rules: [{action: 'block', action_parameters: null, enabled: false, expression: 'http.hots eq "a"'}],
		});
		const {findings} = lint(buildState([], [{address: 'module.waf["a"]', resources: [ruleset]}]));
		expect(findings).toEqual([
			expect.stringContaining(`module.waf["a"].cloudflare_ruleset.custom.rules[0] ${invalid}`),
			'module.waf["a"].cloudflare_ruleset.custom.rules[0] hint L202',
		]);
	});

	test('of another phase is checked for that phase, and its rules are not taken for blocks', () => {
		const rule = {action: 'rewrite', enabled: true, expression: 'http.response.code eq 404'};
		const build = (phase: string) =>
			buildState([buildResource('cloudflare_ruleset.x', {kind: 'zone', phase, rules: [rule]})]);
		expect(lint(build('http_response_headers_transform')).findings).toEqual([]);
		expect(lint(build('http_request_transform')).findings).toHaveLength(1);
		expect(lint(build('http_future_phase'))).toMatchObject({
			rules: [],
			leftOut: ['cloudflare_ruleset.x: ledge does not know the phase "http_future_phase"'],
		});
	});

	describe('whose rules all run, one after the other', () => {
		const build = (phase: string, ...rules: readonly [action: string, expression: string][]) =>
			buildState([
				buildResource('cloudflare_ruleset.x', {
					kind: 'zone',
					phase,
					rules: rules.map(([action, expression]) => ({action, expression, enabled: true})),
				}),
			]);

		test.each([
			['http_request_transform', 'rewrite'],
			['http_request_late_transform', 'rewrite'],
			['http_config_settings', 'set_config'],
			['http_request_origin', 'route'],
			['http_request_cache_settings', 'set_cache_settings'],
			['http_response_headers_transform', 'rewrite'],
			['http_response_compression', 'compress_response'],
		])('has no rule that an earlier one stops: %s', (phase, action) => {
			const {findings} = lint(
				build(phase, [action, 'ssl'], [action, 'ssl and http.host eq "a"'], [action, 'ssl']),
			);
			expect(findings).toEqual([]);
		});

		test.each([
			['http_request_firewall_custom', 'block'],
			['http_request_firewall_managed', 'block'],
			['http_request_dynamic_redirect', 'redirect'],
		])('unlike those that end the evaluation: %s', (phase, action) => {
			const {findings} = lint(
				build(phase, [action, 'ssl'], [action, 'ssl and http.host eq "a"'], [action, 'ssl']),
			);
			expect(findings.filter(finding => finding.includes('warning'))).toEqual([
				'cloudflare_ruleset.x.rules[1] warning L201',
				'cloudflare_ruleset.x.rules[2] warning L200',
			]);
		});
	});

	test('of an account may execute rulesets in a custom phase', () => {
		const rule = {action: 'execute', enabled: true, expression: 'cf.zone.name eq "a.example"'};
		const {findings} = lint(
			buildState([buildResource('cloudflare_ruleset.x', {...custom, kind: 'root', rules: [rule]})]),
		);
		expect(findings).toEqual([]);
	});
});

describe('a plan', () => {
	test('says which expressions are known only after apply, and checks the others', () => {
		const address = 'cloudflare_ruleset.custom';
		const after = {
			...custom,
			zone_id: zone,
			rules: [
				{action: 'block', expression: null},
				{action: 'block', expression: 'http.hots eq "a"'},
				{action: 'block'},
			],
		};
		const {findings, leftOut} = lint(
			buildPlan({address, after, after_unknown: {id: true, rules: [{expression: true}, {}, {}]}}),
		);
		expect(leftOut).toEqual([
			`${address}.rules[0]: its expression is known only after apply`,
			`${address}.rules[2]: it has no expression`,
		]);
		expect(findings).toEqual([expect.stringContaining(`${address}.rules[1] ${invalid}`)]);
	});

	test('says that all rules are known only after apply', () => {
		const {leftOut} = lint(
			buildPlan({address: 'cloudflare_ruleset.x', after: custom, after_unknown: {rules: true}}),
		);
		expect(leftOut).toEqual(['cloudflare_ruleset.x: its rules are known only after apply']);
	});

	test('leaves out what it deletes', () => {
		const {rules, leftOut} = lint(
			buildPlan({address: 'cloudflare_ruleset.x', after: null, actions: ['delete']}),
		);
		expect({rules, leftOut}).toEqual({rules: [], leftOut: []});
	});

	test('of firewall rules on new filters says that these are known only after apply', () => {
		const {findings, leftOut} = lint(
			buildPlan(
				{
					address: 'cloudflare_filter.a',
					after: {zone_id: zone, expression: 'http.hots eq "a"'},
					after_unknown: {id: true},
				},
				{
					address: 'cloudflare_firewall_rule.a',
					after: {zone_id: zone, action: 'block', priority: 1},
					after_unknown: {id: true, filter_id: true},
				},
			),
		);
		expect(leftOut).toEqual(['cloudflare_firewall_rule.a: its filter is known only after apply']);
		expect(findings).toEqual([expect.stringContaining(`cloudflare_filter.a ${invalid}`)]);
	});
});

describe('firewall rules', () => {
	const filters = [
		buildResource('cloudflare_filter.wide', {id: 'f1', expression: 'ssl', paused: false}),
		buildResource('cloudflare_filter.narrow', {
			id: 'f2',
			expression: 'ssl and http.host eq "a"',
			paused: false,
		}),
		buildResource('cloudflare_filter.unused', {id: 'f3', expression: 'http.hots eq "a"', paused: false}),
	];
	const build = (name: string, filter: string, priority: number | null, values: JsonObject = {}) =>
		buildResource(`cloudflare_firewall_rule.${name}`, {
			id: name,
			action: 'block',
			filter_id: filter,
			priority,
			paused: false,
			...values,
		});

	test('are compared in the order of their priorities; unused filters are checked alone', () => {
		const {findings} = lint(buildState([...filters, build('late', 'f2', 2), build('early', 'f1', 1)]));
		expect(findings).toEqual([
			'cloudflare_firewall_rule.late warning L201',
			expect.stringContaining(`cloudflare_filter.unused ${invalid}`),
		]);
	});

	test('are not compared if no rule has a priority, since their order is then unknown', () => {
		const {findings} = lint(
			buildState([...filters.slice(0, 2), build('a', 'f1', null), build('b', 'f2', null)]),
		);
		expect(findings).toEqual([]);
	});

	test('of different zones are not compared', () => {
		const other = build('late', 'f2', 2, {zone_id: 'f'.repeat(32)});
		const {findings, leftOut} = lint(buildState([...filters.slice(0, 2), other, build('early', 'f1', 1)]));
		expect(findings).toEqual([]);
		expect(leftOut).toEqual(['cloudflare_firewall_rule.late: its filter is not in the file']);
	});

	test('of provider 5 have their filter and action as objects', () => {
		const filter = {id: 'f9', expression: 'http.hots eq "a"', paused: false};
		const {findings, rules} = lint(
			buildState([build('a', '', 1, {filter_id: null, filter, action: {mode: 'js_challenge'}})]),
		);
		expect(rules).toMatchObject([{action: 'js_challenge', expression: filter.expression}]);
		expect(findings).toEqual([expect.stringContaining(`cloudflare_firewall_rule.a ${invalid}`)]);
	});
});

test.each([
	[{custom_rules: []}],
	[{rules: [], filters: []}],
	[{format_version: 2}],
	[[]],
	[null],
])('%j is not taken for Terraform', value => {
	expect(isTerraformJson(value)).toBe(false);
});

test('a state without resources has no rules', () => {
	expect(lint({format_version: '1.0'})).toEqual({findings: [], leftOut: [], rules: []});
});
