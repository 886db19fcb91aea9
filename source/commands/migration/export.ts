import {Option} from 'commander';
import {Failure} from '../../failure.ts';
import type {ManagedConfiguration} from '../../migration/configuration/configuration.ts';
import {
	type ExportFormat,
	exportConfiguration,
	exportFormats,
	listExportNotes,
} from '../../migration/report/export.ts';
import {formatStateRemovalSteps} from '../../migration/report/terraform-steps.ts';
import {readManagedEntryPoint} from '../../migration/zone/entry-point.ts';
import {readSnapshot} from '../../migration/zone/read-snapshot.ts';
import {type TerraformProvider, terraformProviders} from '../../rulesets/terraform.ts';
import {formatSessionOptions} from '../../session/qualify-commands.ts';
import {buildAdvice, buildCommand} from '../../text/advice.ts';
import {formatQuantity} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import {createSwitchOption, createValueOption, defineCommand} from '../shell/declare.ts';
import {claimOutputFile, writeOutputFile} from '../shell/output-file.ts';
import {loadProposal} from './config.ts';
import {readConfigurationFile} from './input.ts';
import {findPreMigrationSnapshot} from './journal.ts';
import {type OpenedMigration, openMigration} from './open-migration.ts';

type ExportOptions = {format?: ExportFormat; provider?: string; output?: string; steps?: boolean};

/** `migration export`: a configuration for version control. Reads only. */
export const migrationExportCommand = defineCommand({
	usage: 'export [FILE]',
	summary:
		'export a configuration as JSON or Terraform; without a file, the active one, else the proposed one',
	example: 'migration export configuration.json --zone example.com --format terraform --output managed.tf',
	sampleArguments: '--zone acme.example',
	options: () => [
		new Option('--format <format>', 'the body of a PUT, or Terraform')
			.choices(exportFormats)
			.default('json', 'json'),
		new Option('--provider <version>', 'Terraform provider version (default: 5)').choices(
			terraformProviders.map(String),
		),
		createSwitchOption('--steps', 'only the steps that remove the old resources from the state, in order'),
		createValueOption('--output <file>', 'write to this file; - is standard output'),
	],
	run: runExport,
});

async function runExport(
	context: CommandContext,
	options: ExportOptions,
	fileArgument: string | undefined,
): Promise<void> {
	const {output} = context;
	const {format = 'json', steps} = options;
	const file = options.output === '-' || context.options.dryRun ? undefined : options.output;
	refuseConflictingOptions(context, options, file);
	if (steps && fileArgument !== undefined) {
		throw new Failure('usage', '--steps reads no configuration file.', {
			why: 'The steps are made from the rules before the migration.',
			next: 'Leave the file out.',
		});
	}
	const overwrite = context.options.yes === true;
	using _claim = file === undefined ? undefined : claimOutputFile(context.resolve(file), overwrite);
	const fileConfiguration =
		fileArgument === undefined ? undefined : await readConfigurationFile(context, fileArgument);
	const openedMigration = await openMigration(context, {writes: false});
	const providerVersion: TerraformProvider = options.provider === '4' ? 4 : 5;
	const entryPoint = await readManagedEntryPoint(
		openedMigration.client,
		openedMigration.zone.id,
		context.signal,
	);
	const rulesetId = entryPoint?.id;
	const text = steps
		? await buildRemovalSteps(context, openedMigration, {providerVersion, rulesetId})
		: formatExport(
				fileConfiguration ??
					entryPoint?.configuration ??
					(await loadProposal(openedMigration, context.signal)),
			);
	function formatExport(configuration: ManagedConfiguration): string {
		if (format === 'json') return exportConfiguration(configuration, openedMigration.zone, {format});
		for (const note of listExportNotes(configuration)) output.warn(note);
		return exportConfiguration(configuration, openedMigration.zone, {format, providerVersion, rulesetId});
	}
	if (file === undefined)
		return format === 'terraform' || steps ? output.writeText(text) : output.writeJsonText(text);
	writeOutputFile(context.resolve(file), text, overwrite);
	const bytes = Buffer.byteLength(text);
	if (output.json) await output.writeJson(context.markSimulated({file, format, bytes}));
	else output.sayIfInteractive(`Wrote ${formatQuantity(bytes, 'byte')} to ${file}.`);
}

/**
 * Builds the steps that remove the old resources from Terraform's state. The names of the resources come from
 * the rules before the migration, which only the backup contains afterwards.
 */
async function buildRemovalSteps(
	context: CommandContext,
	openedMigration: OpenedMigration,
	options: {readonly providerVersion: TerraformProvider; readonly rulesetId: string | undefined},
): Promise<string> {
	const {client, zone, serviceOrigin} = openedMigration;
	if (zone.plan === 'free') {
		throw new Failure('not_eligible', `${zone.label} has no migration: there is nothing to export.`, {
			why: 'The Free plan never had the previous managed rules.',
			next: buildAdvice`To see which zones can migrate: \`${buildCommand('migration check --all-zones')}\``,
		});
	}
	const snapshot =
		findPreMigrationSnapshot(context, openedMigration) ??
		(await readSnapshot(client, zone, serviceOrigin, {signal: context.signal}));
	return formatStateRemovalSteps(snapshot, zone, {
		...options,
		serviceOptions: formatSessionOptions(context.options),
	});
}

function refuseConflictingOptions(
	{output}: CommandContext,
	{format, provider, steps}: ExportOptions,
	file: string | undefined,
): void {
	if (provider !== undefined && format !== 'terraform' && !steps) {
		throw new Failure('usage', '--provider requires --format terraform.', {next: 'Leave it out.'});
	}
	if (output.json && (format === 'terraform' || steps) && file === undefined) {
		throw new Failure('usage', `--json and ${steps ? '--steps' : '--format terraform'} can't be combined.`, {
			why: 'Terraform output is not JSON.',
			next: 'Leave one of them out, or write it to a file with --output.',
		});
	}
}
