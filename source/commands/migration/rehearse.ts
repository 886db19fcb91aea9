import {formatFingerprint} from '../../migration/configuration/configuration.ts';
import {type Rehearsal, rehearseMigration} from '../../migration/flow/rehearsal.ts';
import {buildMigrationCommand} from '../../migration/machine/next-steps.ts';
import {stateTable} from '../../migration/machine/states.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import {qualifyAdvice} from '../../session/qualify-commands.ts';
import type {CommandContext} from '../shell/context.ts';
import {createChoiceOption, defineCommand} from '../shell/declare.ts';
import {readConfigurationFile} from './input.ts';
import {findReviewFromPlan} from './journal.ts';
import {openMigration, readSnapshotWithProgress} from './open-migration.ts';
import {buildSendingCommand, getConfigurationToReview} from './plan.ts';
import {formatDifferenceTable} from './plan-text.ts';
import {formatNextCommands, toZoneJson} from './text.ts';

const rehearsalPaths = ['direct', 'validation'] as const;

/** `migration rehearse`: reads the zone, and runs the whole flow on the simulated service. */
export const migrationRehearseCommand = defineCommand({
	usage: 'rehearse [FILE]',
	summary: 'run the whole migration on a simulated copy of the zone; nothing is written to the zone',
	example: 'migration rehearse configuration.json --zone example.com --path validation',
	sampleArguments: '--zone acme.example',
	options: () => [
		createChoiceOption('--path <path>', 'directly, or through validation (default: direct)', rehearsalPaths),
	],
	run: (context, {path = 'direct'}, file) => runRehearsal(context, path, file),
});

async function runRehearsal(
	context: CommandContext,
	path: (typeof rehearsalPaths)[number],
	file: string | undefined,
): Promise<void> {
	const {output, signal} = context;
	const fileConfiguration = file === undefined ? undefined : await readConfigurationFile(context, file);
	const openedMigration = await openMigration(context, {writes: false});
	const {zone} = openedMigration;
	const snapshot = await readSnapshotWithProgress(context, openedMigration);
	const configuration = fileConfiguration ?? getConfigurationToReview(snapshot);
	const rehearsal = await rehearseMigration(
		{
			zone,
			snapshot,
			configuration,
			goal: path === 'direct' ? 'pending' : 'validation',
			startService: context.session.startRehearsal,
		},
		{signal, onStep: sentence => output.sayIfInteractive(sentence)},
	);
	// A rehearsal that deviates from the plan is a valid answer, not an error.
	if (!rehearsal.sameAsPlanned) context.setExitCode(1);
	const subcommand = path === 'direct' ? 'deploy' : 'validate';
	// A configuration can be sent only if a plan has shown it.
	const hasShownPlan = findReviewFromPlan(context, openedMigration, configuration) !== undefined;
	const fileArguments = file === undefined ? [] : [file];
	const nextCommands = !rehearsal.sameAsPlanned
		? []
		: [
				hasShownPlan
					? buildSendingCommand(zone, subcommand, configuration, file)
					: buildMigrationCommand(zone, 'plan', ...fileArguments),
			];
	const next = nextCommands.map(command => qualifyAdvice(command, context.options));
	if (output.json)
		return output.writeJson(
			context.markSimulated({
				zone: toZoneJson(zone),
				rehearsal: true,
				...rehearsal,
				refused: rehearsal.refused ?? null,
				next,
			}),
		);
	await output.writeText(
		`${formatRehearsal(zone, rehearsal)}${next.length === 0 ? '' : '\n'}${formatNextCommands(next)}`,
	);
}

function formatRehearsal({label}: MigrationZone, rehearsal: Rehearsal): string {
	const {ended: finalState, fingerprint, refused: refusal, sameAsPlanned} = rehearsal;
	const verdict = sameAsPlanned
		? 'as planned: the zone ends up with exactly what was sent'
		: refusal === undefined
			? `not as planned: it ended with "${finalState}" (${stateTable[finalState].meaning})`
			: `not as planned: the simulated service rejected what was sent. ${refusal}`;
	return [
		`Rehearsal of ${label}, fingerprint ${formatFingerprint(fingerprint)}: ${verdict}\n`,
		formatDifferenceTable('Planned compared with actual', rehearsal.differences),
	]
		.filter(Boolean)
		.join('\n');
}
