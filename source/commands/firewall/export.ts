import {Option} from 'commander';
import {Failure, isFailure} from '../../failure.ts';
import {buildCustomRulesExport, type ExistingRules} from '../../firewall/export/custom-rules.ts';
import {buildFirewallExport} from '../../firewall/export/json.ts';
import {formatFirewallTerraform, listTerraformNotes} from '../../firewall/export/terraform.ts';
import {listFilters} from '../../firewall/rules/filters.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import {listFirewallRules} from '../../firewall/rules/rules.ts';
import {readRulesetEntryPoint} from '../../rulesets/calls.ts';
import {customPhase} from '../../rulesets/ruleset.ts';
import {type TerraformProvider, terraformProviders} from '../../rulesets/terraform.ts';
import type {Client} from '../../service/client.ts';
import type {ChosenZone} from '../../session/write-place.ts';
import {formatQuantity} from '../../text/figures.ts';
import {escapeJson} from '../../text/safe-text.ts';
import type {CommandContext} from '../shell/context.ts';
import {createSwitchOption, createValueOption, defineCommand} from '../shell/declare.ts';
import {claimOutputFile, writeOutputFile} from '../shell/output-file.ts';
import type {ExportApplyOptions} from './export-apply.ts';
import {openZone} from './zone.ts';

const formats = ['json', 'custom-rules', 'terraform'] as const;
type Format = (typeof formats)[number];

type ExportOptions = ExportApplyOptions & {format?: Format; provider?: string; output?: string};

/** An export: the text of the file, and notes to read before using it. */
type ExportText = {readonly text: string; readonly notes: readonly string[]};

/**
 * `firewall export`: filters and firewall rules as JSON with everything needed to create them again, as
 * custom rules of the Rulesets API, or as Terraform. Reads only; notes go to stderr.
 */
export const firewallExportCommand = defineCommand({
	usage: 'export',
	summary: 'export filters and firewall rules as JSON, custom rules or Terraform',
	example: 'firewall export --zone example.com --format terraform --output custom-rules.tf',
	sampleArguments: '--zone-id {zone} --format json',
	options: () => [
		new Option(
			'--format <format>',
			'everything as is, the body of a PUT that creates custom rules, or Terraform',
		)
			.choices(formats)
			.default('json', 'json'),
		new Option('--provider <version>', 'Terraform provider version (default: 5)').choices(
			terraformProviders.map(String),
		),
		createValueOption('--output <file>', 'write to this file; - is standard output'),
		createSwitchOption(
			'--apply',
			'create them as custom rules in the zone, next to existing ones; shows them first',
		),
		createValueOption(
			'--from <file>',
			'with --apply: use a JSON export instead of the zone; - is standard input',
		),
		createValueOption('--before <id>', 'with --apply: insert before this custom rule instead of at the end'),
		createSwitchOption(
			'--delete-old',
			'with --apply: then delete each unchanged firewall rule that has a matching custom rule',
		),
		createValueOption('--confirm <zone>', "with --apply: the zone's name, required to send anything"),
	],
	run: runExport,
});

async function runExport(context: CommandContext, options: ExportOptions): Promise<void> {
	const {output} = context;
	checkApplyOptions(options);
	if (options.apply) {
		const {applyExport} = await import('./export-apply.ts');
		return applyExport(context, options);
	}
	const format = options.format ?? 'json';
	const file = getExportFile(context, options);
	refuseConflictingOptions(context, options, file);
	const overwrite = context.options.yes === true;
	using _claim = file === undefined ? undefined : claimOutputFile(context.resolve(file), overwrite);
	const {client, zone} = await openZone(context, {writes: false});
	const firewallRules = await Array.fromAsync(listFirewallRules(client, zone.id, context.signal));
	const {text, notes} = await buildExport(context, client, zone, firewallRules, options);
	for (const note of notes) output.warn(note);
	if (file === undefined) {
		if (format === 'terraform') await output.writeText(text);
		else await output.writeJsonText(text);
		return;
	}
	writeOutputFile(context.resolve(file), text, overwrite);
	const bytes = Buffer.byteLength(text);
	if (output.json)
		await output.writeJson(context.markSimulated({file, format, rules: firewallRules.length, bytes}));
	else output.sayIfInteractive(`Wrote ${formatQuantity(firewallRules.length, 'rule')} to ${file}.`);
}

