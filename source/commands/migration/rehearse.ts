import {shownFingerprint} from '../../migration/configuration/configuration.ts';
import {type Rehearsal, rehearse} from '../../migration/flow/rehearsal.ts';
import {migrationCommand} from '../../migration/machine/next-steps.ts';
import {stateTable} from '../../migration/machine/states.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import {qualified} from '../../session/qualify-commands.ts';
import type {CommandContext} from '../shell/context.ts';
import {choiceOption, defineCommand} from '../shell/declare.ts';
import {configurationIn} from './input.ts';
import {shownBefore} from './journal.ts';
import {sendingCommand, toReview} from './plan.ts';
import {differences} from './plan-text.ts';
import {onwardLines, zoneJson} from './text.ts';
import {openMigration, readZone} from './zone.ts';

const paths = ['direct', 'validation'] as const;

/** `migration rehearse`: reads the zone, and runs the whole flow on the simulated service. */
export const migrationRehearseCommand = defineCommand({
	usage: 'rehearse [FILE]',
	summary: 'run the whole migration on a simulated copy of the zone; nothing is written to the zone',
	example: 'migration rehearse configuration.json --zone example.com --path validation',
	sample: '--zone acme.example',
	options: () => [choiceOption('--path <path>', 'at once, or through validation (direct)', paths)],
	run: (context, {path = 'direct'}, file) => run(context, path, file),
});

async function run(
	context: CommandContext,
	path: (typeof paths)[number],
	file: string | undefined,
): Promise<void> {
	const {output, signal} = context;
	const given = file === undefined ? undefined : await configurationIn(context, file);
	const opened = await openMigration(context, {writes: false});
	const {zone} = opened;
	const snapshot = await readZone(context, opened);
	const configuration = given ?? toReview(snapshot);
	const done = await rehearse(
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
	if (!done.sameAsPlanned) context.answer(1);
	const word = path === 'direct' ? 'deploy' : 'validate';
	// A configuration that no plan has shown could not be sent.
	const isShown = shownBefore(context, opened, configuration) !== undefined;
	const named = file === undefined ? [] : [file];
	const onward = !done.sameAsPlanned
		? []
		: [isShown ? sendingCommand(zone, word, configuration, file) : migrationCommand(zone, 'plan', ...named)];
	const next = onward.map(command => qualified(command, context.options));
	if (output.json)
		return output.value(
			context.marked({zone: zoneJson(zone), rehearsal: true, ...done, refused: done.refused ?? null, next}),
		);
	await output.text(`${rehearsalText(zone, done)}${next.length === 0 ? '' : '\n'}${onwardLines(next)}`);
}

function rehearsalText({label}: MigrationZone, done: Rehearsal): string {
	const {ended, fingerprint, refused, sameAsPlanned} = done;
	const verdict = sameAsPlanned
		? 'as planned: the zone then has exactly what was sent'
		: refused === undefined
			? `not as planned: it ended with "${ended}" (${stateTable[ended].means})`
			: `not as planned: the simulated service refused what was sent. ${refused}`;
	return [
		`Rehearsal of ${label}, fingerprint ${shownFingerprint(fingerprint)}: ${verdict}\n`,
		differences('Planned against what was there', done.differences),
	]
		.filter(Boolean)
		.join('\n');
}
