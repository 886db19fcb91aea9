import {customPhase, type RulesetRule} from '../../rulesets/ruleset.ts';
import {formatRulesetTerraform, type TerraformProvider} from '../../rulesets/terraform.ts';
import type {FirewallZone} from '../rules/rule.ts';

/** The resource name: a zone has one ruleset of custom rules. */
const resourceName = 'custom_rules';

/**
 * Formats `firewall export --format terraform`: custom rules as the one ruleset of their phase. `rulesetId`
 * is that of an existing ruleset to import with an `import` block; undefined for new rules.
 * `cloudflare_filter` and `cloudflare_firewall_rule` are retired, and provider 5 has the latter in a wrong
 * form, so they are never written.
 */
export const formatFirewallTerraform = (
	zone: Pick<FirewallZone, 'id' | 'name'>,
	rules: readonly RulesetRule[],
	{provider, rulesetId}: {readonly provider: TerraformProvider; readonly rulesetId?: string | undefined},
): string =>
	formatRulesetTerraform(
		{id: rulesetId, name: 'default', kind: 'zone', phase: customPhase, rules},
		{
			provider,
			zoneId: zone.id,
			resource: resourceName,
			importMethod: 'block',
			comments: [
				`Custom rules of ${zone.name}, converted from its firewall rules, for provider version ${provider}.`,
			],
		},
	);

/**
 * Lists the rules that Terraform would change: it normalizes text (NFC), while the service compares bytes.
 */
export const listTerraformNotes = (rules: readonly RulesetRule[]): string[] =>
	rules.flatMap(({expression}, index) =>
		expression === expression.toWellFormed().normalize('NFC')
			? []
			: [
					`The expression of rule ${index + 1} contains characters that Terraform normalizes (Unicode NFC), so it would match different bytes. Write them as \\xHH.`,
				],
	);
