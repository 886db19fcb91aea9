import type {AnalyticsProblem} from '../../analytics/problem.ts';
import type {Failure} from '../../failure.ts';
import {
	computeFingerprint,
	hasActiveRuleset,
	type ManagedConfiguration,
} from '../../migration/configuration/configuration.ts';
import type {ConfigurationDifference} from '../../migration/configuration/difference.ts';
import type {ConfigurationEdit} from '../../migration/configuration/edits.ts';
import type {ConfigurationFinding} from '../../migration/configuration/findings.ts';
import type {confirmationWords} from '../../migration/flow/context.ts';
import type {ReviewDrift} from '../../migration/flow/drift.ts';
import type {Rehearsal} from '../../migration/flow/rehearsal.ts';
import type {Verification} from '../../migration/flow/verification.ts';
import type {MigrationRecord, StoredBackup} from '../../migration/journal/record.ts';
import {isResend} from '../../migration/machine/observation.ts';
import type {MigrationMode} from '../../migration/machine/stage.ts';
import {
	isComplete,
	isIneligible,
	isNotAccepted,
	isPreviousTurnedOff,
	isReadyToUpdate,
	isReviewedUnsent,
	isSendable,
	isStartingValidation,
	isUnexpectedState,
	isValidating,
	type MigrationStep,
	migrationSteps,
	stateTable,
} from '../../migration/machine/states.ts';
import type {MigrationPlan} from '../../migration/plan/plan.ts';
import type {Rise} from '../../migration/validation/rise.ts';
import type {ValidationReading} from '../../migration/validation/summary.ts';
import type {Blocker, Eligibility} from '../../migration/zone/eligibility.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import type {Snapshot} from '../../migration/zone/snapshot.ts';
import {createBuffer, type TextBuffer} from '../../text/buffer/buffer.ts';
import type {JsonObject} from '../../text/json.ts';
import type {UnfinishedException} from '../managed-edit/unfinished-exception.ts';

/** What security events show: both versions during validation, or a rise after it. */
export type MigrationEvents = {
	/** When they were last read, in milliseconds since the epoch. */
	readonly readAt: number;
	/** Refresh interval, in milliseconds. */
	readonly refreshIntervalMs: number;
	/** Whether to show all of validation, or only the time since its configuration was last changed. */
	readonly scope: 'changed' | 'all';
	/** Undefined if events could not be read, or if there is nothing to compare. */
	readonly reading?: ValidationReading | undefined;
	/** True if it is known when validation began. */
	readonly isBeginningKnown: boolean;
	/** What could not be read, and why. */
	readonly problems: readonly AnalyticsProblem[];
	/** Set if the new rules stop more than validation showed. */
	readonly rise?: Rise | undefined;
};

export {type MigrationStep, migrationSteps} from '../../migration/machine/states.ts';

/** The first step that changes the live zone; no way back from it is documented. */
export const firstIrreversibleStep: MigrationStep = 'deploy';

/** The operation in progress; `asking` if the screen waits for the user. */
export type MigrationPhase =
	| {readonly name: 'asking'}
	/** `objectCount`: number of objects read so far, if they are counted. */
	| {readonly name: 'reading'; readonly what: string; readonly objectCount?: number}
	| {readonly name: 'backing up'; readonly objectCount: number}
	/** Deletes overrides or backs them up. `what`: for example "deleting 3 overrides". */
	| {readonly name: 'deleting'; readonly what: string}
	| {readonly name: 'rehearsing'; readonly step?: string}
	| {readonly name: 'sending'; readonly mode: MigrationMode}
	/**
	 * The response is lost; the zone is observed until `until`, in milliseconds since the epoch.
	 * `stopsOnLeaving`: true if nothing but this reading is under way.
	 */
	| {readonly name: 'looking'; readonly until: number; readonly stopsOnLeaving: boolean}
	/** The service is at work; the zone is observed at growing intervals. */
	| {readonly name: 'watching'};

