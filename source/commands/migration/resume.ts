import {Failure} from '../../failure.ts';
import {formatFingerprint} from '../../migration/configuration/configuration.ts';
import type {FlowOptions} from '../../migration/flow/context.ts';
import {createFlow} from '../../migration/flow/flow.ts';
import {resumeFlow} from '../../migration/flow/resume.ts';
import type {MigrationRecord} from '../../migration/journal/record.ts';
import {buildMigrationCommand} from '../../migration/machine/next-steps.ts';
import type {MigrationMode} from '../../migration/machine/stage.ts';
import {getNextState} from '../../migration/machine/transitions.ts';
import {toZonePlace} from '../../session/write-place.ts';
import {buildAdvice} from '../../text/advice.ts';
import type {CommandContext} from '../shell/context.ts';
import {createSwitchOption, defineCommand} from '../shell/declare.ts';
import {pickConfirmations} from './confirmation.ts';
import {findZoneRecord, openZoneJournal} from './journal.ts';
import {openMigration} from './open-migration.ts';
import {buildConfirmingOptions, type ConfirmingOptions} from './options.ts';
import {createStepReporter} from './progress.ts';
import {formatDrift} from './text.ts';
import {finishSend} from './watch.ts';

type ResumeOptions = ConfirmingOptions & {takeOver?: boolean; watch?: boolean};

/**
 * `migration resume`: continues from the journal and the state of the service; repeats a PUT only if it is
 * confirmed again.
 */
export const migrationResumeCommand = defineCommand({
	usage: 'resume',
	summary: 'resume an interrupted migration; sends again only what is confirmed again',
	example: 'migration resume --zone example.com --confirm example.com',
	refusedByReadOnly: true,
	sampleArguments: '--zone acme.example --confirm acme.example',
	options: () => [
		...buildConfirmingOptions(),
		createSwitchOption(
			'--take-over',
			'show what others changed, drop the review, and continue from the current rules',
		),
		createSwitchOption('--no-watch', 'exit as soon as the service accepts it'),
	],
	run: (context, options) => resumeMigration(context, options),
});

/** Resumes the migration of the active zone, or of the zone `zoneId` if given. */
export async function resumeMigration(
	context: CommandContext,
	options: ResumeOptions,
	zoneId?: string,
): Promise<void> {
	context.refuseWhenReadOnly('resuming a migration');
	const recordedId = zoneId === undefined ? undefined : {value: zoneId, from: 'the journal'};
	const openedMigration = await openMigration(context, {writes: true, recordedId});
	const {client, zone} = openedMigration;
	if (!findZoneRecord(context, openedMigration)) {
		throw new Failure('not_found', `No migration of ${zone.label} was started on this machine.`, {
			why: 'Journals are kept on the machine where a migration was started.',
			next: buildAdvice`Check the zone's status: \`${buildMigrationCommand(zone, 'status')}\``,
		});
	}
	await context.announceWrite(toZonePlace(zone));
	await using zoneJournal = await openZoneJournal(context, openedMigration);
	const flow = createFlow({client, zone, journal: zoneJournal.journal});
	using reporter = createStepReporter(context);
	const flowOptions: FlowOptions = {signal: context.signal, onStep: reporter.reportStep};
	if (options.takeOver) {
		// What `status` saw is not in the journal, so the zone is read again.
		await flow.observe(flowOptions);
		const drift = await flow.readDrift(flowOptions);
		if (getNextState(flow.record.state, 'take over') !== undefined)
			for (const line of formatDrift(zone, drift)) context.output.say(line);
		await flow.takeOver(flowOptions, drift);
	}
	const {dryRun} = context.options;
	const {confirm: name = dryRun ? zone.name : undefined, watch = true, withoutRulesets = false} = options;
	const confirmation = name === undefined ? undefined : {...pickConfirmations(options), zone: name};
	const printNextSend = (mode: MigrationMode, {reviewed}: MigrationRecord) =>
		context.output.say(
			`${nextSendTexts[mode]} Fingerprint ${formatFingerprint(reviewed?.fingerprint ?? '')}.`,
		);
	await context.auditWrites(toZonePlace(zone), async auditHooks => {
		await resumeFlow(
			flow,
			{confirmation, onBeforeSend: printNextSend, shouldWatch: watch},
			{...flowOptions, ...auditHooks},
		);
	});
	if (dryRun) return;
	await finishSend(context, flow, openedMigration, {watch, withoutRulesets, reporter});
}

/** Announcements of the next PUT, whose mode was chosen in an earlier run. */
const nextSendTexts: Readonly<Record<MigrationMode, string>> = {
	pending: "Sending the deployment now: it turns the previous version off, and can't be undone.",
	validation: 'Sending the validation now: both versions will be on, the new one first.',
};
