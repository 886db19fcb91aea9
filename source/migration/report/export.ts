import {listTerraformNotes} from '../../firewall/export/terraform.ts';
import {managedPhase, type RulesetRule} from '../../rulesets/ruleset.ts';
import {formatRulesetTerraform, type TerraformProvider} from '../../rulesets/terraform.ts';
import {escapeJson} from '../../text/safe-text.ts';
import {wrapText} from '../../text/wrap.ts';
import {
	buildConfigurationBody,
	type ManagedConfiguration,
	toCanonicalRule,
} from '../configuration/configuration.ts';
import {terraformProviderWarning} from '../configuration/mapping.ts';
import type {MigrationZone} from '../zone/migration-zone.ts';

export const exportFormats = ['json', 'terraform'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/**
 * Returns the name of the Terraform resource. It includes the zone, because one Terraform configuration may
 * hold the resources of several zones.
 */
export const getManagedResourceName = ({name}: Pick<MigrationZone, 'name'>): string =>
	`managed_rules_${name.toLowerCase().replaceAll(/[^a-z\d]/g, '_')}`;

type ExportOptions =
	| {readonly format: 'json'}
	| {
			readonly format: 'terraform';
			readonly providerVersion: TerraformProvider;
			/** The id of the entry point ruleset, for its import; undefined if none exists yet. */
			readonly rulesetId?: string | undefined;
	  };

/**
 * Exports a configuration as the body of a PUT to the entry point, or as a `cloudflare_ruleset` resource. The
 * text ends in a line feed.
 */
export function exportConfiguration(
	configuration: ManagedConfiguration,
	zone: Pick<MigrationZone, 'id' | 'name'>,
	options: ExportOptions,
): string {
	if (options.format === 'json')
		return `${escapeJson(JSON.stringify(buildConfigurationBody(configuration), null, 2))}\n`;
	const {providerVersion, rulesetId} = options;
	const {name, rules} = configuration;
	return formatRulesetTerraform(
		{id: rulesetId, name, kind: 'zone', phase: managedPhase, rules: toCanonicalRules(rules)},
		{
			provider: providerVersion,
			zoneId: zone.id,
			resource: getManagedResourceName(zone),
			comments: [
				`Managed rules of ${zone.name}, for provider version ${providerVersion}.`,
				...wrapText(terraformProviderWarning, 98),
			],
		},
	);
}

/** Lists what to check before using an export to Terraform. */
export const listExportNotes = ({rules}: ManagedConfiguration): readonly string[] =>
	listTerraformNotes(toCanonicalRules(rules));

/** Converts rules to the form that is compared and sent; keeps unknown fields. */
const toCanonicalRules = (rules: ManagedConfiguration['rules']) =>
	rules.map(toCanonicalRule) as readonly RulesetRule[];