/** The access to the journal, which decides what is possible. `isResumed`: the journal existed before. */
type MigrationAccess =
	| {readonly name: 'opening'}
	| {readonly name: 'open'; readonly isResumed: boolean}
	/** Everything is possible except sending. */
	| {readonly name: 'read only'; readonly failure: Failure; readonly isResumed: boolean}
	/** Nothing is possible: another process has the journal open, or it is damaged or cannot be read. */
	| {readonly name: 'held'; readonly failure: Failure};

/** The migration of one zone on the screen. */
export type MigrationState = {
	/** Identifies one opening of the screen. */
	readonly id: number;
	readonly zone: MigrationZone;
	/** The current step. */
	readonly step: MigrationStep;
	readonly phase: MigrationPhase;
	/** The failure of the last operation. It is cleared when the next one begins. */
	readonly failure?: Failure | undefined;
	/** Why the last observation is not in the journal. */
	readonly journalFailure?: Failure | undefined;
	/** The record of the journal, which is authoritative. */
	readonly record: MigrationRecord;
	readonly access: MigrationAccess;
	readonly snapshot?: Snapshot | undefined;
	/** Overrides that only backups hold; their effect must be recreated. */
	readonly deletedOverrides?: readonly JsonObject[] | undefined;
	/** The command that restores the overrides deleted here. */
	readonly restoreCommand?: string | undefined;
	readonly eligibility?: Eligibility | undefined;
	/** The service's proposal, or the active rules in validation. */
	readonly initialConfiguration?: ManagedConfiguration | undefined;
	/** What others changed since the user edited or reviewed the configuration. */
	readonly changesByOthers?: readonly ConfigurationDifference[] | undefined;
	/** How the current rules differ from the reviewed ones, if the zone was changed elsewhere. */
	readonly drift?: ReviewDrift | undefined;
	/** The configuration with all edits; it is reviewed, then sent. */
	readonly configuration?: ManagedConfiguration | undefined;
	/** The edits since the proposal. For undo, each has the configuration before it. */
	readonly edits: readonly {
		readonly edit: ConfigurationEdit | 'by hand';
		readonly before: ManagedConfiguration;
	}[];
	/** An exception that was restored from a draft and not continued yet. */
	readonly unfinished?: UnfinishedException | undefined;
	/** Text saved in the editor that could not be parsed, and its file if one was written. */
	readonly unparsedText?: {readonly text: string; readonly file?: string | undefined} | undefined;
	readonly plan?: MigrationPlan | undefined;
	/** Findings about the configuration. */
	readonly findings: readonly ConfigurationFinding[];
	readonly view: 'comparison' | 'json';
	/** True if the comparison lists what is as the service proposes; otherwise it only counts it. */
	readonly showsProposed: boolean;
	/** The selected row in the list of the current step: blockers, rules to edit, or choices. */
	readonly cursor: number;
	/** Number of rows that are scrolled away at the top. */
	readonly top: number;
	/** The furthest scroll position in each view of the review, for this configuration. */
	readonly furthestTops: Readonly<Record<MigrationState['view'], number>>;
	/** The mode of the next PUT. */
	readonly goal: MigrationMode;
	readonly rehearsal?: Rehearsal | undefined;
	/** Which text the user must type now. */
	readonly expectedInput: 'name of the zone' | keyof typeof confirmationWords;
	readonly typedBuffer: TextBuffer;
	/** What security events show, after they were read. */
	readonly events?: MigrationEvents | undefined;
	readonly verification?: Verification | undefined;
	/** Path of the report. */
	readonly reportPath?: string | undefined;
	/** The user's home directory, shown as `~`. */
	readonly home?: string | undefined;
	/** Options that select the account or service, as appended to a command. */
	readonly serviceOptions?: string | undefined;
	/** The newest backup. */
	readonly backup?: StoredBackup | undefined;
	/**
	 * `since`: when watching began. `at`: when the service last responded; shown at once with a change, else
	 * every 30 s. Both in milliseconds since the epoch.
	 */
	readonly watchStatus?:
		| {
				readonly since: number;
				readonly at: number;
				/** Why reading fails, and since when. It is retried. */
				readonly outage?: {readonly since: number; readonly failure: Failure};
		  }
		| undefined;
};

