import {computeFingerprint} from '../../migration/configuration/configuration.ts';
import type {FlowOptions} from '../../migration/flow/context.ts';
import {createFlow} from '../../migration/flow/flow.ts';
import {refuseToSend} from '../../migration/flow/guards.ts';
import type {MigrationMode} from '../../migration/machine/stage.ts';
import {needsReadyConfirmation} from '../../migration/machine/states.ts';
import {toZonePlace} from '../../session/write-place.ts';
import type {CommandContext} from '../shell/context.ts';
import {defineCommand} from '../shell/declare.ts';
import {confirmSend} from './confirmation.ts';
import {readReviewedConfiguration} from './input.ts';
import {openZoneJournal} from './journal.ts';
import {openMigration} from './open-migration.ts';
import {buildSendingOptions, type SendingOptions} from './options.ts';
import {createStepReporter} from './progress.ts';
import {getRequestedFingerprint, loadConfigurationToSend, recordReview} from './reviewed-file.ts';
import {finishSend} from './watch.ts';

/** `migration validate`: both versions active, the new one first; Enterprise only. */
export const migrationValidateCommand = defineCommand({
	usage: 'validate [FILE]',
	summary:
		'run the reviewed configuration alongside the previous version, to test it on live traffic (Enterprise)',
	example:
		'migration validate configuration.json --zone example.com --fingerprint 7c1e09ab44d2f013 --confirm example.com',
	refusedByReadOnly: 'starting validation of the new managed rules',
	sampleArguments: '--zone acme.example --confirm acme.example',
	options: buildSendingOptions,
	run: (context, options, file) => sendReviewed(context, 'validation', options, file),
});

/** `migration deploy`: replaces the previous version with the new one. Cannot be undone. */
export const migrationDeployCommand = defineCommand({
	usage: 'deploy [FILE]',
	summary: "activate the reviewed configuration and turn the previous version off; can't be undone",
	example:
		'migration deploy configuration.json --zone example.com --fingerprint 7c1e09ab44d2f013 --confirm example.com',
	refusedByReadOnly: 'turning the previous managed rules off',
	sampleArguments: '--zone acme.example --confirm acme.example',
	options: buildSendingOptions,
	run: (context, options, file) => sendReviewed(context, 'pending', options, file),
});

async function sendReviewed(
	context: CommandContext,
	mode: MigrationMode,
	options: SendingOptions,
	file: string | undefined,
): Promise<void> {
	const fileConfiguration =
		file === undefined ? undefined : await readReviewedConfiguration(context, file, options.fingerprint);
	const openedMigration = await openMigration(context, {writes: true});
	await context.announceWrite(toZonePlace(openedMigration.zone));
	await using zoneJournal = await openZoneJournal(context, openedMigration);
	const flow = createFlow({
		client: openedMigration.client,
		zone: openedMigration.zone,
		journal: zoneJournal.journal,
	});
	using reporter = createStepReporter(context);
	const flowOptions: FlowOptions = {signal: context.signal, onStep: reporter.reportStep};
	const request = {mode, fileConfiguration, file, givenFingerprint: options.fingerprint};
	const requestedFingerprint = getRequestedFingerprint(context, flow, openedMigration, request);
	// An unconfirmed request changes nothing; a confirmed one replaces the earlier request, even if it is
	// blocked.
	if (options.confirm === openedMigration.zone.name) await flow.requestPut(mode, requestedFingerprint);
	await flow.observe(flowOptions);
	refuseToSend(openedMigration.zone, flow.record, mode);
	const reviewedConfiguration = await loadConfigurationToSend(
		context,
		flow,
		openedMigration,
		request,
		flowOptions,
	);
	const confirmation = await confirmSend(
		context,
		flow,
		reviewedConfiguration.configuration,
		mode,
		options,
		flowOptions,
	);
	await flow.requestPut(mode, computeFingerprint(reviewedConfiguration.configuration));
	await recordReview(flow, reviewedConfiguration, mode);
	if (mode === 'pending' && needsReadyConfirmation(flow.record.state)) await flow.markReady();
	await context.auditWrites(toZonePlace(openedMigration.zone), auditHooks =>
		flow.send(mode, confirmation, {...flowOptions, ...auditHooks}),
	);
	if (context.options.dryRun) return;
	const {watch = true, withoutRulesets = false} = options;
	await finishSend(context, flow, openedMigration, {watch, withoutRulesets, reporter});
}
