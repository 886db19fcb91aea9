import {Failure} from '../../failure.ts';
import {
	type Configuration,
	fingerprint,
	isFingerprint,
	shownFingerprint,
} from '../../migration/configuration/configuration.ts';
import type {MigrationFlow} from '../../migration/flow/flow.ts';
import type {FlowWork} from '../../migration/flow/parts.ts';
import {isSameMark, laterReview} from '../../migration/flow/reviewing.ts';
import type {Planned} from '../../migration/journal/planned.ts';
import type {MigrationRecord, Reviewed} from '../../migration/journal/record.ts';
import {migrationCommand} from '../../migration/machine/next-steps.ts';
import {markOf} from '../../migration/machine/observation.ts';
import type {Mode} from '../../migration/machine/stage.ts';
import {isReadyToUpdate, isSendable} from '../../migration/machine/states.ts';
import {advice} from '../../text/advice.ts';
import type {CommandContext} from '../shell/context.ts';
import {refuseOther} from './input.ts';
import {lastShown, plannedBefore, shownBefore} from './journal.ts';
import {sendingCommand} from './plan.ts';
import {type OpenedMigration, onwardCommands} from './zone.ts';

type Wanted = {
	readonly mode: Mode;
	/** The configuration of the file, and its name on the command line. */
	readonly given: Configuration | undefined;
	readonly file: string | undefined;
	readonly digits: string | undefined;
};

/** A reviewed configuration, and what its review was made from. */
type ToSend = {readonly configuration: Configuration; readonly basis: Reviewed};

/**
 * Returns what to send: from the file, whose fingerprint proves its review, from a plan shown with that
 * fingerprint, or from the journal. The review is the last plan shown of it, or a later one in the journal.
 * Records nothing. Fails with `unreviewed` if it was never shown, and with `input_malformed` if the file
 * cannot be sent.
 */
export async function reviewedToSend(
	context: CommandContext,
	flow: MigrationFlow,
	opened: OpenedMigration,
	{mode, given, file, digits}: Wanted,
	work: FlowWork,
): Promise<ToSend> {
	const {reviewed} = flow.record;
	if (given) {
		const basis = basisFor(context, flow, opened, given);
		if (!basis) {
			// The plan of an unsendable configuration is no review, so its errors come first.
			await flow.check(given, work);
			throw notShown(flow, file ?? '-');
		}
		return {configuration: given, basis};
	}
	const kept = await flow.reviewed();
	if (kept && reviewed && (digits === undefined || isFingerprint(digits, reviewed.fingerprint))) {
		if (digits === undefined && !context.output.json)
			context.output.mention('What was reviewed here last is sent.');
		return {configuration: kept, basis: basisFor(context, flow, opened, kept) ?? reviewed};
	}
	const planned = digits === undefined ? undefined : plannedBefore(context, opened, digits);
	if (planned) return {configuration: planned.configuration, basis: planned.reviewed};
	if (reviewed && digits !== undefined) refuseOther(digits, reviewed.fingerprint, 'what was reviewed here');
	const last = digits === undefined ? lastShown(context, opened) : undefined;
	// A plan shown for another entry point could not be sent.
	const isSendableYet =
		last && isSameMark(flow.record.seen && markOf(flow.record.seen), last.reviewed.entryPoint);
	throw isSendableYet ? notSaidWhich(flow, mode, last) : nothingReviewed(flow, digits);
}

/** Returns the later review of a configuration: the plan that was shown, or the one in the journal. */
function basisFor(
	context: CommandContext,
	{record: {reviewed}}: MigrationFlow,
	opened: OpenedMigration,
	configuration: Configuration,
): Reviewed | undefined {
	const known = reviewed?.fingerprint === fingerprint(configuration) ? reviewed : undefined;
	return laterReview(known, shownBefore(context, opened, configuration), opened.client.clock.now());
}

/** Returns the fingerprint that a command asks for; undefined if it is the one reviewed in the journal. */
export function digitsAsked(
	context: CommandContext,
	{record: {reviewed}}: MigrationFlow,
	opened: OpenedMigration,
	{given, digits}: Wanted,
): string | undefined {
	if (given) return fingerprint(given);
	if (digits === undefined || (reviewed && isFingerprint(digits, reviewed.fingerprint))) return undefined;
	return plannedBefore(context, opened, digits)?.reviewed.fingerprint ?? digits;
}

/** Records a confirmed configuration as reviewed and about to be sent. */
export async function recordReview(
	flow: MigrationFlow,
	{configuration, basis}: ToSend,
	mode: Mode,
): Promise<void> {
	const {reviewed, state} = flow.record;
	const isKnown = reviewed?.fingerprint === fingerprint(configuration) && reviewed.at === basis.at;
	if (!isKnown || !isSendable(state) || !isChosen(flow.record, mode))
		await flow.review(configuration, basis, mode);
}

/**
 * True if this path was chosen for the reviewed configuration: only then `resume` takes it, whatever blocks
 * it now.
 */
const isChosen = ({state, goal}: MigrationRecord, mode: Mode): boolean =>
	goal === mode && (!isReadyToUpdate(state) || mode === 'pending');

const notShown = ({zone}: MigrationFlow, file: string): Failure =>
	new Failure('unreviewed', `No plan of this configuration was shown for ${zone.label}; nothing was sent.`, {
		why: 'What it changes, and what is lost, has to be seen before it is sent.',
		next: advice`Review it: \`${migrationCommand(zone, 'plan', file)}\``,
	});

const nothingReviewed = ({record, zone}: MigrationFlow, digits: string | undefined): Failure =>
	new Failure(
		'unreviewed',
		`No configuration${digits === undefined ? '' : ` with the fingerprint ${digits}`} was reviewed for ${zone.label}; nothing was sent.`,
		{next: onwardCommands(zone, record)},
	);

const notSaidWhich = ({zone}: MigrationFlow, mode: Mode, {configuration}: Planned): Failure =>
	new Failure('unreviewed', `Which configuration is meant was not said; nothing was sent to ${zone.label}.`, {
		why: `The plan that was shown last has the fingerprint ${shownFingerprint(fingerprint(configuration))}.`,
		next: advice`If that is the one: \`${sendingCommand(zone, mode === 'pending' ? 'deploy' : 'validate', configuration)}\``,
	});
