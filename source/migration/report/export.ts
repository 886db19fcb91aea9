import {terraformNotes} from '../../firewall/export/terraform.ts';
import {managedPhase, type RulesetRule} from '../../rulesets/ruleset.ts';
import {rulesetTerraform, type TerraformProvider} from '../../rulesets/terraform.ts';
import {safeJson} from '../../text/safe-text.ts';
import {wrap} from '../../text/wrap.ts';
import {type Configuration, canonicalRule, requestBody} from '../configuration/configuration.ts';
import {providerSupport} from '../configuration/mapping.ts';
import type {MigrationZone} from '../zone/migration-zone.ts';

export const exportFormats = ['json', 'terraform'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** The name of the resource, as the zone's: several zones can be in one configuration of Terraform. */
export const managedResource = ({name}: Pick<MigrationZone, 'name'>): string =>
	`managed_rules_${name.toLowerCase().replaceAll(/[^a-z\d]/g, '_')}`;

type ExportOptions =
	| {readonly format: 'json'}
	| {
			readonly format: 'terraform';
			readonly provider: TerraformProvider;
			/** The id of the entry point ruleset, for its import; none where there is none yet. */
			readonly ruleset?: string | undefined;
	  };

/**
 * `migration export`: a configuration as the body of a PUT to the entry point of the managed phase, or as the one
 * `cloudflare_ruleset` of that phase. Ends in a line feed.
 */
export function exportConfiguration(
	configuration: Configuration,
	zone: Pick<MigrationZone, 'id' | 'name'>,
	options: ExportOptions,
): string {
	if (options.format === 'json') return `${safeJson(JSON.stringify(requestBody(configuration), null, 2))}\n`;
	const {provider, ruleset} = options;
	const {name, rules} = configuration;
	return rulesetTerraform(
		{id: ruleset, name, kind: 'zone', phase: managedPhase, rules: writtenRules(rules)},
		{
			provider,
			zoneId: zone.id,
			resource: managedResource(zone),
			comments: [
				`Managed rules of ${zone.name}, for version ${provider} of the provider.`,
				...wrap(providerSupport, 98),
			],
		},
	);
}

/** What has to be looked at before an export to Terraform is used. */
export const exportNotes = ({rules}: Configuration): readonly string[] => terraformNotes(writtenRules(rules));

/** The rules as they are compared and sent; what ledge does not know of them is written as it is. */
const writtenRules = (rules: Configuration['rules']) => rules.map(canonicalRule) as readonly RulesetRule[];
