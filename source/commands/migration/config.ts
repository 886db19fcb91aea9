import {Failure, isFailure} from '../../failure.ts';
import {
	type Configuration,
	fingerprint,
	shownFingerprint,
} from '../../migration/configuration/configuration.ts';
import {migrationCommand} from '../../migration/machine/next-steps.ts';
import {proposedConfiguration, readStage} from '../../migration/zone/calls.ts';
import {advice} from '../../text/advice.ts';
import {counted} from '../../text/figures.ts';
import {safeJson} from '../../text/safe-text.ts';
import type {CommandContext} from '../shell/context.ts';
import {defineCommand, valueOption} from '../shell/declare.ts';
import {claimOutput, writeOutputFile} from '../shell/output-file.ts';
import {type OpenedMigration, openMigration} from './zone.ts';

/**
 * `migration config`: the configuration that the service proposes, derived from the zone's previous settings.
 */
export const migrationConfigCommand = defineCommand({
	usage: 'config',
	summary: 'the configuration that the service proposes, as JSON to edit, plan and send',
	example: 'migration config --zone example.com --output configuration.json',
	sample: '--zone acme.example',
	options: () => [valueOption('--output <file>', 'write it to a file; - is standard output')],
	run: (context, {output}) => config(context, output),
});

async function config(context: CommandContext, word: string | undefined): Promise<void> {
	const {output, options} = context;
	const file = word === '-' || options.dryRun ? undefined : word;
	const over = options.yes === true;
	using _claim = file === undefined ? undefined : claimOutput(context.resolve(file), over);
	const configuration = await proposal(await openMigration(context, {writes: false}), context.signal);
	const text = `${safeJson(JSON.stringify(configuration, null, 2))}\n`;
	if (file === undefined) return output.jsonText(text);
	writeOutputFile(context.resolve(file), text, over);
	const digits = fingerprint(configuration);
	const rules = configuration.rules.length;
	if (output.json) return output.value(context.marked({file, rules, fingerprint: digits}));
	output.mention(`Wrote ${counted(rules, 'rule')} to ${file}, fingerprint ${shownFingerprint(digits)}.`);
}

/** Reads the proposed configuration. Fails with `already_migrated` if the service no longer proposes one. */
export async function proposal({client, zone}: OpenedMigration, signal: AbortSignal): Promise<Configuration> {
	try {
		return (await proposedConfiguration(client, zone.id, signal)).configuration;
	} catch (error) {
		if (!isFailure(error, 'refused_by_service', 'not_found', 'gone')) throw error;
		if ((await readStage(client, zone, signal)) !== 'complete') throw error;
		throw new Failure(
			'already_migrated',
			`Nothing is proposed for ${zone.label}: its migration is complete.`,
			{
				why: error.message,
				next: advice`See what is in force: \`${migrationCommand(zone, 'export')}\``,
			},
		);
	}
}
