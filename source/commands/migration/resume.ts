import {Failure} from '../../failure.ts';
import {shownFingerprint} from '../../migration/configuration/configuration.ts';
import {createFlow} from '../../migration/flow/flow.ts';
import type {FlowWork} from '../../migration/flow/parts.ts';
import {resume} from '../../migration/flow/resume.ts';
import type {MigrationRecord} from '../../migration/journal/record.ts';
import {migrationCommand} from '../../migration/machine/next-steps.ts';
import type {Mode} from '../../migration/machine/stage.ts';
import {next} from '../../migration/machine/transitions.ts';
import {placeOfZone} from '../../session/write-place.ts';
import {advice} from '../../text/advice.ts';
import type {CommandContext} from '../shell/context.ts';
import {defineCommand, switchOption} from '../shell/declare.ts';
import {wordsOf} from './confirmation.ts';
import {openedJournal, recordOf} from './journal.ts';
import {type ConfirmingOptions, confirmingOptions} from './options.ts';
import {stepTeller} from './progress.ts';
import {driftLines} from './text.ts';
import {ending} from './watch.ts';
import {openMigration} from './zone.ts';

type ResumeOptions = ConfirmingOptions & {takeOver?: boolean; watch?: boolean};

/**
 * `migration resume`: continues from the journal and the state of the service; never repeats a PUT unless it
 * is confirmed again.
 */
export const migrationResumeCommand = defineCommand({
	usage: 'resume',
	summary: 'resume an interrupted migration; sends again only what is confirmed again',
	example: 'migration resume --zone example.com --confirm example.com',
	writes: true,
	sample: '--zone acme.example --confirm acme.example',
	options: () => [
		...confirmingOptions(),
		switchOption(
			'--take-over',
			'show what others changed, drop the review, and continue from the current rules',
		),
		switchOption('--no-watch', 'end as soon as the service has taken it'),
	],
	run: (context, options) => resumeMigration(context, options),
});

/** Resumes a migration, in the zone `zoneId` if given. */
export async function resumeMigration(
	context: CommandContext,
	options: ResumeOptions,
	zoneId?: string,
): Promise<void> {
	context.refuseWhenReadOnly('resuming a migration');
	const named = zoneId === undefined ? undefined : {value: zoneId, from: 'the journal'};
	const opened = await openMigration(context, {writes: true, named});
	const {client, zone} = opened;
	if (!recordOf(context, opened)) {
		throw new Failure('not_found', `No migration of ${zone.label} was begun here.`, {
			why: 'Journals are kept on the machine where a migration is begun.',
			next: advice`See how the zone stands: \`${migrationCommand(zone, 'status')}\``,
		});
	}
	await context.announceWrite(placeOfZone(zone));
	await using kept = await openedJournal(context, opened);
	const flow = createFlow({client, zone, journal: kept.journal});
	using teller = stepTeller(context);
	const work: FlowWork = {signal: context.signal, onStep: teller.step};
	if (options.takeOver) {
		// What `status` saw is not in the journal, so the zone is read again.
		await flow.look(work);
		const drift = await flow.drift(work);
		if (next(flow.record.state, 'take over') !== undefined)
			for (const line of driftLines(zone, drift)) context.output.say(line);
		await flow.takeOver(work, drift);
	}
	const {dryRun} = context.options;
	const {confirm: name = dryRun ? zone.name : undefined, watch = true, withoutRulesets = false} = options;
	const confirmation = name === undefined ? undefined : {...wordsOf(options), zone: name};
	const tells = (mode: Mode, {reviewed}: MigrationRecord) =>
		context.output.say(`${goingOn[mode]} Fingerprint ${shownFingerprint(reviewed?.fingerprint ?? '')}.`);
	await context.auditedWrites(placeOfZone(zone), async steps => {
		await resume(flow, {confirmation, tells, watches: watch}, {...work, ...steps});
	});
	if (dryRun) return;
	await ending(context, flow, opened, {watch, withoutRulesets, teller});
}

/** Names the next PUT, which was chosen in an earlier run. */
const goingOn: Readonly<Record<Mode, string>> = {
	pending: 'What goes now is the deployment: the previous version goes off with it, and it cannot be undone.',
	validation: 'What goes now is the validation: both versions are on with it, the new one first.',
};
