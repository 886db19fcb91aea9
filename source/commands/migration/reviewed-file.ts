import {Failure} from '../../failure.ts';
import {
	computeFingerprint,
	formatFingerprint,
	type ManagedConfiguration,
	matchesFingerprint,
} from '../../migration/configuration/configuration.ts';
import type {MigrationFlow} from '../../migration/flow/flow.ts';
import type {FlowWork} from '../../migration/flow/parts.ts';
import {isSameEntryPoint, pickLaterReview} from '../../migration/flow/reviewing.ts';
import type {PlannedConfiguration} from '../../migration/journal/planned.ts';
import type {ConfigurationReview, MigrationRecord} from '../../migration/journal/record.ts';
import {buildMigrationCommand} from '../../migration/machine/next-steps.ts';
import {getEntryPointMark} from '../../migration/machine/observation.ts';
import type {MigrationMode} from '../../migration/machine/stage.ts';
import {isReadyToUpdate, isSendable} from '../../migration/machine/states.ts';
import {buildAdvice} from '../../text/advice.ts';
import type {CommandContext} from '../shell/context.ts';
import {refuseOtherFingerprint} from './input.ts';
import {findLastShownPlan, findShownPlan, findShownReview} from './journal.ts';
import {buildSendingCommand} from './plan.ts';
import {buildNextStepAdvice, type OpenedMigration} from './zone.ts';

type SendRequest = {
	readonly mode: MigrationMode;
	/** The configuration of the file, and its name on the command line. */
	readonly given: ManagedConfiguration | undefined;
	readonly file: string | undefined;
	readonly digits: string | undefined;
};

/** A reviewed configuration, and what its review was made from. */
type ReviewedConfiguration = {
	readonly configuration: ManagedConfiguration;
	readonly basis: ConfigurationReview;
};

/**
 * Returns what to send: from the file, whose fingerprint proves its review, from a plan shown with that
 * fingerprint, or from the journal. The review is the last plan shown of it, or a later one in the journal.
 * Records nothing. Fails with `unreviewed` if it was never shown, and with `input_malformed` if the file
 * cannot be sent.
 */
export async function loadConfigurationToSend(
	context: CommandContext,
	flow: MigrationFlow,
	opened: OpenedMigration,
	{mode, given, file, digits}: SendRequest,
	work: FlowWork,
): Promise<ReviewedConfiguration> {
	const {reviewed} = flow.record;
	if (given) {
		const basis = findReviewBasis(context, flow, opened, given);
		if (!basis) {
			// The plan of an unsendable configuration is no review, so its errors come first.
			await flow.check(given, work);
			throw buildNotShownFailure(flow, file ?? '-');
		}
		return {configuration: given, basis};
	}
	const recorded = await flow.readReviewedConfiguration();
	if (recorded && reviewed && (digits === undefined || matchesFingerprint(digits, reviewed.fingerprint))) {
		if (digits === undefined && !context.output.json)
			context.output.mention('What was reviewed here last is sent.');
		return {configuration: recorded, basis: findReviewBasis(context, flow, opened, recorded) ?? reviewed};
	}
	const planned = digits === undefined ? undefined : findShownPlan(context, opened, digits);
	if (planned) return {configuration: planned.configuration, basis: planned.reviewed};
	if (reviewed && digits !== undefined)
		refuseOtherFingerprint(digits, reviewed.fingerprint, 'what was reviewed here');
	const last = digits === undefined ? findLastShownPlan(context, opened) : undefined;
	// A plan shown for another entry point could not be sent.
	const isSendableYet =
		last &&
		isSameEntryPoint(flow.record.seen && getEntryPointMark(flow.record.seen), last.reviewed.entryPoint);
	throw isSendableYet
		? buildUnnamedReviewFailure(flow, mode, last)
		: buildNothingReviewedFailure(flow, digits);
}

/** Returns the later review of a configuration: the plan that was shown, or the one in the journal. */
function findReviewBasis(
	context: CommandContext,
	{record: {reviewed}}: MigrationFlow,
	opened: OpenedMigration,
	configuration: ManagedConfiguration,
): ConfigurationReview | undefined {
	const known = reviewed?.fingerprint === computeFingerprint(configuration) ? reviewed : undefined;
	return pickLaterReview(known, findShownReview(context, opened, configuration), opened.client.clock.now());
}

/** Returns the fingerprint that a command asks for; undefined if it is the one reviewed in the journal. */
export function getRequestedFingerprint(
	context: CommandContext,
	{record: {reviewed}}: MigrationFlow,
	opened: OpenedMigration,
	{given, digits}: SendRequest,
): string | undefined {
	if (given) return computeFingerprint(given);
	if (digits === undefined || (reviewed && matchesFingerprint(digits, reviewed.fingerprint)))
		return undefined;
	return findShownPlan(context, opened, digits)?.reviewed.fingerprint ?? digits;
}

/** Records a confirmed configuration as reviewed and about to be sent. */
export async function recordReview(
	flow: MigrationFlow,
	{configuration, basis}: ReviewedConfiguration,
	mode: MigrationMode,
): Promise<void> {
	const {reviewed, state} = flow.record;
	const isKnown = reviewed?.fingerprint === computeFingerprint(configuration) && reviewed.at === basis.at;
	if (!isKnown || !isSendable(state) || !isChosen(flow.record, mode))
		await flow.review(configuration, basis, mode);
}

/**
 * True if this path was chosen for the reviewed configuration: only then `resume` takes it, whatever blocks
 * it now.
 */
const isChosen = ({state, goal}: MigrationRecord, mode: MigrationMode): boolean =>
	goal === mode && (!isReadyToUpdate(state) || mode === 'pending');

const buildNotShownFailure = ({zone}: MigrationFlow, file: string): Failure =>
	new Failure('unreviewed', `No plan of this configuration was shown for ${zone.label}; nothing was sent.`, {
		why: 'What it changes, and what is lost, has to be seen before it is sent.',
		next: buildAdvice`Review it: \`${buildMigrationCommand(zone, 'plan', file)}\``,
	});

const buildNothingReviewedFailure = ({record, zone}: MigrationFlow, digits: string | undefined): Failure =>
	new Failure(
		'unreviewed',
		`No configuration${digits === undefined ? '' : ` with the fingerprint ${digits}`} was reviewed for ${zone.label}; nothing was sent.`,
		{next: buildNextStepAdvice(zone, record)},
	);

const buildUnnamedReviewFailure = (
	{zone}: MigrationFlow,
	mode: MigrationMode,
	{configuration}: PlannedConfiguration,
): Failure =>
	new Failure('unreviewed', `Which configuration is meant was not said; nothing was sent to ${zone.label}.`, {
		why: `The plan that was shown last has the fingerprint ${formatFingerprint(computeFingerprint(configuration))}.`,
		next: buildAdvice`If that is the one: \`${buildSendingCommand(zone, mode === 'pending' ? 'deploy' : 'validate', configuration)}\``,
	});
