import {Failure} from '../../failure.ts';
import {advice} from '../../text/advice.ts';
import {shownFingerprint} from '../configuration/configuration.ts';
import type {MigrationRecord} from '../journal/record.ts';
import {cannotNow, migrationCommand} from '../machine/next-steps.ts';
import type {Mode} from '../machine/stage.ts';
import {
	awaitsReady,
	hasMovedOn,
	isAtWork,
	isInDoubt,
	isSendable,
	isValidating,
	isValidatingUnreviewed,
} from '../machine/states.ts';
import type {MigrationFlow} from './flow.ts';
import type {Confirmation, FlowWork} from './parts.ts';

/** A step of resuming. */
type ResumeStep = 'looked' | 'settled' | 'sent' | 'watched';

type Resumed = {readonly record: MigrationRecord; readonly did: readonly ResumeStep[]};

type ResumeWords = {
	readonly confirmation?: Confirmation | undefined;
	/** Called before a PUT that was requested in another run. */
	readonly tells?: (mode: Mode, record: MigrationRecord) => void;
	/** True to watch the service until it is done. Default: true. */
	readonly watches?: boolean;
};

/**
 * Resumes a migration from its journal: settles an unknown outcome, reads the zone, sends what is pending,
 * and watches until nothing is under way. Throws `unconfirmed` if a PUT has no confirmation, or one given
 * before its outcome was known; `left` then describes the progress.
 */
export async function resume(
	flow: MigrationFlow,
	{confirmation, tells, watches = true}: ResumeWords,
	work: FlowWork,
): Promise<Resumed> {
	const did: ResumeStep[] = [];
	const wasInDoubt = isInDoubt(flow.record.state);
	if (wasInDoubt) {
		await flow.settle(work);
		did.push('settled');
	} else {
		await flow.look(work);
		did.push('looked');
	}
	const mode = toSend(flow.record);
	if (mode) {
		if (!confirmation || wasInDoubt) throw wanted(flow, mode, wasInDoubt);
		if (awaitsReady(flow.record.state) && mode === 'pending') await flow.ready();
		tells?.(mode, flow.record);
		const {put} = flow.record;
		await flow.send(mode, confirmation, work);
		did.push('sent');
		// A PUT found not taken needs a new confirmation. A dry run sends nothing.
		if (flow.record.put !== put && toSend(flow.record) === mode) throw wanted(flow, mode, true);
	}
	const {state, goal} = flow.record;
	if (hasMovedOn(state) || (isValidatingUnreviewed(state) && goal))
		throw cannotNow(flow.zone, flow.record, 'Continuing');
	if (isAtWork(state) && watches) {
		await flow.watch(work);
		did.push('watched');
	}
	return {record: flow.record, did};
}

/** Returns the mode of the PUT that needs only a confirmation. Undefined if the next step is another one. */
function toSend({state, goal}: MigrationRecord): Mode | undefined {
	if (!isSendable(state) || (isValidating(state) && goal !== 'pending')) return undefined;
	return goal;
}

function wanted({zone, record: {put, reviewed}}: MigrationFlow, mode: Mode, afterDoubt: boolean): Failure {
	const what = mode === 'validation' ? 'begins validation' : 'turns the previous version off';
	return new Failure('unconfirmed', `The PUT that ${what} is still to go, and wants a confirmation.`, {
		why:
			[
				...(afterDoubt
					? [
							'The last one did not arrive. What was confirmed before that was known does not count for sending it again.',
						]
					: []),
				...(put?.came === 'given up' && reviewed && reviewed.fingerprint !== put.fingerprint
					? [
							`What was reviewed since is another configuration: its fingerprint is ${shownFingerprint(reviewed.fingerprint)}, and that of the last PUT was ${shownFingerprint(put.fingerprint)}.`,
						]
					: []),
			].join('\n') || undefined,
		left: 'Nothing is under way.',
		next: advice`\`${migrationCommand(zone, 'resume', '--confirm', zone.name)}\``,
	});
}
