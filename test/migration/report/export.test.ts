import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
	type ManagedConfiguration,
	parseConfigurationJson,
	toCanonicalRule,
} from '../../../source/migration/configuration/configuration.ts';
import {
	exportConfiguration,
	getManagedResourceName,
	listExportNotes,
} from '../../../source/migration/report/export.ts';
import {terraformProviders} from '../../../source/rulesets/terraform.ts';
import type {JsonObject, JsonValue} from '../../../source/text/json.ts';
import {getRunCount} from '../../support/full.ts';
import {parseHcl} from '../../support/hcl.ts';

const zone = {id: 'f'.repeat(32), name: 'one.example'};
const platform = 'efb7b8c949ac4650a09736fc376e9aee';
const owasp = '4814384a9e5d4991b9815dcfc25d2f1f';

const proposed: ManagedConfiguration = {
	name: 'default',
	rules: [
		{
			id: '',
			version: '',
			ref: '',
			action: 'skip',
			action_parameters: {rules: {[platform]: ['r1', 'r2'], [owasp]: ['r3']}},
			expression: `http.host eq "\${x}" and http.cookie contains "%{y}"`,
			description: `partners "\${all}"`,
			enabled: true,
		},
		{
			action: 'execute',
			action_parameters: {
				id: owasp,
				version: 'latest',
				overrides: {
					categories: [{category: 'paranoia-level-3', enabled: false}],
					rules: [
						{id: 'r3', score_threshold: 40, action: 'log'},
						{id: 'r4', enabled: false},
					],
				},
			},
			expression: 'true',
		},
	],
};

