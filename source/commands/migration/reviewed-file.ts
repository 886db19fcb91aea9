import {Failure} from '../../failure.ts';
import {
	computeFingerprint,
	formatFingerprint,
	type ManagedConfiguration,
	matchesFingerprint,
} from '../../migration/configuration/configuration.ts';
import type {FlowOptions} from '../../migration/flow/context.ts';
import type {MigrationFlow} from '../../migration/flow/flow.ts';
import {isSameEntryPoint, pickLaterReview} from '../../migration/flow/reviewing.ts';
import type {PlannedConfiguration} from '../../migration/journal/planned.ts';
import type {ConfigurationReview, MigrationRecord} from '../../migration/journal/record.ts';
import {buildMigrationCommand} from '../../migration/machine/next-steps.ts';
import {getEntryPointMark} from '../../migration/machine/observation.ts';
import type {MigrationMode} from '../../migration/machine/stage.ts';
import {isReadyToUpdate, isSendable} from '../../migration/machine/states.ts';
import {buildAdvice} from '../../text/advice.ts';
import type {CommandContext} from '../shell/context.ts';
import {requireMatchingFingerprint} from './input.ts';
import {findLastShownPlan, findReviewFromPlan, findShownPlan} from './journal.ts';
import {buildNextStepAdvice, type OpenedMigration} from './open-migration.ts';
import {buildSendingCommand} from './plan.ts';

type SendRequest = {
	readonly mode: MigrationMode;
	/** The configuration in `file`, if a file was given. */
	readonly fileConfiguration: ManagedConfiguration | undefined;
	readonly file: string | undefined;
	readonly givenFingerprint: string | undefined;
};

/** A reviewed configuration with its review. */
type ReviewedConfiguration = {
	readonly configuration: ManagedConfiguration;
	readonly review: ConfigurationReview;
};

/**
 * Returns the configuration to send: from the file if a plan showed it, from the plan with the given
 * fingerprint, or from the journal; with its latest review, from the plan or the journal. Records nothing.
 * Fails with `unreviewed` if no plan showed it, and with `input_malformed` if the file cannot be sent.
 */
export async function loadConfigurationToSend(
	context: CommandContext,
	flow: MigrationFlow,
	openedMigration: OpenedMigration,
	{mode, fileConfiguration, file, givenFingerprint}: SendRequest,
	flowOptions: FlowOptions,
): Promise<ReviewedConfiguration> {
	const {reviewed} = flow.record;
	if (fileConfiguration) {
		const review = findLatestReview(context, flow, openedMigration, fileConfiguration);
		if (!review) {
			// A configuration with errors was never saved as reviewed, so its errors are reported first.
			await flow.check(fileConfiguration, flowOptions);
			throw buildNotShownFailure(flow, file ?? '-');
		}
		return {configuration: fileConfiguration, review};
	}
	const recordedConfiguration = await flow.readReviewedConfiguration();
	if (
		recordedConfiguration &&
		reviewed &&
		(givenFingerprint === undefined || matchesFingerprint(givenFingerprint, reviewed.fingerprint))
	) {
		if (givenFingerprint === undefined && !context.output.json)
			context.output.sayIfInteractive('Using the configuration last reviewed here.');
		return {
			configuration: recordedConfiguration,
			review: findLatestReview(context, flow, openedMigration, recordedConfiguration) ?? reviewed,
		};
	}
	const shownPlan =
		givenFingerprint === undefined ? undefined : findShownPlan(context, openedMigration, givenFingerprint);
	if (shownPlan) return {configuration: shownPlan.configuration, review: shownPlan.review};
	if (reviewed && givenFingerprint !== undefined)
		requireMatchingFingerprint(givenFingerprint, reviewed.fingerprint, 'the configuration reviewed here');
	const lastPlan = givenFingerprint === undefined ? findLastShownPlan(context, openedMigration) : undefined;
	// A plan is no longer sendable if it was made for another entry point.
	const isStillSendable =
		lastPlan &&
		isSameEntryPoint(flow.record.seen && getEntryPointMark(flow.record.seen), lastPlan.review.entryPoint);
	throw isStillSendable
		? buildUnnamedReviewFailure(flow, mode, lastPlan)
		: buildNothingReviewedFailure(flow, givenFingerprint);
}

