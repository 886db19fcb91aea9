import type {Problem} from '../../analytics/problem.ts';
import type {Failure} from '../../failure.ts';
import {
	computeFingerprint,
	hasActiveRuleset,
	type ManagedConfiguration,
} from '../../migration/configuration/configuration.ts';
import type {ConfigurationDifference} from '../../migration/configuration/difference.ts';
import type {ConfigurationEdit} from '../../migration/configuration/edits.ts';
import type {ConfigurationFinding} from '../../migration/configuration/findings.ts';
import type {ReviewDrift} from '../../migration/flow/drift.ts';
import type {confirmationWords} from '../../migration/flow/parts.ts';
import type {Rehearsal} from '../../migration/flow/rehearsal.ts';
import type {Verification} from '../../migration/flow/verification.ts';
import type {KeptBackup, MigrationRecord} from '../../migration/journal/record.ts';
import {isResend} from '../../migration/machine/observation.ts';
import type {MigrationMode} from '../../migration/machine/stage.ts';
import {
	isComplete,
	isIneligible,
	isNotTaken,
	isReadyToUpdate,
	isReviewedUnsent,
	isSendable,
	isStartingValidation,
	isTurnedOff,
	isUnexpectedState,
	isValidating,
	type MigrationStep,
	migrationSteps,
	stateTable,
} from '../../migration/machine/states.ts';
import type {MigrationPlan} from '../../migration/plan/plan.ts';
import type {Rise} from '../../migration/validation/rise.ts';
import type {ValidationReading} from '../../migration/validation/shown.ts';
import type {Blocker, Eligibility} from '../../migration/zone/eligibility.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import type {Snapshot} from '../../migration/zone/snapshot.ts';
import {createBuffer, type TextBuffer} from '../../text/buffer/buffer.ts';
import type {JsonObject} from '../../text/json.ts';
import type {UnfinishedException} from '../managed-edit/unfinished-exception.ts';

/** What security events show: both versions during validation, a rise after it. */
export type MigrationEvents = {
	/** When they were last read, in milliseconds since the epoch. */
	readonly at: number;
	/** Refresh interval, in milliseconds. */
	readonly interval: number;
	/** Whether to show all of the validation, or since its configuration was last changed. */
	readonly scope: 'changed' | 'all';
	/** Undefined if events could not be read, or with nothing to compare. */
	readonly found?: ValidationReading | undefined;
	/** True if it is known when validation began. */
	readonly isBeginningKnown: boolean;
	/** What could not be read, and why. */
	readonly problems: readonly Problem[];
	/** Set if the new rules stop more than validation showed. */
	readonly rise?: Rise | undefined;
};

export {type MigrationStep, migrationSteps} from '../../migration/machine/states.ts';

/** The first step that changes the live zone; no way back from it is documented. */
export const firstIrreversibleStep: MigrationStep = 'deploy';

/** The operation under way. */
export type MigrationPhase =
	| {readonly name: 'asking'}
	/** `objects`: number read so far, if counted. */
	| {readonly name: 'reading'; readonly what: string; readonly objects?: number}
	| {readonly name: 'backing up'; readonly objects: number}
	/** Overrides or their backup: "deleting 3 overrides". */
	| {readonly name: 'deleting'; readonly what: string}
	| {readonly name: 'rehearsing'; readonly step?: string}
	| {readonly name: 'sending'; readonly mode: MigrationMode}
	/** The answer is lost; the zone is observed until then, in milliseconds since the epoch. */
	| {readonly name: 'looking'; readonly until: number}
	/** The service is at work, and is read at growing intervals. */
	| {readonly name: 'watching'};

/** Access to the journal, which decides what is possible. `isResumed`: the journal existed. */
type MigrationAccess =
	| {readonly name: 'opening'}
	| {readonly name: 'open'; readonly isResumed: boolean}
	/** Everything except sending. */
	| {readonly name: 'read only'; readonly why: Failure; readonly isResumed: boolean}
	/** Nothing is possible: another process holds the journal, or it is damaged or cannot be read. */
	| {readonly name: 'held'; readonly why: Failure};

