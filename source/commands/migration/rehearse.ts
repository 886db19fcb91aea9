import {formatFingerprint} from '../../migration/configuration/configuration.ts';
import {type Rehearsal, rehearseMigration} from '../../migration/flow/rehearsal.ts';
import {buildMigrationCommand} from '../../migration/machine/next-steps.ts';
import {stateTable} from '../../migration/machine/states.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import {qualifyAdvice} from '../../session/qualify-commands.ts';
import type {CommandContext} from '../shell/context.ts';
import {createChoiceOption, defineCommand} from '../shell/declare.ts';
import {readConfigurationFile} from './input.ts';
import {findShownReview} from './journal.ts';
import {buildSendingCommand, getConfigurationToReview} from './plan.ts';
import {formatDifferenceTable} from './plan-text.ts';
import {formatNextCommands, toZoneJson} from './text.ts';
import {openMigration, readWholeZone} from './zone.ts';

const paths = ['direct', 'validation'] as const;

/** `migration rehearse`: reads the zone, and runs the whole flow on the simulated service. */
export const migrationRehearseCommand = defineCommand({
	usage: 'rehearse [FILE]',
	summary: 'run the whole migration on a simulated copy of the zone; nothing is written to the zone',
	example: 'migration rehearse configuration.json --zone example.com --path validation',
	sample: '--zone acme.example',
	options: () => [createChoiceOption('--path <path>', 'at once, or through validation (direct)', paths)],
	run: (context, {path = 'direct'}, file) => runRehearsal(context, path, file),
});

async function runRehearsal(
	context: CommandContext,
	path: (typeof paths)[number],
	file: string | undefined,
): Promise<void> {
	const {output, signal} = context;
	const fileConfiguration = file === undefined ? undefined : await readConfigurationFile(context, file);
	const opened = await openMigration(context, {writes: false});
	const {zone} = opened;
	const snapshot = await readWholeZone(context, opened);
	const configuration = fileConfiguration ?? getConfigurationToReview(snapshot);
	const done = await rehearseMigration(
		{
			zone,
			snapshot,
			configuration,
			goal: path === 'direct' ? 'pending' : 'validation',
			connect: context.session.startRehearsal,
		},
		{signal, onStep: sentence => output.mention(sentence)},
	);
	// A rehearsal that is not as planned is an answer, not an error.
	if (!done.sameAsPlanned) context.setExitCode(1);
	const word = path === 'direct' ? 'deploy' : 'validate';
	// A configuration that no plan has shown could not be sent.
	const isShown = findShownReview(context, opened, configuration) !== undefined;
	const fileWords = file === undefined ? [] : [file];
	const nextCommands = !done.sameAsPlanned
		? []
		: [
				isShown
					? buildSendingCommand(zone, word, configuration, file)
					: buildMigrationCommand(zone, 'plan', ...fileWords),
			];
	const next = nextCommands.map(command => qualifyAdvice(command, context.options));
	if (output.json)
		return output.value(
			context.markSimulated({
				zone: toZoneJson(zone),
				rehearsal: true,
				...done,
				refused: done.refused ?? null,
				next,
			}),
		);
	await output.text(
		`${formatRehearsal(zone, done)}${next.length === 0 ? '' : '\n'}${formatNextCommands(next)}`,
	);
}

function formatRehearsal({label}: MigrationZone, done: Rehearsal): string {
	const {ended, fingerprint, refused, sameAsPlanned} = done;
	const verdict = sameAsPlanned
		? 'as planned: the zone then has exactly what was sent'
		: refused === undefined
			? `not as planned: it ended with "${ended}" (${stateTable[ended].means})`
			: `not as planned: the simulated service refused what was sent. ${refused}`;
	return [
		`Rehearsal of ${label}, fingerprint ${formatFingerprint(fingerprint)}: ${verdict}\n`,
		formatDifferenceTable('Planned against what was there', done.differences),
	]
		.filter(Boolean)
		.join('\n');
}
