import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {customPhase, managedPhase, type RulesetRule} from '../../source/rulesets/ruleset.ts';
import {
	formatImportCommand,
	formatRulesetTerraform,
	type TerraformProvider,
	terraformProviders,
} from '../../source/rulesets/terraform.ts';
import {getRunCount} from '../support/full.ts';
import {parseHcl} from '../support/hcl.ts';

const zoneId = 'f'.repeat(32);
const createOptions = (provider: TerraformProvider) => ({provider, zoneId, resource: 'made'});
const ruleset = (
	rules: readonly RulesetRule[],
	phase: typeof customPhase | typeof managedPhase = customPhase,
) => ({
	name: 'default',
	kind: 'zone',
	phase,
	rules,
});

/** Parses the only resource in a text with Terraform's parser, and unescapes `$${` and `%%{`. */
async function parseResource(text: string): Promise<Record<string, unknown>> {
	const parsed = (await parseHcl('x.tf', text)) as {
		resource: {cloudflare_ruleset: {made: [Record<string, unknown>]}};
	};
	return JSON.parse(JSON.stringify(parsed.resource.cloudflare_ruleset.made[0]), (_name, value) =>
		typeof value === 'string' ? value.replace(/([$%])\1\{/g, '$1{') : value,
	);
}

const skip: RulesetRule = {
	id: 'a1',
	ref: 'office',
	action: 'skip',
	action_parameters: {ruleset: 'current', products: ['waf', 'bic'], phases: ['http_ratelimit']},
	expression: 'ip.src eq 192.0.2.1',
	description: 'the office',
	enabled: false,
	logging: {enabled: true},
};

test('provider 4 has blocks with attributes in alphabetical order', () => {
	expect(
		formatRulesetTerraform(ruleset([skip]), createOptions(4)),
	).toBe(`resource "cloudflare_ruleset" "made" {
  kind    = "zone"
  name    = "default"
  phase   = "http_request_firewall_custom"
  zone_id = "${zoneId}"

  rules {
    action      = "skip"
    description = "the office"
    enabled     = false
    expression  = "ip.src eq 192.0.2.1"
    ref         = "office"

    action_parameters {
      phases   = ["http_ratelimit"]
      products = ["waf", "bic"]
      ruleset  = "current"
    }

    logging {
      enabled = true
    }
  }
}
`);
});

test('provider 5 has a list of objects', () => {
	expect(
		formatRulesetTerraform(ruleset([skip]), createOptions(5)),
	).toBe(`resource "cloudflare_ruleset" "made" {
  kind    = "zone"
  name    = "default"
  phase   = "http_request_firewall_custom"
  zone_id = "${zoneId}"
  rules = [
    {
      action = "skip"
      action_parameters = {
        phases   = ["http_ratelimit"]
        products = ["waf", "bic"]
        ruleset  = "current"
      }
      description = "the office"
      enabled     = false
      expression  = "ip.src eq 192.0.2.1"
      logging = {
        enabled = true
      }
      ref = "office"
    },
  ]
}
`);
});

const execute: RulesetRule = {
	action: 'execute',
	action_parameters: {
		id: 'efb7',
		overrides: {
			categories: [{category: 'paranoia-level-3', enabled: false}],
			rules: [
				{id: '6179', score_threshold: 40, action: 'log'},
				{id: '6180', enabled: false},
			],
		},
	},
	expression: 'true',
};
const exception: RulesetRule = {
	action: 'skip',
	action_parameters: {rules: {efb7: ['r1', 'r2']}},
	expression: 'ssl',
};

describe('rules of the managed phase', () => {
	test('provider 4 has overrides as blocks and skipped rules as ids separated by commas', async () => {
		const {rules} = await parseResource(
			formatRulesetTerraform(ruleset([exception, execute], managedPhase), createOptions(4)),
		);
		expect(rules).toEqual([
			{action: 'skip', expression: 'ssl', action_parameters: [{rules: {efb7: 'r1,r2'}}]},
			{
				action: 'execute',
				expression: 'true',
				action_parameters: [
					{
						id: 'efb7',
						overrides: [
							{
								categories: [{category: 'paranoia-level-3', enabled: false}],
								rules: [
									{action: 'log', id: '6179', score_threshold: 40},
									{enabled: false, id: '6180'},
								],
							},
						],
					},
				],
			},
		]);
	});

	test('provider 5 has everything as the service stores it', async () => {
		const {phase, rules} = await parseResource(
			formatRulesetTerraform(ruleset([exception, execute], managedPhase), createOptions(5)),
		);
		expect(phase).toBe('http_request_firewall_managed');
		expect(rules).toEqual([exception, execute]);
	});
});

test('any rules pass through the Terraform parser in order, whatever they contain', async () => {
	const text = fc
		.oneof(
			fc.string({unit: 'binary', maxLength: 20}),
			fc.string({unit: fc.constantFrom('$', '%', '{', '}', '"', '\\', '\n', '#', 'ü', '🙂'), maxLength: 10}),
		)
		.map(one => one.toWellFormed().normalize('NFC'));
	const rule = fc.record({action: fc.constantFrom('block', 'log'), expression: text, description: text});
	await fc.assert(
		fc.asyncProperty(fc.array(rule, {minLength: 1, maxLength: 5}), async rules => {
			for (const provider of terraformProviders)
				expect(
					(await parseResource(formatRulesetTerraform(ruleset(rules), createOptions(provider)))).rules,
				).toEqual(rules);
		}),
		{numRuns: getRunCount(100)},
	);
});

describe('the import of an existing ruleset', () => {
	test.each([
		[4, `terraform import cloudflare_ruleset.made zone/${zoneId}/abc`],
		[5, `terraform import cloudflare_ruleset.made zones/${zoneId}/abc`],
	] as const)('goes above the resource for provider %d', (provider, command) => {
		const text = formatRulesetTerraform(
			{...ruleset([]), id: 'abc'},
			{...createOptions(provider), comments: ['Of a zone.']},
		);
		expect(text.split('\n').slice(0, 3)).toEqual([
			'# Of a zone.',
			`# To import the existing ruleset: ${command}`,
			'',
		]);
	});

	test('escapes an id for the shell', () => {
		const command = formatImportCommand("a'; rm -rf ~", {provider: 5, zoneId: 'z', resource: 'made'});
		expect(command).toBe("terraform import cloudflare_ruleset.made 'zones/z/a'\\''; rm -rf ~'");
	});

	test('is absent if no ruleset exists', () => {
		expect(formatRulesetTerraform(ruleset([]), createOptions(5))).not.toContain('import');
	});
});
