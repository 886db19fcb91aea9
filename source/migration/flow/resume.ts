import {Failure} from '../../failure.ts';
import {buildAdvice} from '../../text/advice.ts';
import {formatFingerprint} from '../configuration/configuration.ts';
import type {MigrationRecord} from '../journal/record.ts';
import {buildMigrationCommand, createNotAllowedFailure} from '../machine/next-steps.ts';
import type {MigrationMode} from '../machine/stage.ts';
import {
	hasUnknownOutcome,
	isAtWork,
	isSendable,
	isValidating,
	isValidatingUnreviewed,
	needsReadyConfirmation,
	wasChangedElsewhere,
} from '../machine/states.ts';
import type {FlowOptions, PutConfirmation} from './context.ts';
import type {MigrationFlow} from './flow.ts';

/** A step of resuming. */
type ResumeStep = 'looked' | 'settled' | 'sent' | 'watched';

type ResumeResult = {readonly record: MigrationRecord; readonly completedSteps: readonly ResumeStep[]};

type ResumeOptions = {
	readonly confirmation?: PutConfirmation | undefined;
	/** Called before a PUT that was requested in another run. */
	readonly onBeforeSend?: (mode: MigrationMode, record: MigrationRecord) => void;
	/** True to watch the service until it is done. Default: true. */
	readonly shouldWatch?: boolean;
};

/**
 * Resumes a migration from its journal: settles an unknown outcome, reads the zone, sends the pending PUT,
 * and watches until nothing is in progress. Throws `unconfirmed` if the PUT has no confirmation, or one that
 * was given before the outcome of the last PUT was known; `left` then describes the progress.
 */
export async function resumeFlow(
	flow: MigrationFlow,
	{confirmation, onBeforeSend, shouldWatch = true}: ResumeOptions,
	options: FlowOptions,
): Promise<ResumeResult> {
	const completedSteps: ResumeStep[] = [];
	const hadUnknownOutcome = hasUnknownOutcome(flow.record.state);
	if (hadUnknownOutcome) {
		await flow.settle(options);
		completedSteps.push('settled');
	} else {
		await flow.observe(options);
		completedSteps.push('looked');
	}
	const mode = findModeToSend(flow.record);
	if (mode) {
		if (!confirmation || hadUnknownOutcome) throw createUnconfirmedFailure(flow, mode, hadUnknownOutcome);
		if (needsReadyConfirmation(flow.record.state) && mode === 'pending') await flow.markReady();
		onBeforeSend?.(mode, flow.record);
		const {put: putBefore} = flow.record;
		await flow.send(mode, confirmation, options);
		completedSteps.push('sent');
		// If the record has a new PUT, but the same mode is still to be sent, that PUT was lost: sending it again
		// needs a new confirmation. In a dry run, the record has no new PUT.
		if (flow.record.put !== putBefore && findModeToSend(flow.record) === mode)
			throw createUnconfirmedFailure(flow, mode, true);
	}
	const {state, goal} = flow.record;
	if (wasChangedElsewhere(state) || (isValidatingUnreviewed(state) && goal))
		throw createNotAllowedFailure(flow.zone, flow.record, 'Continuing');
	if (isAtWork(state) && shouldWatch) {
		await flow.watch(options);
		completedSteps.push('watched');
	}
	return {record: flow.record, completedSteps};
}

/** Returns the mode of the PUT if it needs only a confirmation. Undefined if another step comes first. */
function findModeToSend({state, goal}: MigrationRecord): MigrationMode | undefined {
	if (!isSendable(state) || (isValidating(state) && goal !== 'pending')) return undefined;
	return goal;
}

function createUnconfirmedFailure(
	{zone, record: {put, reviewed}}: MigrationFlow,
	mode: MigrationMode,
	hadUnknownOutcome: boolean,
): Failure {
	const effect = mode === 'validation' ? 'starts validation' : 'turns the previous version off';
	return new Failure('unconfirmed', `The PUT that ${effect} has not been sent; confirm it.`, {
		why:
			[
				...(hadUnknownOutcome
					? [
							'No effect of the last PUT was seen. To send it again, confirm it again: a confirmation given before that was known is no longer valid.',
						]
					: []),
				...(put?.came === 'given up' && reviewed && reviewed.fingerprint !== put.fingerprint
					? [
							`A different configuration has been reviewed since: its fingerprint is ${formatFingerprint(reviewed.fingerprint)}; that of the last PUT was ${formatFingerprint(put.fingerprint)}.`,
						]
					: []),
			].join('\n') || undefined,
		left: 'Nothing is in progress.',
		next: buildAdvice`\`${buildMigrationCommand(zone, 'resume', '--confirm', zone.name)}\``,
	});
}
