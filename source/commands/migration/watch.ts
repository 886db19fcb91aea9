import {Failure} from '../../failure.ts';
import type {MigrationFlow} from '../../migration/flow/flow.ts';
import {toVerificationJson, type Verification} from '../../migration/flow/verification.ts';
import {
	buildMigrationCommand,
	createNotAllowedFailure,
	listNextActions,
} from '../../migration/machine/next-steps.ts';
import {isResend} from '../../migration/machine/observation.ts';
import {
	hasUnknownOutcome,
	isAtWork,
	isComplete,
	isNotAccepted,
	isReviewedUnsent,
	isSendable,
	isUnexpectedState,
	isValidating,
	stateTable,
} from '../../migration/machine/states.ts';
import {trySaveReport} from '../../migration/report/save-report.ts';
import {saveValidationSummary} from '../../migration/validation/save-summary.ts';
import {qualifyAdvice} from '../../session/qualify-commands.ts';
import {buildAdvice} from '../../text/advice.ts';
import type {CommandContext} from '../shell/context.ts';
import {buildNextStepAdvice, type OpenedMigration} from './open-migration.ts';
import type {StepReporter} from './progress.ts';
import {formatManagedRulesets} from './report.ts';
import {toRecordJson, toZoneJson} from './text.ts';
import {findReviewMismatch, verifyAfterSend} from './verify.ts';

type FinishOptions = {
	/** True to watch until the zone is at rest. */
	readonly watch: boolean;
	/** True if it was confirmed that no managed ruleset is deployed. */
	readonly withoutRulesets: boolean;
	readonly reporter: StepReporter;
};

/**
 * Finishes a send: watches until the zone is at rest, then verifies and reports the result. Fails if the
 * result is not the intended one.
 */
export async function finishSend(
	context: CommandContext,
	flow: MigrationFlow,
	openedMigration: OpenedMigration,
	{watch, withoutRulesets, reporter}: FinishOptions,
): Promise<void> {
	const {signal} = context;
	if (watch && isAtWork(flow.record.state)) await flow.watch({signal, onStep: reporter.reportStep});
	reporter[Symbol.dispose]();
	const {state, put} = flow.record;
	const {meaning} = stateTable[state];
	if (isComplete(state)) return completeMigration(context, flow, openedMigration, withoutRulesets);
	// The PUT that should have turned the previous version off never arrived, so the zone is still in validation,
	// which the branch below would report as a success.
	if (put?.mode === 'pending' && put.came === 'given up') throw buildUnexpectedEndFailure(flow);
	const {zone, record} = flow;
	const commands = listNextActions(zone, record).map(({says, words}) => ({
		says,
		command: qualifyAdvice(buildMigrationCommand(zone, ...words), context.options),
	}));
	const next = commands[0]?.command;
	const lines = commands.map(({says, command}) => `${says}: ${command}`);
	if (isValidating(state) && isSendable(state)) {
		const sentVerification = await verifyAfterSend(context, flow, openedMigration);
		const failure = findReviewMismatch(flow, sentVerification, withoutRulesets);
		const validationNotice = `Validation is on in ${zone.label}: both versions are active, the new one first.`;
		const verificationFields = {verification: toVerificationJson(sentVerification.verification)};
		if (failure) return printEndAndFail(context, flow, verificationFields, [validationNotice], failure);
		return printEnd(context, flow, {...verificationFields, next}, [validationNotice, ...lines]);
	}
	if (isAtWork(state)) {
		return printEnd(context, flow, {next}, [
			`The service accepted the configuration; this can take an hour (${meaning}).`,
			...lines,
		]);
	}
	throw buildUnexpectedEndFailure(flow);
}

