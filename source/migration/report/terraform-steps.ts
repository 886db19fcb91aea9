import {formatImportCommand, type TerraformProvider} from '../../rulesets/terraform.ts';
import {quoteShellWord} from '../../service/curl.ts';
import type {JsonObject} from '../../text/json.ts';
import {escapeText} from '../../text/safe-text.ts';
import {wrapText} from '../../text/wrap.ts';
import {terraformProviderWarning} from '../configuration/mapping.ts';
import type {MigrationZone} from '../zone/migration-zone.ts';
import {parsePreviousRules} from '../zone/previous-rules.ts';
import type {Snapshot} from '../zone/snapshot.ts';
import {getManagedResourceName} from './export.ts';

/** A step in Terraform: its purpose, and its commands, one per line. */
type TerraformStep = {
	readonly title: string;
	readonly why: string;
	readonly commands: readonly string[];
	/** True for a step that not everyone needs. It is commented out in the text to paste. */
	readonly optional?: true;
};

type TerraformStepsOptions = {
	readonly providerVersion: TerraformProvider;
	/** The id of the entry point ruleset, to import it; undefined if none exists yet. */
	readonly rulesetId?: string | undefined;
	/** Options that select the account or service, to append to ledge commands. */
	readonly serviceOptions?: string | undefined;
};

/** Resources of one kind that have to be removed from the Terraform state. */
type RemovedResources = {
	/** A regular expression for their types. */
	readonly types: string;
	/** The file with their addresses, which a step writes into the working directory. */
	readonly file: string;
	/** Their ids in this zone. */
	readonly ids: readonly string[];
};

/**
 * Lists the steps in Terraform: first import the ruleset that replaces the previous rules, then remove the
 * old resources from the state, then from the files. In another order, an apply would try to delete what the
 * service no longer has, or would create the ruleset twice.
 */