/** Returns the step at which a migration resumes. */
export const getResumeStep = (record: MigrationRecord): MigrationStep =>
	// A PUT that never arrived is sent again after a new confirmation.
	isReviewedUnsent(record.state) && isResend(record) ? 'confirm' : stateTable[record.state].step;

/** `skipped`: the step was passed without being done. */
type StepMark = 'done' | 'skipped' | 'now' | 'to come' | 'failed';

/** A step as the screen lists it. `validate`: the PUT that begins validation; then `deploy` comes after it. */
type PathStep = MigrationStep | 'validate';

/** The steps of a migration through validation, which is watched before the deployment. */
const validationPath: readonly PathStep[] = [
	...migrationSteps.slice(0, migrationSteps.indexOf(firstIrreversibleStep)),
	'validate',
	'watch',
	'deploy',
	'done',
];

/**
 * Lists the mark of each step, in order: those that were passed, the current one (`now`, or `failed` if
 * something blocks it), and those to come.
 */
export function listStepMarks(
	migration: MigrationState,
): readonly {readonly step: PathStep; readonly mark: StepMark}[] {
	const isThroughValidation = goesThroughValidation(migration);
	const path = isThroughValidation ? validationPath : migrationSteps;
	const currentIndex = path.indexOf(isThroughValidation ? getValidationPathStep(migration) : migration.step);
	const wasSent = currentIndex > path.indexOf('confirm');
	return path.map((step, index) => ({
		step,
		mark:
			index > currentIndex
				? 'to come'
				: index < currentIndex
					? getPassedMark(step, migration, wasSent)
					: isStepBlocked(migration)
						? 'failed'
						: 'now',
	}));
}

/** True if validation was begun, or chosen. */
const goesThroughValidation = ({step, record, goal}: MigrationState): boolean =>
	isValidationOn(record) ||
	record.validatingSince !== undefined ||
	(record.put?.mode === 'validation' && !isPreviousTurnedOff(record.state)) ||
	(goal === 'validation' && migrationSteps.indexOf(step) > migrationSteps.indexOf('path'));

/** Returns the current step of the validation path, where `deploy` includes its confirmation. */
function getValidationPathStep(migration: MigrationState): PathStep {
	const {step, record} = migration;
	switch (step) {
		case 'confirm':
			return isValidationOn(record) && getPutMode(migration) === 'pending' ? 'deploy' : step;
		case 'deploy':
			return getPutMode(migration) === 'pending' ? step : 'validate';
		case 'watch':
			return isPreviousTurnedOff(record.state) ? 'deploy' : step;
		default:
			return step;
	}
}

/** Returns the mode of the PUT that is confirmed or sent, or that had no effect. */
function getPutMode({record: {state, put}, goal}: MigrationState): MigrationMode {
	const {activity} = stateTable[state];
	if (put && (activity === 'sending' || activity === 'in doubt' || isNotAccepted(state))) return put.mode;
	return isReadyToUpdate(state) ? 'pending' : goal;
}

/** Returns the mark of a step that was passed. `wasSent`: the steps after the confirmation were reached. */
function getPassedMark(
	step: PathStep,
	{record, plan, edits, rehearsal, eligibility}: MigrationState,
	wasSent: boolean,
): Extract<StepMark, 'done' | 'skipped' | 'failed'> {
	switch (step) {
		case 'eligibility':
		case 'blockers':
			return isZoneBlocked({record, eligibility}) ? 'failed' : 'done';
		case 'review':
			return record.reviewed ? 'done' : 'skipped';
		case 'edit':
			return edits.length > 0 || (plan?.edits.length ?? 0) > 0 || wasReviewEdited(record)
				? 'done'
				: 'skipped';
		case 'rehearse':
			return rehearsal || wasReviewRehearsed(record) ? 'done' : 'skipped';
		case 'confirm':
		case 'path':
			// Someone else began the migration, so nothing was chosen or confirmed here.
			return wasSent && !record.put ? 'skipped' : 'done';
		default:
			return 'done';
	}
}