/** Reads the one resource of a text with the Terraform parser, and undoes its escapes (`$${` and `%%{`). */
async function parseResource(text: string): Promise<JsonObject> {
	const parsedFile = (await parseHcl('x.tf', text)) as {
		resource: {cloudflare_ruleset: Record<string, [JsonObject]>};
	};
	return JSON.parse(
		JSON.stringify(parsedFile.resource.cloudflare_ruleset[getManagedResourceName(zone)]?.[0]),
		(_name, value) => (typeof value === 'string' ? value.replace(/([$%])\1\{/g, '$1{') : value),
	);
}

describe('the export to Terraform', () => {
	test('for provider 4 has a ruleset of the managed phase, overrides as blocks, and skipped rules separated by commas', () => {
		const text = exportConfiguration(proposed, zone, {
			format: 'terraform',
			providerVersion: 4,
			rulesetId: 'abc',
		});
		expect(text).toBe(`# Managed rules of one.example, for provider version 4.
# Terraform: resources for the previous managed rules (cloudflare_waf_package, _group and _rule)
# work only up to provider version 3.35, and stop working once the zone is migrated; version 4.x
# does not support them. Manage the new rules with cloudflare_ruleset.
# To import the existing ruleset: terraform import cloudflare_ruleset.managed_rules_one_example zone/${zone.id}/abc

resource "cloudflare_ruleset" "managed_rules_one_example" {
  kind    = "zone"
  name    = "default"
  phase   = "http_request_firewall_managed"
  zone_id = "${zone.id}"

  rules {
    action      = "skip"
    description = "partners \\"$\${all}\\""
    enabled     = true
    expression  = "http.host eq \\"$\${x}\\" and http.cookie contains \\"%%{y}\\""

    action_parameters {
      rules = {
        "${owasp}" = "r3"
        ${platform}   = "r1,r2"
      }
    }

    logging {
      enabled = true
    }
  }

  rules {
    action      = "execute"
    description = ""
    enabled     = true
    expression  = "true"

    action_parameters {
      id = "${owasp}"

      overrides {
        categories {
          category = "paranoia-level-3"
          enabled  = false
        }

        rules {
          action          = "log"
          id              = "r3"
          score_threshold = 40
        }

        rules {
          enabled = false
          id      = "r4"
        }
      }
    }
  }
}
`);
	});

	test('for provider 5 has each rule and override as the service stores it', async () => {
		const text = exportConfiguration(proposed, zone, {
			format: 'terraform',
			providerVersion: 5,
			rulesetId: 'abc',
		});
		expect(text).toContain(
			`terraform import cloudflare_ruleset.managed_rules_one_example zones/${zone.id}/abc\n`,
		);
		expect(await parseResource(text)).toEqual({
			kind: 'zone',
			name: 'default',
			phase: 'http_request_firewall_managed',
			zone_id: zone.id,
			rules: proposed.rules.map(toCanonicalRule),
		});
	});

	test('has nothing to import if no ruleset exists', () => {
		expect(exportConfiguration(proposed, zone, {format: 'terraform', providerVersion: 5})).not.toContain(
			'import',
		);
	});

	test('notes text that Terraform would write differently', () => {
		const rules = [{action: 'skip', expression: 'http.host eq "e\u0301"'}];
		expect(listExportNotes({name: 'default', rules})).toEqual([
			expect.stringContaining('The expression of rule 1'),
		]);
	});

	test('keeps each rule and override in order through the Terraform parser, for any configuration', async () => {
		await fc.assert(
			fc.asyncProperty(anyConfiguration, async configuration => {
				const rules = configuration.rules.map(toCanonicalRule);
				for (const providerVersion of terraformProviders) {
					const exportedResource = await parseResource(
						exportConfiguration(configuration, zone, {format: 'terraform', providerVersion}),
					);
					expect(exportedResource.rules ?? []).toEqual(providerVersion === 4 ? rules.map(toBlock) : rules);
				}
			}),
			{numRuns: getRunCount(60)},
		);
	});
});

describe('the export to JSON', () => {
	test('is the body of a PUT: without ids, versions and refs, and with the defaults filled in', () => {
		const text = exportConfiguration(proposed, zone, {format: 'json'});
		expect(JSON.parse(text)).toEqual({name: 'default', rules: proposed.rules.map(toCanonicalRule)});
		expect(text).not.toMatch(/"(version|ref)"/);
	});

	test('is read back as the same configuration', () => {
		fc.assert(
			fc.property(anyConfiguration, configuration => {
				const text = exportConfiguration(configuration, zone, {format: 'json'});
				const {rules} = parseConfigurationJson(JSON.parse(text), 'It');
				expect(rules.map(toCanonicalRule)).toEqual(configuration.rules.map(toCanonicalRule));
			}),
		);
	});
});

const isObject = (value: JsonValue): value is JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** A rule in the format of provider 4: objects are lists of blocks, skipped rules are joined by commas. */
function toBlock(object: JsonObject): JsonObject {
	const values = Object.entries(object).flatMap(([name, value]): [string, JsonValue][] => {
		if (Array.isArray(value) && value.length === 0 && ['rules', 'categories'].includes(name)) return [];
		if (Array.isArray(value) && value.some(isObject)) return [[name, (value as JsonObject[]).map(toBlock)]];
		if (!isObject(value)) return [[name, value]];
		if (name !== 'rules') return [[name, [toBlock(value)]]];
		return [
			[name, Object.fromEntries(Object.entries(value).map(([id, ids]) => [id, (ids as string[]).join(',')]))],
		];
	});
	return Object.fromEntries(values);
}

const anyText = fc
	.oneof(
		fc.string({unit: 'binary', maxLength: 20}),
		fc.string({
			unit: fc.constantFrom('$', '%', '{', '}', '"', '\\', '\n', '#', '\u202e', '🙂'),
			maxLength: 12,
		}),
	)
	.map(one => one.toWellFormed().normalize('NFC'));
const anyId = fc.string({unit: fc.constantFrom(...'0123456789abcdef'), minLength: 32, maxLength: 32});
const anyAction = fc.constantFrom('block', 'managed_challenge', 'js_challenge', 'challenge', 'log');
const shortArray = <Value>(value: fc.Arbitrary<Value>) => fc.array(value, {maxLength: 3});
const anyRuleOverride = fc.record(
	{id: anyId, action: anyAction, enabled: fc.boolean(), score_threshold: fc.constantFrom(25, 40, 60)},
	{requiredKeys: ['id']},
);
const anyCategoryOverride = fc.record(
	{category: anyText, action: anyAction, enabled: fc.boolean()},
	{requiredKeys: ['category']},
);
const anyOverrides = fc.record(
	{
		action: anyAction,
		enabled: fc.boolean(),
		categories: shortArray(anyCategoryOverride),
		rules: shortArray(anyRuleOverride),
	},
	{requiredKeys: []},
);
const commonFields = {
	expression: anyText.map(one => one || 'true'),
	description: anyText,
	enabled: fc.boolean(),
};
const anyExecuteRule = fc.record(
	{
		...commonFields,
		action: fc.constant('execute'),
		action_parameters: fc.record({id: anyId, overrides: anyOverrides}, {requiredKeys: ['id']}),
	},
	{requiredKeys: ['action', 'expression', 'action_parameters']},
);
const anySkipRule = fc.record(
	{
		...commonFields,
		action: fc.constant('skip'),
		action_parameters: fc.oneof(
			fc.constant({ruleset: 'current'}),
			fc.record({rulesets: fc.array(anyId, {minLength: 1, maxLength: 3})}),
			fc.record({
				rules: fc.dictionary(anyId, fc.array(anyId, {minLength: 1, maxLength: 3}), {minKeys: 1, maxKeys: 2}),
			}),
		),
	},
	{requiredKeys: ['action', 'expression', 'action_parameters']},
);
const anyConfiguration: fc.Arbitrary<ManagedConfiguration> = fc
	.array(fc.oneof(anySkipRule, anyExecuteRule), {maxLength: 5})
	.map(rules => JSON.parse(JSON.stringify({name: 'default', rules})) as ManagedConfiguration);