/** Builds the failure for a run that ended in an unintended state, with how to continue. */
function buildUnexpectedEndFailure({record, zone}: MigrationFlow): Failure {
	const {state, put, goal} = record;
	const {meaning, code} = stateTable[state];
	const next = buildNextStepAdvice(zone, record);
	// After the review, another configuration was requested, which was not reviewed.
	const isUnreviewedRequest = isReviewedUnsent(state) && goal === undefined;
	if (put?.came === 'given up' && !isUnreviewedRequest && (!isReviewedUnsent(state) || isResend(record)))
		return new Failure('service_failed', 'The service did not accept what was sent.', {
			why: put.why,
			left: `None of it took effect, and nothing is resent automatically. ${zone.name}: ${meaning}.`,
			next: buildAdvice`To send it again, confirm it again: \`${buildMigrationCommand(zone, 'resume', '--confirm', zone.name)}\``,
		});
	if (isUnreviewedRequest)
		return new Failure(
			'unreviewed',
			`The last request for ${zone.label} was not reviewed; nothing was sent.`,
			{next},
		);
	if (hasUnknownOutcome(state))
		return new Failure(code, 'The outcome of the PUT is still unknown.', {
			why: put?.why,
			left: 'It was sent once, and is not resent automatically.',
			next,
			outcomeUnknown: true,
		});
	if (isUnexpectedState(state)) return createNotAllowedFailure(zone, record, 'Continuing');
	// In a sendable state, or if it was not taken, the service refused what was sent.
	return isSendable(state) || isNotAccepted(state)
		? new Failure('refused_by_service', `${zone.label}: ${meaning}.`, {why: put?.why, next})
		: new Failure(code, `${zone.label}: ${meaning}${put ? '.' : '; nothing was sent.'}`, {next});
}

/** Completes a migration: reads what is deployed, and saves a report in the zone's folder. */
async function completeMigration(
	context: CommandContext,
	flow: MigrationFlow,
	openedMigration: OpenedMigration,
	withoutRulesets: boolean,
): Promise<void> {
	const {client, zone} = openedMigration;
	const sentVerification = await verifyAfterSend(context, flow, openedMigration);
	const {verification} = sentVerification;
	await saveValidationSummary(flow, client, context.signal);
	const at = client.clock.now();
	const {path: report, failure: reportFailure} = await trySaveReport(flow, {...sentVerification, at});
	const sentences = [
		`The migration of ${zone.label} is complete: new version only.`,
		...formatVerification(verification),
		...(report === undefined ? [] : [`The report is in ${report}.`]),
	];
	const mismatch = findReviewMismatch(flow, sentVerification, withoutRulesets);
	if (mismatch && reportFailure) context.output.warn(reportFailure.message);
	const failure = mismatch ?? reportFailure;
	if (!mismatch) sentences.push(...verification.findings);
	const resultFields = {verification: toVerificationJson(verification), report: report ?? null};
	return failure
		? printEndAndFail(context, flow, resultFields, sentences, failure)
		: printEnd(context, flow, resultFields, sentences);
}

/** Prints the end of a run, then fails. */
async function printEndAndFail(
	context: CommandContext,
	flow: MigrationFlow,
	resultFields: Readonly<Record<string, unknown>>,
	sentences: readonly string[],
	failure: Failure,
): Promise<never> {
	await printEnd(context, flow, resultFields, sentences);
	throw failure;
}

const formatVerification = (verification: Verification): readonly string[] => [
	...formatManagedRulesets(verification),
	'There is no global switch: each managed ruleset is deployed by its own rule.',
	...(verification.sameAsReviewed ? ['The deployed rules are what was reviewed.'] : []),
];

/** Prints the end of a run: an object with `--json`, else sentences with their commands. */
function printEnd(
	context: CommandContext,
	{zone, record}: MigrationFlow,
	resultFields: Readonly<Record<string, unknown>>,
	sentences: readonly string[],
): Promise<void> {
	if (context.output.json)
		return context.output.writeJson(
			context.markSimulated({zone: toZoneJson(zone), ...toRecordJson(record), ...resultFields}),
		);
	for (const sentence of sentences) context.output.say(sentence);
	return Promise.resolve();
}