/** Fails if options require --apply, or conflict with it. */
function checkApplyOptions(options: ExportOptions): void {
	const {apply, from, before, deleteOld, confirm} = options;
	if (apply && (options.provider !== undefined || options.output !== undefined))
		throw new Failure('usage', '--apply writes to the zone, not to a file.', {
			next: 'Leave out --provider and --output.',
		});
	if (apply && from !== undefined && deleteOld)
		throw new Failure('usage', "--delete-old deletes the zone's firewall rules, not those in a file.", {
			next: 'Leave out --delete-old or --from.',
		});
	const misplacedOption = Object.entries({from, before, confirm, 'delete-old': deleteOld}).find(
		([, value]) => value !== undefined,
	);
	if (!apply && misplacedOption)
		throw new Failure('usage', `--${misplacedOption[0]} requires --apply.`, {
			next: 'Leave it out, or add --apply.',
		});
}

/** Returns the file to write; undefined for standard output, which a dry run also uses. */
function getExportFile(
	{options: {dryRun}}: CommandContext,
	{output: file}: ExportOptions,
): string | undefined {
	return file === '-' || dryRun ? undefined : file;
}

function refuseConflictingOptions(
	{output}: CommandContext,
	options: ExportOptions,
	file: string | undefined,
): void {
	if (options.provider !== undefined && options.format !== 'terraform') {
		throw new Failure('usage', '--provider requires --format terraform.', {next: 'Leave it out.'});
	}
	if (output.json && options.format === 'terraform' && file === undefined) {
		throw new Failure('usage', "--json and --format terraform can't be combined.", {
			why: 'Terraform output is not JSON.',
			next: 'Leave one of them out, or write it to a file with --output.',
		});
	}
}

async function buildExport(
	context: CommandContext,
	client: Client,
	zone: ChosenZone,
	firewallRules: readonly Rule[],
	{format = 'json', provider}: ExportOptions,
): Promise<ExportText> {
	const {signal} = context;
	if (format === 'json') {
		const filters = await Array.fromAsync(listFilters(client, zone.id, signal));
		return {
			text: formatExportJson(context.markSimulated(buildFirewallExport(zone, filters, firewallRules))),
			notes: [],
		};
	}
	const existingRules = await readExistingRules(client, zone, signal);
	const {body, notes} = buildCustomRulesExport(firewallRules, existingRules);
	if (format === 'custom-rules') return {text: formatExportJson(body), notes};
	const providerVersion: TerraformProvider = provider === '4' ? 4 : 5;
	const rulesetId = typeof existingRules === 'string' ? undefined : existingRules.id;
	return {
		text: formatFirewallTerraform(zone, body.rules, {provider: providerVersion, rulesetId}),
		notes: [...notes, ...listTerraformNotes(body.rules)],
	};
}

const formatExportJson = (value: unknown): string => `${escapeJson(JSON.stringify(value, null, 2))}\n`;

/**
 * Reads the current custom rules. They only cause warnings, so a credential that cannot read them does not
 * fail.
 */
async function readExistingRules(
	client: Client,
	zone: ChosenZone,
	signal: AbortSignal,
): Promise<ExistingRules> {
	try {
		return (await readRulesetEntryPoint(client, zone.id, customPhase, signal)) ?? 'none';
	} catch (error) {
		if (isFailure(error, 'credential_refused', 'refused_by_service', 'not_found', 'gone')) return 'unknown';
		throw error;
	}
}