/** Returns the latest review of a configuration, from the last plan or from the journal. */
function findLatestReview(
	context: CommandContext,
	{record: {reviewed}}: MigrationFlow,
	openedMigration: OpenedMigration,
	configuration: ManagedConfiguration,
): ConfigurationReview | undefined {
	const journalReview = reviewed?.fingerprint === computeFingerprint(configuration) ? reviewed : undefined;
	return pickLaterReview(
		journalReview,
		findReviewFromPlan(context, openedMigration, configuration),
		openedMigration.client.clock.now(),
	);
}

/**
 * Returns the fingerprint of the configuration to send; undefined if that is the one reviewed in the journal
 * and there is no file.
 */
export function getRequestedFingerprint(
	context: CommandContext,
	{record: {reviewed}}: MigrationFlow,
	openedMigration: OpenedMigration,
	{fileConfiguration, givenFingerprint}: SendRequest,
): string | undefined {
	if (fileConfiguration) return computeFingerprint(fileConfiguration);
	if (
		givenFingerprint === undefined ||
		(reviewed && matchesFingerprint(givenFingerprint, reviewed.fingerprint))
	)
		return undefined;
	return findShownPlan(context, openedMigration, givenFingerprint)?.review.fingerprint ?? givenFingerprint;
}

/** Records a confirmed configuration as reviewed and about to be sent. */
export async function recordReview(
	flow: MigrationFlow,
	{configuration, review}: ReviewedConfiguration,
	mode: MigrationMode,
): Promise<void> {
	const {reviewed, state} = flow.record;
	const isRecorded = reviewed?.fingerprint === computeFingerprint(configuration) && reviewed.at === review.at;
	if (!isRecorded || !isSendable(state) || !isModeRecorded(flow.record, mode))
		await flow.review(configuration, review, mode);
}

/**
 * True if this mode is already recorded for the reviewed configuration. Once the user has confirmed that the
 * previous version may be turned off, only the deployment counts. `resume` continues only in a recorded mode.
 */
const isModeRecorded = ({state, goal}: MigrationRecord, mode: MigrationMode): boolean =>
	goal === mode && (!isReadyToUpdate(state) || mode === 'pending');

const buildNotShownFailure = ({zone}: MigrationFlow, file: string): Failure =>
	new Failure('unreviewed', `This configuration was not reviewed for ${zone.label}; nothing was sent.`, {
		why: 'Before it is sent, see what it changes and what is lost.',
		next: buildAdvice`Review it: \`${buildMigrationCommand(zone, 'plan', file)}\``,
	});

const buildNothingReviewedFailure = (
	{record, zone}: MigrationFlow,
	fingerprint: string | undefined,
): Failure =>
	new Failure(
		'unreviewed',
		`No configuration${fingerprint === undefined ? '' : ` with the fingerprint ${fingerprint}`} was reviewed for ${zone.label}; nothing was sent.`,
		{next: buildNextStepAdvice(zone, record)},
	);

const buildUnnamedReviewFailure = (
	{zone}: MigrationFlow,
	mode: MigrationMode,
	{configuration}: PlannedConfiguration,
): Failure =>
	new Failure('unreviewed', `No configuration was specified; nothing was sent to ${zone.label}.`, {
		why: `The last plan shown has the fingerprint ${formatFingerprint(computeFingerprint(configuration))}.`,
		next: buildAdvice`To send that one: \`${buildSendingCommand(zone, mode === 'pending' ? 'deploy' : 'validate', configuration)}\``,
	});