/** True if the reviewed configuration differs from the proposal, also if it was edited in another session. */
const wasReviewEdited = ({reviewed}: MigrationRecord): boolean =>
	reviewed?.proposed !== undefined && reviewed.proposed !== reviewed.fingerprint;

/** True if the reviewed configuration was rehearsed as planned, also in another session. */
const wasReviewRehearsed = ({reviewed, rehearsed}: MigrationRecord): boolean =>
	reviewed !== undefined && reviewed.fingerprint === rehearsed;

/** True if something prevents the migration of the zone. */
const isZoneBlocked = ({record, eligibility}: Pick<MigrationState, 'record' | 'eligibility'>): boolean =>
	isIneligible(record.state) || (eligibility?.eligible === false && !isPreviousTurnedOff(record.state));

/** True if both versions are active or about to be. */
const isValidationOn = ({state}: MigrationRecord): boolean =>
	isValidating(state) || isStartingValidation(state);

/** True if something blocks the current step. */
function isStepBlocked({step, phase, failure, eligibility, record}: MigrationState): boolean {
	if (phase.name !== 'asking') return false;
	if (step === 'done') return !isComplete(record.state);
	if (step === 'blockers' && eligibility && !eligibility.eligible) return true;
	if (step === 'deploy' && isNotAccepted(record.state)) return true;
	return failure !== undefined || isUnexpectedState(record.state);
}

/** True while the user types a confirmation, so that letters are text. */
export const isMigrationTyping = ({step, phase, access}: MigrationState): boolean =>
	step === 'confirm' && phase.name === 'asking' && access.name === 'open';

/** True if this process holds the journal. */
export const isJournalOpen = ({access}: Pick<MigrationState, 'access'>): boolean =>
	access.name === 'open' || access.name === 'read only';

/** True if the journal existed when it was opened, so that the migration continues from it. */
export const isMigrationResumed = ({access}: Pick<MigrationState, 'access'>): boolean =>
	'isResumed' in access && access.isResumed;

/** Returns why the journal could not be opened. Undefined if it could. */
export const findLockFailure = ({access}: Pick<MigrationState, 'access'>): Failure | undefined =>
	access.name === 'held' ? access.failure : undefined;

/** True if the configuration is the reviewed one and can be sent. */
export const isMigrationReviewed = ({record, configuration}: MigrationState): boolean =>
	configuration !== undefined &&
	record.reviewed !== undefined &&
	record.reviewed.fingerprint === computeFingerprint(configuration) &&
	isSendable(record.state);

/** True if the last PUT sent the configuration and was not refused. */
export const wasConfigurationSent = ({record, configuration}: MigrationState): boolean =>
	configuration !== undefined &&
	record.put?.fingerprint === computeFingerprint(configuration) &&
	!isNotAccepted(record.state);

/** True if the user must type a second word, because the configuration deploys no managed ruleset. */
export const mustConfirmNoRulesets = ({configuration}: MigrationState): boolean =>
	configuration !== undefined && !hasActiveRuleset(configuration);

/**
 * A row of the list of blockers: a blocker, or below it an object that the blocker is about. Overrides can be
 * deleted here.
 */
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

/** Moves to another step, and resets cursor, scrolling and typed text. */
export const moveToStep = (
	step: MigrationStep,
): Pick<MigrationState, 'step' | 'cursor' | 'top' | 'typedBuffer' | 'expectedInput'> => ({
	step,
	cursor: 0,
	top: 0,
	...createInitialInput(),
});

export const createInitialInput = (): Pick<MigrationState, 'typedBuffer' | 'expectedInput'> => ({
	typedBuffer: createBuffer('', {singleLine: true}),
	expectedInput: 'name of the zone',
});

/** No row of the review was on screen. */
export const noRowsSeen: MigrationState['furthestTops'] = {comparison: 0, json: 0};
