import {describe, expect, test} from 'vitest';
import {buildCustomRulesExport} from '../../../source/firewall/export/custom-rules.ts';
import {buildFirewallExport} from '../../../source/firewall/export/json.ts';
import {formatFirewallTerraform, listTerraformNotes} from '../../../source/firewall/export/terraform.ts';
import type {Filter} from '../../../source/firewall/rules/filter.ts';
import type {Rule} from '../../../source/firewall/rules/rule.ts';
import {customPhase, type Ruleset} from '../../../source/rulesets/ruleset.ts';
import {parseHcl} from '../../support/hcl.ts';

const zone = {id: 'z1', name: 'one.example'};
const filter = (id: string, more: Partial<Filter> = {}): Filter => ({
	id,
	expression: `http.host eq "${id}"`,
	paused: false,
	...more,
});
const rule = (id: string, ruleFilter: Rule['filter'], more: Partial<Rule> = {}): Rule => ({
	id,
	paused: false,
	action: 'block',
	priority: null,
	filter: ruleFilter,
	...more,
});

describe('json', () => {
	test('contains each filter once, and rules refer to filters by id', () => {
		const shared = filter('f1', {description: 'shared', ref: 'own', paused: true});
		const unused = filter('f2');
		const rules = [
			rule('r1', shared, {action: 'bypass', products: ['waf'], priority: 5, description: 'd', ref: 'x'}),
			rule('r2', shared, {paused: true}),
		];
		expect(buildFirewallExport(zone, [shared, unused], rules)).toEqual({
			zone,
			filters: [shared, unused],
			rules: [
				{...rules[0], filter: {id: 'f1'}},
				{...rules[1], filter: {id: 'f1'}},
			],
		});
	});

	test('a filter that was created between the two reads is not lost', () => {
		expect(buildFirewallExport(zone, [], [rule('r1', filter('f9'))]).filters).toEqual([filter('f9')]);
	});

	test('a deleted filter is marked as deleted', () => {
		const {filters, rules} = buildFirewallExport(zone, [], [rule('r1', {id: 'f1', deleted: true})]);
		expect(filters).toEqual([]);
		expect(rules[0]?.filter).toEqual({id: 'f1', deleted: true});
	});
});

describe('custom rules', () => {
	const existing: Ruleset = {
		id: 'e1',
		name: 'default',
		kind: 'zone',
		phase: customPhase,
		version: '4',
		rules: [{action: 'log', expression: 'ssl'}],
	};

	test('are in order of evaluation', () => {
		const rules = [
			rule('r1', filter('last')),
			rule('r2', filter('second'), {priority: 20}),
			rule('r3', filter('first'), {priority: 10, action: 'challenge'}),
		];
		expect(buildCustomRulesExport(rules, 'none').body.rules.map(({expression}) => expression)).toEqual([
			'http.host eq "first"',
			'http.host eq "second"',
			'http.host eq "last"',
		]);
	});

	test('are an empty list without notes if there are no rules', () => {
		expect(buildCustomRulesExport([], 'none')).toEqual({body: {rules: []}, notes: []});
	});

	test('are noted if they would replace existing ones', () => {
		expect(buildCustomRulesExport([], existing).notes).toEqual([
			'The zone currently has 1 custom rule (ruleset e1, version 4): these rules would replace all of them.',
		]);
		expect(buildCustomRulesExport([], {...existing, rules: []}).notes).toEqual([]);
		expect(buildCustomRulesExport([], 'unknown').notes).toEqual([
			expect.stringContaining('could not be read'),
		]);
	});

	test('omit a rule whose filter was deleted, with a note', () => {
		const {body, notes} = buildCustomRulesExport([rule('r1', {id: 'f1', deleted: true})], 'none');
		expect(body.rules).toEqual([]);
		expect(notes).toEqual([expect.stringContaining('r1')]);
	});
});

describe('terraform', () => {
	test.each([
		4, 5,
	] as const)('provider %d: writes valid HCL, with all rules in one ruleset', async provider => {
		const rules = [
			{
				action: 'block',
				expression: `http.host eq "\${x}\\"\n%{y}"`,
				description: 'Größe\n"$${a}"',
				enabled: true,
			},
			{action: 'log', expression: 'ssl', enabled: false},
		];
		const text = formatFirewallTerraform({id: 'z1', name: 'one\n.example'}, rules, {
			provider,
			rulesetId: 'e1',
		});
		const parsedJson = JSON.stringify(await parseHcl('x.tf', text)).replace(/([$%])\1\{/g, '$1{');
		const id = `zone${provider === 5 ? 's' : ''}/z1/e1`;
		expect(JSON.parse(parsedJson)).toEqual({
			import: [{to: `\${cloudflare_ruleset.custom_rules}`, id}],
			resource: {
				cloudflare_ruleset: {
					custom_rules: [{kind: 'zone', name: 'default', phase: customPhase, zone_id: 'z1', rules}],
				},
			},
		});
		expect(text).toContain(`terraform import cloudflare_ruleset.custom_rules ${id}\n`);
	});

	const rules = [{action: 'block', expression: 'ssl', enabled: true}];

	test('an existing ruleset gets an import block, new rules do not', () => {
		expect(
			formatFirewallTerraform(zone, rules, {provider: 5, rulesetId: 'e1'}),
		).toBe(`# Custom rules of one.example, converted from its firewall rules, for provider version 5.
# The import block imports the existing ruleset (Terraform 1.5 and later). Before 1.5, use instead: terraform import cloudflare_ruleset.custom_rules zones/z1/e1

import {
  to = cloudflare_ruleset.custom_rules
  id = "zones/z1/e1"
}

resource "cloudflare_ruleset" "custom_rules" {
  kind    = "zone"
  name    = "default"
  phase   = "http_request_firewall_custom"
  zone_id = "z1"
  rules = [
    {
      action     = "block"
      enabled    = true
      expression = "ssl"
    },
  ]
}
`);
		expect(formatFirewallTerraform(zone, rules, {provider: 4, rulesetId: 'e1'})).toContain(
			`import {\n  to = cloudflare_ruleset.custom_rules\n  id = "zone/z1/e1"\n}\n`,
		);
	});

	test('without a ruleset nothing is imported', () => {
		expect(
			formatFirewallTerraform(zone, rules, {provider: 4}),
		).toBe(`# Custom rules of one.example, converted from its firewall rules, for provider version 4.

resource "cloudflare_ruleset" "custom_rules" {
  kind    = "zone"
  name    = "default"
  phase   = "http_request_firewall_custom"
  zone_id = "z1"

  rules {
    action     = "block"
    enabled    = true
    expression = "ssl"
  }
}
`);
	});

	test('text that Terraform would write differently is noted', () => {
		const rules = ['http.host eq "e\u0301"', 'http.host eq "\u00e9"'].map(expression => ({
			action: 'log',
			expression,
		}));
		expect(listTerraformNotes(rules)).toEqual([
			expect.stringMatching(/^The expression of rule 1 .*\\xHH\.$/),
		]);
	});
});
