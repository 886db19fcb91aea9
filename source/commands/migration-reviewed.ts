import {Failure} from '../failure.ts';
import {type Configuration, fingerprint} from '../migration/configuration.ts';
import type {MigrationFlow} from '../migration/flow.ts';
import {migrationCommand} from '../migration/onward.ts';
import type {MigrationRecord} from '../migration/record.ts';
import {laterReview} from '../migration/reviewing.ts';
import type {Mode} from '../migration/stage.ts';
import {isSendable} from '../migration/state-groups.ts';
import type {CommandContext} from './context.ts';
import {refuseOther} from './migration-input.ts';
import {shownBefore} from './migration-kept.ts';
import {type OpenedMigration, onwardCommands} from './migration-zone.ts';

export type Wanted = {
	readonly mode: Mode;
	/** What is in the file, and the word for it on the command line. */
	readonly given: Configuration | undefined;
	readonly file: string | undefined;
	readonly digits: string | undefined;
};

/**
 * What is to be sent: out of the file, which its fingerprint says was reviewed, or out of the journal (decision 33). The
 * review of a file is the plan of it that was shown last, or a later one in the journal. Fails with `unreviewed` where
 * nobody was shown it.
 */
export async function reviewedToSend(
	context: CommandContext,
	flow: MigrationFlow,
	opened: OpenedMigration,
	{mode, given, file, digits}: Wanted,
): Promise<Configuration> {
	if (given) {
		const shown = shownBefore(context, opened, given);
		const known = flow.record.reviewed?.fingerprint === fingerprint(given) ? flow.record.reviewed : undefined;
		const basis = laterReview(known, shown, opened.client.pace.now());
		if (!basis) throw notShown(flow, file ?? '-');
		if (basis !== known || !isSendable(flow.record.state) || !isChosen(flow.record, mode))
			await flow.review(given, basis, mode);
		return given;
	}
	const kept = await flow.reviewed();
	const {reviewed} = flow.record;
	if (!kept || !reviewed) throw nothingReviewed(flow);
	if (digits !== undefined) refuseOther(digits, reviewed.fingerprint, 'what was reviewed here');
	else if (!context.output.json) context.output.mention('What was reviewed here last is sent.');
	if (isSendable(flow.record.state) && !isChosen(flow.record, mode)) await flow.review(kept, reviewed, mode);
	return kept;
}

/** Whether this path was chosen for what was reviewed: only that goes by `resume`, whatever hinders it now. */
const isChosen = ({state, goal}: MigrationRecord, mode: Mode): boolean =>
	goal === mode && (state !== 'ready to update' || mode === 'pending');

const notShown = ({zone}: MigrationFlow, file: string): Failure =>
	new Failure('unreviewed', `No plan of this configuration was shown for ${zone.label}; nothing was sent.`, {
		why: 'What it changes, and what is lost, has to be seen before it is sent.',
		next: `Review it: \`${migrationCommand(zone, 'plan', file)}\``,
	});

const nothingReviewed = ({record, zone}: MigrationFlow): Failure =>
	new Failure('unreviewed', `No configuration was reviewed for ${zone.label}; nothing was sent.`, {
		next: onwardCommands(zone, record),
	});