/** The migration of one zone on the screen. */
export type MigrationState = {
	/** Identifies one opening of the screen. */
	readonly id: number;
	readonly zone: MigrationZone;
	/** The current step. */
	readonly step: MigrationStep;
	readonly phase: MigrationPhase;
	/** Failure of the last operation; cleared when the next begins. */
	readonly failure?: Failure | undefined;
	/** Why the last observation is not in the journal. */
	readonly journalFailure?: Failure | undefined;
	/** The record of the journal, which is authoritative. */
	readonly record: MigrationRecord;
	readonly access: MigrationAccess;
	readonly snapshot?: Snapshot | undefined;
	/** Overrides that only backups hold; their effect must be recreated. */
	readonly deletedOverrides?: readonly JsonObject[] | undefined;
	readonly eligibility?: Eligibility | undefined;
	/** The service's proposal, or the active rules in validation. */
	readonly proposed?: ManagedConfiguration | undefined;
	/** What others changed since the user edited or reviewed the configuration. */
	readonly changedByOthers?: readonly ConfigurationDifference[] | undefined;
	/** Differences of the current rules from the reviewed ones, if the zone was changed elsewhere. */
	readonly drift?: ReviewDrift | undefined;
	/** The configuration with all edits; it is reviewed, then sent. */
	readonly configuration?: ManagedConfiguration | undefined;
	/** Edits since the proposal, each with the configuration before it, for undo. */
	readonly edits: readonly {
		readonly edit: ConfigurationEdit | 'by hand';
		readonly before: ManagedConfiguration;
	}[];
	/** An exception restored from a draft and not continued yet. */
	readonly unfinished?: UnfinishedException | undefined;
	/** Text saved in the editor that could not be parsed, and its file if one was written. */
	readonly left?: {readonly text: string; readonly file?: string | undefined} | undefined;
	readonly plan?: MigrationPlan | undefined;
	/** Findings about the configuration. */
	readonly findings: readonly ConfigurationFinding[];
	readonly view: 'comparison' | 'json';
	/** Index in the list of the current step: blockers, rules to edit, or choices. */
	readonly cursor: number;
	/** Rows scrolled. */
	readonly top: number;
	/** The furthest scroll position of this configuration in each view of the review. */
	readonly seen: Readonly<Record<MigrationState['view'], number>>;
	/** The mode of the next PUT. */
	readonly goal: MigrationMode;
	readonly rehearsal?: Rehearsal | undefined;
	/** What the user must type now. */
	readonly asks: 'name of the zone' | keyof typeof confirmationWords;
	readonly typed: TextBuffer;
	/** What security events show, after they were read. */
	readonly events?: MigrationEvents | undefined;
	readonly verification?: Verification | undefined;
	/** Path of the report. */
	readonly report?: string | undefined;
	/** The user's home directory, shown as `~`. */
	readonly home?: string | undefined;
	/** Options that select the account or service, as appended to a command. */
	readonly way?: string | undefined;
	/** The newest backup. */
	readonly backup?: KeptBackup | undefined;
	/** When watching began and when the service last answered; updated at most every 30 s. */
	readonly watched?:
		| {
				readonly since: number;
				readonly at: number;
				/** Since when and why reading fails; it is retried. */
				readonly unreached?: {readonly since: number; readonly failure: Failure};
		  }
		| undefined;
};

/** Returns the step at which a migration resumes. */
export const getResumeStep = (record: MigrationRecord): MigrationStep =>
	// A PUT that never arrived is sent again after a new confirmation.
	isReviewedUnsent(record.state) && isResend(record) ? 'confirm' : stateTable[record.state].step;

/** `skipped`: passed without being done. */
type StepMark = 'done' | 'skipped' | 'now' | 'to come' | 'failed';

/** Lists the mark of each step, in order: the current one is `now`, or `failed` if something blocks it. */
export function listStepMarks(
	migration: MigrationState,
): readonly {readonly step: MigrationStep; readonly mark: StepMark}[] {
	const {step: current, record} = migration;
	const currentIndex = migrationSteps.indexOf(current);
	// Steps after the current one are done only if the journal shows it. A confirmation is followed by a new
	// deployment.
	const reached = isReadyToUpdate(record.state) ? 'watch' : getResumeStep(record);
	const doneIndex = migrationSteps.indexOf(current === 'confirm' ? current : reached);
	return migrationSteps.map((step, at) => {
		if (step === current) return {step, mark: isStuck(migration) ? 'failed' : 'now'};
		if (at > currentIndex && at >= doneIndex) return {step, mark: 'to come'};
		const mark = getPassedMark(step, migration, isLive(current) || isLive(reached));
		const isAhead =
			at > currentIndex && (!isLive(reached) || (step === 'edit' && !isTurnedOff(record.state)));
		return {step, mark: isAhead && mark === 'skipped' ? 'to come' : mark};
	});
}

