import {shownFingerprint} from '../../migration/configuration/configuration.ts';
import {mayHaveFinished, neverValidated} from '../../migration/machine/observation.ts';
import {
	awaitsReady,
	hasMovedOn,
	isComplete,
	isFinishing,
	isNotTaken,
	isReadyToUpdate,
	isReviewedUnsent,
	isSurprise,
	isValidatingUnreviewed,
	stateTable,
} from '../../migration/machine/states.ts';
import {counted} from '../../text/figures.ts';
import {stateMeans} from './leaving.ts';
import {isOpen, isResumed, type MigrationState} from './state.ts';

/** A choice of the current step. */
export type MigrationChoice = {
	readonly does:
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
	readonly why?: string;
};

const leave: MigrationChoice = {does: 'leave', label: 'Leave (it can be resumed here)'};
const validateAgain: MigrationChoice = {
	does: 'validation first',
	label: 'Replace what is validated now with what was reviewed',
};
const look: MigrationChoice = {does: 'look again', label: 'Read the current state'};

/** Builds the choice to recreate what was not migrated, if there is anything. */
function recreation({plan}: MigrationState): readonly MigrationChoice[] {
	const count = plan?.notMigrated.length ?? 0;
	return count === 0
		? []
		: [{does: 'recreate', label: `Recreate what was left behind (${counted(count, 'item')})`}];
}

/** Lists the choices of the current step, the usual one first; empty if the step is a list or a text. */
export function migrationChoices(migration: MigrationState): readonly MigrationChoice[] {
	const {phase, step} = migration;
	if (phase.name !== 'asking') return [];
	if (!isOpen(migration))
		return [
			{...look, label: 'Try again'},
			{does: 'leave', label: 'Leave'},
		];
	switch (step) {
		case 'zone':
			return [
				isResumed(migration)
					? {does: 'continue', label: `Continue: ${stateInWords(migration)}`}
					: {does: 'read', label: 'Read the zone, and look whether it can migrate'},
				{does: 'leave', label: 'Leave'},
			];
		case 'eligibility':
			return atEligibility(migration);
		case 'path':
			return atPath(migration);
		case 'rehearse':
			return atRehearsal(migration);
		case 'deploy':
			return isNotTaken(migration.record.state)
				? [{does: 'look again', label: 'Read the current state, then confirm again'}, leave]
				: [look, leave];
		case 'watch':
			return atWatch(migration);
		case 'done':
			return [
				...(isComplete(migration.record.state)
					? [{does: 'manage' as const, label: 'Manage the rules in force'}, ...recreation(migration)]
					: []),
				{does: 'verify', label: 'Verify once more what is deployed'},
				{does: 'leave', label: 'Leave'},
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
function choicesAfterSurprise({state}: MigrationState['record']): readonly MigrationChoice[] | undefined {
	if (!isSurprise(state)) return undefined;
	return hasMovedOn(state)
		? [{does: 'take over', label: 'I have seen what was changed: continue from there'}, look, leave]
		: [look, leave];
}

const atEligibility = ({record, eligibility, failure}: MigrationState): readonly MigrationChoice[] =>
	choicesAfterSurprise(record) ??
	// After a failed reading the earlier data is outdated.
	(eligibility && !failure ? [{does: 'continue', label: 'Continue'}, look, leave] : [look, leave]);

function atPath({zone}: MigrationState): readonly MigrationChoice[] {
	const validation: MigrationChoice = {
		does: 'validation first',
		label: 'Validation first: both versions are on, the new one runs first',
		...(zone.plan !== undefined &&
			zone.plan !== 'enterprise' && {
				why: `Only Enterprise zones have validation; this one is ${zone.plan}.`,
			}),
	};
	const direct: MigrationChoice = {
		does: 'direct',
		label: 'Direct: the new version in place of the previous one',
	};
	return validation.why === undefined ? [validation, direct] : [direct, validation];
}

function atRehearsal({rehearsal}: MigrationState): readonly MigrationChoice[] {
	const rehearse: MigrationChoice = {
		does: 'rehearse',
		label: rehearsal ? 'Rehearse once more' : 'Rehearse it in the simulated service',
	};
	const goOn: MigrationChoice = {
		does: 'without rehearsal',
		label: rehearsal ? 'Continue to the confirmation' : 'Continue without a rehearsal',
	};
	return rehearsal?.sameAsPlanned ? [goOn, rehearse] : [rehearse, goOn];
}

function atWatch(migration: MigrationState): readonly MigrationChoice[] {
	const {record} = migration;
	const validate = neverValidated(record) === undefined ? [] : [validateAgain];
	const {state} = record;
	if (awaitsReady(state))
		return [
			...validate,
			{does: 'ready to update', label: 'Ready to update (nothing is sent by it yet)'},
			{does: 'review', label: 'Change the configuration, and review it again'},
			look,
			leave,
		];
	if (isReadyToUpdate(state))
		return [
			...validate,
			{does: 'turn off previous version', label: 'Turn off previous version'},
			{does: 'review', label: 'Not yet: change the configuration, and review it again'},
			look,
			leave,
		];
	if (isValidatingUnreviewed(state))
		return [{does: 'review', label: 'Review what would finish the migration'}, look, leave];
	return choicesAfterSurprise(record) ?? [{does: 'watch', label: 'Continue watching'}, leave];
}

/** Describes the state in the journal, for the offer to continue. */
export function stateInWords({record}: Pick<MigrationState, 'record'>): string {
	const {state, reviewed} = record;
	const {brief} = stateTable[state];
	const isElsewhere = isFinishing(state) && !mayHaveFinished(record);
	const words = brief === undefined || isElsewhere ? stateMeans(record) : brief;
	return isReviewedUnsent(state) && reviewed ? `${words} (${shownFingerprint(reviewed.fingerprint)})` : words;
}
