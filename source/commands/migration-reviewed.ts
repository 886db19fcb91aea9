import {Failure} from '../failure.ts';
import {type Configuration, fingerprint} from '../migration/configuration.ts';
import type {MigrationFlow} from '../migration/flow.ts';
import type {Reviewed} from '../migration/record.ts';
import type {Mode} from '../migration/stage.ts';
import type {CommandContext} from './context.ts';
import {refuseOther} from './migration-input.ts';
import {shownBefore} from './migration-kept.ts';
import {migrationCommand, type OpenedMigration} from './migration-zone.ts';

export type Wanted = {
	readonly mode: Mode;
	/** What is in the file, and the word for it on the command line. */
	readonly given: Configuration | undefined;
	readonly file: string | undefined;
	readonly digits: string | undefined;
};

/** What is to be sent: out of the file, which its fingerprint says was reviewed, or out of the journal (decision 33). */
export async function reviewedToSend(
	context: CommandContext,
	flow: MigrationFlow,
	opened: OpenedMigration,
	{mode, given, file, digits}: Wanted,
): Promise<Configuration> {
	if (given) {
		const shown = shownBefore(context, opened, given);
		await reviewFile(flow, {file: file ?? '-', given, shown}, mode);
		return given;
	}
	const kept = await flow.reviewed();
	const {reviewed} = flow.record;
	if (!kept || !reviewed) throw nothingReviewed(flow);
	if (digits !== undefined) refuseOther(digits, reviewed.fingerprint, 'what was reviewed here');
	else if (!context.output.json) context.output.mention('What was reviewed here last is sent.');
	return kept;
}

/**
 * The review of a file is the plan of it that was shown last. A review of the same in the journal counts as long as no
 * plan was made after it. Fails with `unreviewed` where nobody was shown it.
 */
async function reviewFile(
	flow: MigrationFlow,
	{
		file,
		given,
		shown,
	}: {readonly file: string; readonly given: Configuration; readonly shown?: Reviewed | undefined},
	mode: Mode,
): Promise<void> {
	const {record, zone} = flow;
	const {state, reviewed} = record;
	const known = reviewed?.fingerprint === fingerprint(given) ? reviewed : undefined;
	const isNewest = known !== undefined && (shown === undefined || shown.at <= known.at);
	if (isNewest && (state === 'reviewed' || state === 'validating' || state === 'ready to update')) return;
	const basis = isNewest ? known : shown;
	if (!basis) {
		throw new Failure(
			'unreviewed',
			`No plan of this configuration was shown for ${zone.label}; nothing was sent.`,
			{
				why: 'What it changes, and what is lost, has to be seen before it is sent.',
				next: `Review it: \`${migrationCommand(zone, 'plan', file)}\``,
			},
		);
	}
	const {proposed, entryPoint} = basis;
	await flow.review(given, {proposed, entryPoint}, mode);
}

function nothingReviewed({record, zone}: MigrationFlow): Failure {
	const file = ['--output', 'configuration.json'];
	return new Failure('unreviewed', `No configuration was reviewed for ${zone.label}; nothing was sent.`, {
		next: [
			record.seen?.stage === 'validation'
				? `Write what is in force to a file: \`${migrationCommand(zone, 'export', ...file)}\``
				: `Write what the service proposes to a file: \`${migrationCommand(zone, 'config', ...file)}\``,
			`Review it: \`${migrationCommand(zone, 'plan', 'configuration.json')}\``,
		].join('\n'),
	});
}