/** Returns the mark of a step that was passed. */
function getPassedMark(
	step: MigrationStep,
	{record, plan, edits, rehearsal, eligibility}: MigrationState,
	isDeployed: boolean,
): Extract<StepMark, 'done' | 'skipped' | 'to come' | 'failed'> {
	switch (step) {
		case 'eligibility':
		case 'blockers':
			return isBlocked({record, eligibility}) ? 'failed' : 'done';
		case 'deploy':
			return isTurnedOff(record.state) ? 'done' : 'to come';
		case 'review':
			return record.reviewed ? 'done' : isTurnedOff(record.state) ? 'skipped' : 'to come';
		case 'edit':
			return edits.length > 0 || (plan?.edits.length ?? 0) > 0 ? 'done' : 'skipped';
		case 'rehearse':
			return rehearsal ? 'done' : 'skipped';
		case 'confirm':
			// In validation the PUT that turns off the previous version is still to come.
			if (isValidationOn(record)) return 'to come';
			return isDeployed && !record.put ? 'skipped' : 'done';
		case 'path':
			// Someone else began the migration: nothing was chosen and confirmed here.
			return isDeployed && !record.put ? 'skipped' : 'done';
		default:
			return 'done';
	}
}

/** True if something prevents the migration of the zone. */
const isBlocked = ({record, eligibility}: Pick<MigrationState, 'record' | 'eligibility'>): boolean =>
	isIneligible(record.state) || (eligibility?.eligible === false && !isTurnedOff(record.state));

/** True if both versions are active or about to be. */
const isValidationOn = ({state}: MigrationRecord): boolean =>
	isValidating(state) || isStartingValidation(state);

/** True for steps after something was sent to the zone. */
const isLive = (step: MigrationStep): boolean =>
	migrationSteps.indexOf(step) >= migrationSteps.indexOf(firstIrreversibleStep);

/** True if something blocks the current step. */
function isStuck({step, phase, failure, eligibility, record}: MigrationState): boolean {
	if (phase.name !== 'asking') return false;
	if (step === 'done') return !isComplete(record.state);
	if (step === 'blockers' && eligibility && !eligibility.eligible) return true;
	if (step === 'deploy' && isNotTaken(record.state)) return true;
	return failure !== undefined || isUnexpectedState(record.state);
}

/** True while the zone's name is typed, so that letters are text. */
export const isMigrationTyping = ({step, phase, access}: MigrationState): boolean =>
	step === 'confirm' && phase.name === 'asking' && access.name === 'open';

/** True if this process holds the journal. */
export const isJournalOpen = ({access}: Pick<MigrationState, 'access'>): boolean =>
	access.name === 'open' || access.name === 'read only';

/** True if a journal existed and this continues from it. */
export const isMigrationResumed = ({access}: Pick<MigrationState, 'access'>): boolean =>
	'isResumed' in access && access.isResumed;

/** Returns why the journal could not be opened. Undefined if it was. */
export const findLockFailure = ({access}: Pick<MigrationState, 'access'>): Failure | undefined =>
	access.name === 'held' ? access.why : undefined;

/** True if the configuration is the reviewed one and can be sent. */
export const isMigrationReviewed = ({record, configuration}: MigrationState): boolean =>
	configuration !== undefined &&
	record.reviewed !== undefined &&
	record.reviewed.fingerprint === computeFingerprint(configuration) &&
	isSendable(record.state);

/** True if another word must be typed, because the configuration leaves no managed rules. */
export const mustTypeFurtherWord = ({configuration}: MigrationState): boolean =>
	configuration !== undefined && !hasActiveRuleset(configuration);

/** A row of the blockers: a blocker, or below it an object it is about. Overrides can be deleted here. */
export type BlockerRow =
	| {readonly kind: 'blocker'; readonly blocker: Blocker}
	| {readonly kind: 'override' | 'object'; readonly blocker: Blocker; readonly id: string};

export const listBlockerRows = ({eligibility}: MigrationState): readonly BlockerRow[] =>
	(eligibility?.blockers ?? []).flatMap(blocker => [
		{kind: 'blocker' as const, blocker},
		...blocker.ids.map(id => ({
			kind: blocker.kind === 'URI overrides' ? ('override' as const) : ('object' as const),
			blocker,
			id,
		})),
	]);

/** Moves to another step: resets cursor, scrolling and typed text. */
export const moveToStep = (
	step: MigrationStep,
): Pick<MigrationState, 'step' | 'cursor' | 'top' | 'typed' | 'asks'> => ({
	step,
	cursor: 0,
	top: 0,
	...createEmptyInput(),
});

export const createEmptyInput = (): Pick<MigrationState, 'typed' | 'asks'> => ({
	typed: createBuffer('', {singleLine: true}),
	asks: 'name of the zone',
});

/** No row of the review was on screen. */
export const unseen: MigrationState['seen'] = {comparison: 0, json: 0};
