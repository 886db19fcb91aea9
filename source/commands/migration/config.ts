import {Failure, isFailure} from '../../failure.ts';
import {
	computeFingerprint,
	formatFingerprint,
	type ManagedConfiguration,
} from '../../migration/configuration/configuration.ts';
import {buildMigrationCommand} from '../../migration/machine/next-steps.ts';
import {readProposedConfiguration, readStage} from '../../migration/zone/calls.ts';
import {buildAdvice} from '../../text/advice.ts';
import {formatQuantity} from '../../text/figures.ts';
import {escapeJson} from '../../text/safe-text.ts';
import type {CommandContext} from '../shell/context.ts';
import {createValueOption, defineCommand} from '../shell/declare.ts';
import {claimOutputFile, writeOutputFile} from '../shell/output-file.ts';
import {type OpenedMigration, openMigration} from './open-migration.ts';

/**
 * `migration config`: the configuration that the service proposes, derived from the zone's previous settings.
 */
export const migrationConfigCommand = defineCommand({
	usage: 'config',
	summary: "print the service's proposed configuration, as JSON to edit, plan and send",
	example: 'migration config --zone example.com --output configuration.json',
	sampleArguments: '--zone acme.example',
	options: () => [createValueOption('--output <file>', 'write to this file; - is standard output')],
	run: (context, {output}) => printProposedConfiguration(context, output),
});

async function printProposedConfiguration(
	context: CommandContext,
	outputOption: string | undefined,
): Promise<void> {
	const {output, options} = context;
	const file = outputOption === '-' || options.dryRun ? undefined : outputOption;
	const overwrite = options.yes === true;
	using _claim = file === undefined ? undefined : claimOutputFile(context.resolve(file), overwrite);
	const configuration = await loadProposal(await openMigration(context, {writes: false}), context.signal);
	const text = `${escapeJson(JSON.stringify(configuration, null, 2))}\n`;
	if (file === undefined) return output.writeJsonText(text);
	writeOutputFile(context.resolve(file), text, overwrite);
	const proposalFingerprint = computeFingerprint(configuration);
	const ruleCount = configuration.rules.length;
	if (output.json)
		return output.writeJson(
			context.markSimulated({file, rules: ruleCount, fingerprint: proposalFingerprint}),
		);
	output.sayIfInteractive(
		`Wrote ${formatQuantity(ruleCount, 'rule')} to ${file}, fingerprint ${formatFingerprint(proposalFingerprint)}.`,
	);
}

/** Reads the proposed configuration. Fails with `already_migrated` if the service no longer proposes one. */
export async function loadProposal(
	{client, zone}: OpenedMigration,
	signal: AbortSignal,
): Promise<ManagedConfiguration> {
	try {
		return (await readProposedConfiguration(client, zone.id, signal)).configuration;
	} catch (error) {
		if (!isFailure(error, 'refused_by_service', 'not_found', 'gone')) throw error;
		if ((await readStage(client, zone, signal)) !== 'complete') throw error;
		throw new Failure(
			'already_migrated',
			`Nothing is proposed for ${zone.label}: its migration is complete.`,
			{
				why: error.message,
				next: buildAdvice`To show the active configuration: \`${buildMigrationCommand(zone, 'export')}\``,
			},
		);
	}
}