export function buildTerraformSteps(
	snapshot: Snapshot,
	zone: Pick<MigrationZone, 'id' | 'name'>,
	{providerVersion, rulesetId, serviceOptions = ''}: TerraformStepsOptions,
): readonly TerraformStep[] {
	const resource = getManagedResourceName(zone);
	const exportCommand = `ledge migration export --zone-id ${quoteShellWord(zone.id)}${serviceOptions}`;
	const importLine = formatImportCommand(rulesetId || 'RULESET_ID', {
		provider: providerVersion,
		zoneId: zone.id,
		resource,
	});
	const previousResources: RemovedResources = {
		types: 'cloudflare_waf_(override|package|group|rule)',
		file: 'waf-addresses.txt',
		ids: listPreviousIds(snapshot),
	};
	const firewallResources: RemovedResources = {
		types: 'cloudflare_(filter|firewall_rule)',
		file: 'firewall-addresses.txt',
		ids: listFirewallIds(snapshot),
	};
	return [
		{
			title: 'Save the current state',
			why: 'Do not apply anything between the migration and the last step.',
			commands: ['terraform state pull > before-migration.tfstate'],
		},
		{
			title: 'Write the new ruleset to a file, and import it',
			why: rulesetId
				? 'The service created it; Terraform only needs to know about it.'
				: `RULESET_ID is the id of the entry point ruleset, which did not exist when this was written: once it does, \`${exportCommand} --steps\` shows it.`,
			commands: [
				`${exportCommand} --format terraform --provider ${providerVersion} > ${resource}.tf`,
				importLine,
			],
		},
		...buildRemovalSteps(zone, previousResources, 'The previous managed rules and URI-based overrides.'),
		...(firewallResources.ids.length === 0
			? []
			: buildRemovalSteps(
					zone,
					firewallResources,
					'The migration does not change them; `ledge firewall export --format terraform` writes them as custom rules. Until then, skip these steps.',
				).map(({title, ...step}) => ({
					...step,
					title: `After converting filters and firewall rules to custom rules: ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
					optional: true as const,
				}))),
		{
			title: 'Check that nothing is left to change',
			why: 'The plan must say "No changes".',
			commands: ['terraform plan'],
		},
	];
}

/** Formats the steps as text to paste, with optional steps commented out. Ends in a line feed. */
export function formatStateRemovalSteps(
	snapshot: Snapshot,
	zone: Pick<MigrationZone, 'id' | 'name'>,
	options: TerraformStepsOptions,
): string {
	const head = `Terraform after the migration of ${zone.name}, for provider version ${options.providerVersion}, in this order.`;
	const steps = buildTerraformSteps(snapshot, zone, options).map(
		({title, why, commands, optional}, index) => [
			...formatComment(`${index + 1}. ${title}`),
			...formatComment(why),
			...(optional ? commands.map(command => `# ${command}`) : commands),
		],
	);
	return `${[formatComment(head), formatComment(terraformProviderWarning), ...steps].map(lines => lines.join('\n')).join('\n\n')}\n`;
}

const formatComment = (text: string): string[] => wrapText(escapeText(text), 98).map(line => `# ${line}`);

/** Builds the steps to list resources, remove them from the state, and delete them from the files. */
function buildRemovalSteps(
	zone: Pick<MigrationZone, 'name'>,
	{types, file, ids}: RemovedResources,
	purpose: string,
): TerraformStep[] {
	const grepCommand = `grep -E '(^|\\.)${types}\\.'`;
	// The loop reads line by line, because addresses can contain quotes and spaces. Without `< /dev/null`,
	// Terraform would read the list as its input.
	const buildRemoveCommand = (option: string) =>
		`while IFS= read -r address; do terraform state rm ${option}"$address" < /dev/null; done < ${file}`;
	return [
		{
			title: 'List what to remove from the state',
			why: purpose,
			commands: [`terraform state list | ${grepCommand} > ${file}`, `cat ${file}`],
		},
		...(ids.length === 0
			? []
			: [
					{
						title: `If the state also contains other zones: list what belongs to ${zone.name}`,
						why: `Instead of the list above, by the ids in the backup (for managed rules, only those with their own mode). Check that ${file} is complete.`,
						commands: [
							`for id in ${ids.map(quoteShellWord).join(' ')}; do terraform state list -id="$id"; done | ${grepCommand} | sort -u > ${file}`,
							`cat ${file}`,
						],
						optional: true as const,
					},
				]),
		{
			title: 'Preview what would be removed from the state',
			why: 'This changes nothing yet.',
			commands: [buildRemoveCommand('-dry-run ')],
		},
		{
			title: 'Remove it from the state',
			why: 'This changes only the state, nothing in the service.',
			commands: [buildRemoveCommand('')],
		},
		{
			title: 'Delete its blocks from your files',
			why: 'Not earlier: while the state still lists them, an apply would try to delete them in the service.',
			commands: [`grep -rnE 'resource "${types}"' --include='*.tf' .`],
		},
	];
}

const listObjectIds = (objects: readonly JsonObject[]): string[] =>
	objects.flatMap(({id}) => (typeof id === 'string' && id !== '' ? [id] : []));

/**
 * Lists the ids of packages, groups, overrides, and rules that have a mode of their own. Other rules are
 * hardly ever in Terraform.
 */
function listPreviousIds(snapshot: Snapshot): string[] {
	const {packages, overrides} = parsePreviousRules(snapshot);
	const ownIds = packages.flatMap(({id, groups, rules}) => [
		id,
		...groups.map(group => group.id),
		...rules.filter(({isChanged}) => isChanged).map(rule => rule.id),
	]);
	return [...new Set([...overrides.map(({id}) => id), ...ownIds])].filter(Boolean);
}

const listFirewallIds = ({filters, firewallRules}: Snapshot): string[] => [
	...new Set([...listObjectIds(firewallRules), ...listObjectIds(filters)]),
];
