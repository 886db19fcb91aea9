import {Failure} from '../../failure.ts';
import type {MigrationFlow} from '../../migration/flow/flow.ts';
import {type Verification, verificationJson} from '../../migration/flow/verification.ts';
import {cannotNow, migrationCommand, onward} from '../../migration/machine/next-steps.ts';
import {isSentAgain} from '../../migration/machine/observation.ts';
import {
	isAtWork,
	isComplete,
	isInDoubt,
	isNotTaken,
	isReviewedUnsent,
	isSendable,
	isSurprise,
	isValidating,
	stateTable,
} from '../../migration/machine/states.ts';
import {keepReportAnyway} from '../../migration/report/keep-report.ts';
import {keepWhatValidationShowed} from '../../migration/validation/keep.ts';
import {qualified} from '../../session/qualify-commands.ts';
import {advice} from '../../text/advice.ts';
import type {CommandContext} from '../shell/context.ts';
import type {StepTeller} from './progress.ts';
import {managedRulesetLines} from './report.ts';
import {recordJson, zoneJson} from './text.ts';
import {notAsReviewed, verified} from './verify.ts';
import {type OpenedMigration, onwardCommands} from './zone.ts';

type EndingOptions = {
	/** True to watch until the zone is at rest. */
	readonly watch: boolean;
	/** True if it was confirmed that no managed ruleset is deployed. */
	readonly withoutRulesets: boolean;
	readonly teller: StepTeller;
};

/**
 * Finishes a send: watches until the zone is at rest, then verifies and reports the result. Fails if it is
 * not the intended one.
 */
export async function ending(
	context: CommandContext,
	flow: MigrationFlow,
	opened: OpenedMigration,
	{watch, withoutRulesets, teller}: EndingOptions,
): Promise<void> {
	const {signal} = context;
	if (watch && isAtWork(flow.record.state)) await flow.watch({signal, onStep: teller.step});
	teller[Symbol.dispose]();
	const {state, put} = flow.record;
	const {means} = stateTable[state];
	if (isComplete(state)) return complete(context, flow, opened, withoutRulesets);
	// Validation goes on if the PUT that should have ended it never arrived.
	if (put?.mode === 'pending' && put.came === 'given up') throw unexpectedEnd(flow);
	const {zone, record} = flow;
	const commands = onward(zone, record).map(({says, words}) => ({
		says,
		command: qualified(migrationCommand(zone, ...words), context.options),
	}));
	const next = commands[0]?.command;
	const lines = commands.map(({says, command}) => `${says}: ${command}`);
	if (isValidating(state) && isSendable(state)) {
		const read = await verified(context, flow, opened);
		const failure = notAsReviewed(flow, read, withoutRulesets);
		const isOn = `Validation is on in ${zone.label}: both versions are in force, the new one first.`;
		const shown = {verification: verificationJson(read.verification)};
		if (failure) return saidAndFailed(context, flow, shown, [isOn], failure);
		return said(context, flow, {...shown, next}, [isOn, ...lines]);
	}
	if (isAtWork(state)) {
		return said(context, flow, {next}, [
			`The service has taken the configuration; it can need an hour (${means}).`,
			...lines,
		]);
	}
	throw unexpectedEnd(flow);
}

/** Builds the failure for a run that ended in an unintended state, with how to continue. */
function unexpectedEnd({record, zone}: MigrationFlow): Failure {
	const {state, put, goal} = record;
	const {means, code} = stateTable[state];
	const next = onwardCommands(zone, record);
	// Another configuration was requested after the review, and was not reviewed itself.
	const isOpen = isReviewedUnsent(state) && goal === undefined;
	if (put?.came === 'given up' && !isOpen && (!isReviewedUnsent(state) || isSentAgain(record)))
		return new Failure('service_failed', 'The service did not take what was sent.', {
			why: put.why,
			left: `Nothing of it took effect, and nothing is sent again by itself. ${zone.name}: ${means}.`,
			next: advice`To send it again, confirm it again: \`${migrationCommand(zone, 'resume', '--confirm', zone.name)}\``,
		});
	if (isOpen)
		return new Failure(
			'unreviewed',
			`What was asked for last for ${zone.label} was not reviewed; nothing was sent.`,
			{next},
		);
	if (isInDoubt(state))
		return new Failure(code, 'What became of the PUT is not known yet.', {
			why: put?.why,
			left: 'It was sent once, and is not sent again by itself.',
			next,
			outcomeUnknown: true,
		});
	if (isSurprise(state)) return cannotNow(zone, record, 'Continuing');
	// In a sendable state, or if it was not taken, the service refused what was sent.
	return isSendable(state) || isNotTaken(state)
		? new Failure('refused_by_service', `${zone.label}: ${means}.`, {why: put?.why, next})
		: new Failure(code, `${zone.label}: ${means}${put ? '.' : '; nothing was sent.'}`, {next});
}

/** Completes a migration: reads what is deployed, and keeps a report in the zone's folder. */
async function complete(
	context: CommandContext,
	flow: MigrationFlow,
	opened: OpenedMigration,
	withoutRulesets: boolean,
): Promise<void> {
	const {client, zone} = opened;
	const read = await verified(context, flow, opened);
	const {verification} = read;
	await keepWhatValidationShowed(flow, client, context.signal);
	const at = client.clock.now();
	const {path: report, failure: unkept} = await keepReportAnyway(flow, {...read, at});
	const sentences = [
		`The migration of ${zone.label} is complete: new version only.`,
		...verificationLines(verification),
		...(report === undefined ? [] : [`The report is in ${report}.`]),
	];
	const other = notAsReviewed(flow, read, withoutRulesets);
	if (other && unkept) context.output.warn(unkept.message);
	const failure = other ?? unkept;
	if (!other) sentences.push(...verification.findings);
	const more = {verification: verificationJson(verification), report: report ?? null};
	return failure
		? saidAndFailed(context, flow, more, sentences, failure)
		: said(context, flow, more, sentences);
}

/** Prints the end of a run, then fails. */
async function saidAndFailed(
	context: CommandContext,
	flow: MigrationFlow,
	more: Readonly<Record<string, unknown>>,
	sentences: readonly string[],
	failure: Failure,
): Promise<never> {
	await said(context, flow, more, sentences);
	throw failure;
}

const verificationLines = (verification: Verification): readonly string[] => [
	...managedRulesetLines(verification),
	'There is no global switch: each managed ruleset is deployed by a rule of its own.',
	...(verification.sameAsReviewed ? ['What is deployed is what was reviewed.'] : []),
];

/** Prints the end of a run: an object with `--json`, else sentences with their commands. */
function said(
	context: CommandContext,
	{zone, record}: MigrationFlow,
	more: Readonly<Record<string, unknown>>,
	sentences: readonly string[],
): Promise<void> {
	if (context.output.json)
		return context.output.value(context.marked({zone: zoneJson(zone), ...recordJson(record), ...more}));
	for (const sentence of sentences) context.output.say(sentence);
	return Promise.resolve();
}
