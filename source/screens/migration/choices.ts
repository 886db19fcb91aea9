import {formatFingerprint} from '../../migration/configuration/configuration.ts';
import {describeUnvalidatedReview, mayHaveCompletedMigration} from '../../migration/machine/observation.ts';
import {
	isComplete,
	isFinishing,
	isNotAccepted,
	isReadyToUpdate,
	isReviewedUnsent,
	isUnexpectedState,
	isValidatingUnreviewed,
	needsReadyConfirmation,
	stateTable,
	wasChangedElsewhere,
} from '../../migration/machine/states.ts';
import {formatQuantity} from '../../text/figures.ts';
import {labelAsking} from '../shell/confirmation.ts';
import {describeMachineState} from './messages.ts';
import {isJournalOpen, isMigrationResumed, type MigrationState} from './state.ts';

/** A choice of the current step. */
export type MigrationChoice = {
	readonly kind:
		| 'read'
		| 'continue'
		| 'take over'
		| 'direct'
		| 'validation first'
		| 'rehearse'
		| 'without rehearsal'
		| 'look again'
		| 'review'
		| 'watch'
		| 'ready to update'
		| 'turn off previous version'
		| 'manage'
		| 'recreate'
		| 'verify'
		| 'leave';
	readonly label: string;
	/** Why it cannot be chosen. */
	readonly unavailableReason?: string;
};

const leaveChoice: MigrationChoice = {kind: 'leave', label: 'Close (can be resumed here)'};
const validateAgainChoice: MigrationChoice = {
	kind: 'validation first',
	label: labelAsking('Send the reviewed configuration to validation'),
};
const rereadChoice: MigrationChoice = {kind: 'look again', label: 'Read the current state'};

/** Builds the choice to recreate what was not migrated. Empty if everything was. */
function listRecreationChoices({plan}: MigrationState): readonly MigrationChoice[] {
	const count = plan?.notMigrated.length ?? 0;
	return count === 0
		? []
		: [{kind: 'recreate', label: `Recreate what was left behind (${formatQuantity(count, 'item')})`}];
}

/**
 * Lists the choices of the current step, the most common one first. Empty if the step shows a list or a text.
 */
export function listMigrationChoices(migration: MigrationState): readonly MigrationChoice[] {
	const {phase, step} = migration;
	if (phase.name !== 'asking') return [];
	if (!isJournalOpen(migration))
		return [
			{...rereadChoice, label: 'Try again'},
			{kind: 'leave', label: 'Close'},
		];
	switch (step) {
		case 'zone':
			return [
				isMigrationResumed(migration)
					? {kind: 'continue', label: `Continue: ${describeJournalState(migration)}`}
					: {kind: 'read', label: 'Read the zone and check whether it can migrate'},
				{kind: 'leave', label: 'Close'},
			];
		case 'eligibility':
			return listEligibilityChoices(migration);
		case 'path':
			return listModeChoices(migration);
		case 'rehearse':
			return listRehearsalChoices(migration);
		case 'deploy':
			return isNotAccepted(migration.record.state)
				? [{kind: 'look again', label: 'Read the current state, then confirm again'}, leaveChoice]
				: [rereadChoice, leaveChoice];
		case 'watch':
			return listWatchChoices(migration);
		case 'done':
			return [
				...(isComplete(migration.record.state)
					? [{kind: 'manage' as const, label: 'Manage the active rules'}, ...listRecreationChoices(migration)]
					: []),
				{kind: 'verify', label: 'Verify the deployment again'},
				{kind: 'leave', label: 'Close'},
			];
		case 'blockers':
		case 'review':
		case 'edit':
		case 'confirm':
			return [];
		default:
			return step satisfies never;
	}
}

/** Lists the choices for a state that no PUT of ledge explains. Undefined for other states. */
function listUnexpectedStateChoices({
	state,
}: MigrationState['record']): readonly MigrationChoice[] | undefined {
	if (!isUnexpectedState(state)) return undefined;
	return wasChangedElsewhere(state)
		? [{kind: 'take over', label: 'I have seen the changes: continue from there'}, rereadChoice, leaveChoice]
		: [rereadChoice, leaveChoice];
}

const listEligibilityChoices = ({record, eligibility, failure}: MigrationState): readonly MigrationChoice[] =>
	listUnexpectedStateChoices(record) ??
	// After a failed reading, the earlier eligibility is outdated.
	(eligibility && !failure
		? [{kind: 'continue', label: 'Continue'}, rereadChoice, leaveChoice]
		: [rereadChoice, leaveChoice]);

function listModeChoices({zone}: MigrationState): readonly MigrationChoice[] {
	const validationChoice: MigrationChoice = {
		kind: 'validation first',
		label: 'Validation first: both versions active, the new one runs first',
		...(zone.plan !== undefined &&
			zone.plan !== 'enterprise' && {
				unavailableReason: `Enterprise plan only; this zone is on the ${zone.plan} plan.`,
			}),
	};
	const directChoice: MigrationChoice = {
		kind: 'direct',
		label: 'Direct: the new version replaces the previous one',
	};
	return validationChoice.unavailableReason === undefined
		? [validationChoice, directChoice]
		: [directChoice, validationChoice];
}

function listRehearsalChoices({rehearsal}: MigrationState): readonly MigrationChoice[] {
	const rehearseChoice: MigrationChoice = {
		kind: 'rehearse',
		label: rehearsal ? 'Rehearse again' : 'Rehearse in the simulated service',
	};
	const proceedChoice: MigrationChoice = {
		kind: 'without rehearsal',
		label: rehearsal ? 'Continue to the confirmation' : 'Continue without a rehearsal',
	};
	return rehearsal?.sameAsPlanned ? [proceedChoice, rehearseChoice] : [rehearseChoice, proceedChoice];
}

function listWatchChoices(migration: MigrationState): readonly MigrationChoice[] {
	const {record} = migration;
	const validationChoices = describeUnvalidatedReview(record) === undefined ? [] : [validateAgainChoice];
	const {state} = record;
	if (needsReadyConfirmation(state))
		return [
			...validationChoices,
			{kind: 'ready to update', label: 'Mark validation as done (sends nothing yet)'},
			{kind: 'review', label: 'Change the configuration and review it again'},
			rereadChoice,
			leaveChoice,
		];
	if (isReadyToUpdate(state))
		return [
			...validationChoices,
			{kind: 'turn off previous version', label: labelAsking('Turn off previous version')},
			{kind: 'review', label: 'Not yet: change the configuration and review it again'},
			rereadChoice,
			leaveChoice,
		];
	if (isValidatingUnreviewed(state))
		return [{kind: 'review', label: 'Review what would finish the migration'}, rereadChoice, leaveChoice];
	return listUnexpectedStateChoices(record) ?? [{kind: 'watch', label: 'Continue watching'}, leaveChoice];
}

/** Describes the state in the journal, for the offer to continue. */
export function describeJournalState({record}: Pick<MigrationState, 'record'>): string {
	const {state, reviewed} = record;
	const {shortMeaning} = stateTable[state];
	const isFinishingElsewhere = isFinishing(state) && !mayHaveCompletedMigration(record);
	const text =
		shortMeaning === undefined || isFinishingElsewhere ? describeMachineState(record) : shortMeaning;
	return isReviewedUnsent(state) && reviewed ? `${text} (${formatFingerprint(reviewed.fingerprint)})` : text;
}
