import type {Problem} from '../../analytics/problem.ts';
import type {Failure} from '../../failure.ts';
import {
	type Configuration,
	deploysAnything,
	fingerprint,
} from '../../migration/configuration/configuration.ts';
import type {Difference} from '../../migration/configuration/difference.ts';
import type {Edit} from '../../migration/configuration/edits.ts';
import type {Finding} from '../../migration/configuration/findings.ts';
import type {ReviewDrift} from '../../migration/flow/drift.ts';
import type {furtherWords} from '../../migration/flow/parts.ts';
import type {Rehearsal} from '../../migration/flow/rehearsal.ts';
import type {Verification} from '../../migration/flow/verification.ts';
import type {KeptBackup, MigrationRecord} from '../../migration/journal/record.ts';
import {isSentAgain} from '../../migration/machine/observation.ts';
import type {Mode} from '../../migration/machine/stage.ts';
import {
	isComplete,
	isIneligible,
	isNotTaken,
	isReadyToUpdate,
	isReviewedUnsent,
	isSendable,
	isStartingValidation,
	isSurprise,
	isTurnedOff,
	isValidating,
	type MigrationStep,
	migrationSteps,
	stateTable,
} from '../../migration/machine/states.ts';
import type {MigrationPlan} from '../../migration/plan/plan.ts';
import type {Rise} from '../../migration/validation/rise.ts';
import type {ValidationSeen} from '../../migration/validation/shown.ts';
import type {Blocker, Eligibility} from '../../migration/zone/eligibility.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import type {Snapshot} from '../../migration/zone/snapshot.ts';
import {bufferOf, type TextBuffer} from '../../text/buffer/buffer.ts';
import type {JsonObject} from '../../text/json.ts';
import type {UnfinishedException} from '../managed-edit/unfinished-exception.ts';

/** What security events show of a migration: both versions during validation, a rise after it. */
export type MigrationEvents = {
	/** When they were read last, milliseconds since the epoch. */
	readonly at: number;
	/** Milliseconds until they are refreshed without a key. */
	readonly interval: number;
	/** Of all of the validation, or since its configuration was changed last. */
	readonly of: 'changed' | 'all';
	/** None where they could not be read, or there is nothing to compare. */
	readonly found?: ValidationSeen | undefined;
	/** Whether it is known when validation began. */
	readonly isBegunKnown: boolean;
	/** What could not be read, and why. */
	readonly problems: readonly Problem[];
	/** That the new rules stop more than validation showed. */
	readonly rise?: Rise | undefined;
};

export {type MigrationStep, migrationSteps} from '../../migration/machine/states.ts';

/** Before this step nothing that is live was changed; from it on, no way back is documented. */
export const noWayBackBefore: MigrationStep = 'deploy';

/** What is under way, and what of it is known. */
export type MigrationPhase =
	| {readonly name: 'asking'}
	/** `objects`: how many were read so far, where that is counted. */
	| {readonly name: 'reading'; readonly what: string; readonly objects?: number}
	| {readonly name: 'backing up'; readonly objects: number}
	/** Overrides are being deleted, or their backup made just before: "deleting 3 overrides". */
	| {readonly name: 'deleting'; readonly what: string}
	| {readonly name: 'rehearsing'; readonly step?: string}
	| {readonly name: 'sending'; readonly mode: Mode}
	/** The answer is lost, and the zone is looked at until then, milliseconds since the epoch. */
	| {readonly name: 'looking'; readonly until: number}
	/** The service is at work, and is asked ever more seldom. */
	| {readonly name: 'watching'};

/** Whether the journal of a zone could be taken, and so what can be done with it. `isResumed`: it continues from there. */
type MigrationAccess =
	| {readonly name: 'opening'}
	| {readonly name: 'open'; readonly isResumed: boolean}
	/** Nothing can be sent; all else can be done. */
	| {readonly name: 'read only'; readonly why: Failure; readonly isResumed: boolean}
	/** Nothing can be done: another process works on this zone, its journal is damaged, or it cannot be got at. */
	| {readonly name: 'held'; readonly why: Failure};

/** The migration of one zone on the screen. */
export type MigrationState = {
	/** Tells one opening of the screen from another. */
	readonly id: number;
	readonly zone: MigrationZone;
	/** The one in front. */
	readonly step: MigrationStep;
	readonly phase: MigrationPhase;
	/** Why the last thing did not come to its end; stays until the next one begins. */
	readonly failure?: Failure | undefined;
	/** Why the last thing that was seen is not in the journal. */
	readonly unkept?: Failure | undefined;
	/** What the journal says; the truth about where the migration stands. */
	readonly record: MigrationRecord;
	readonly access: MigrationAccess;
	readonly snapshot?: Snapshot | undefined;
	/** Overrides that only the backups hold: they were deleted, and have to be recreated. */
	readonly deletedOverrides?: readonly JsonObject[] | undefined;
	readonly eligibility?: Eligibility | undefined;
	/** What the service proposed; in validation, where it no longer proposes one, what is in force. */
	readonly proposed?: Configuration | undefined;
	/** What others changed of it since the person edited or reviewed it. */
	readonly changedByOthers?: readonly Difference[] | undefined;
	/** How the current rules differ from those reviewed here, where the zone was changed elsewhere. */
	readonly drift?: ReviewDrift | undefined;
	/** As edited so far: what is reviewed, and sent once it was. */
	readonly configuration?: Configuration | undefined;
	/** Done since the proposal, each with what the configuration was before it: for undo. */
	readonly edits: readonly {readonly edit: Edit | 'by hand'; readonly before: Configuration}[];
	/** An exception that was being typed when a draft was kept, and was not continued yet. */
	readonly unfinished?: UnfinishedException | undefined;
	/** What was saved in the editor and could not be taken, and the name of the file that has it, if one was written. */
	readonly left?: {readonly text: string; readonly file?: string | undefined} | undefined;
	readonly plan?: MigrationPlan | undefined;
	/** What is wrong with the configuration. */
	readonly findings: readonly Finding[];
	/** How the review shows it. */
	readonly view: 'comparison' | 'json';
	/** In the list of the step in front: blockers, what can be edited, or the ways on. */
	readonly cursor: number;
	/** Rows that the text of the step is scrolled down. */
	readonly top: number;
	/** The furthest that this configuration was scrolled in each view of the review. */
	readonly seen: Readonly<Record<MigrationState['view'], number>>;
	/** Straight to the end, or validation first; what the next PUT would do. */
	readonly goal: Mode;
	readonly rehearsal?: Rehearsal | undefined;
	/** What the confirmation asks for now. */
	readonly asks: 'name of the zone' | keyof typeof furtherWords;
	/** What was typed of that. */
	readonly typed: TextBuffer;
	/** What security events show, once they were read. */
	readonly events?: MigrationEvents | undefined;
	readonly verification?: Verification | undefined;
	/** Path of the report. */
	readonly report?: string | undefined;
	/** The person's home folder: what is in it is shown by `~`. */
	readonly home?: string | undefined;
	/** The options that lead to where it acts, as they follow a command. */
	readonly way?: string | undefined;
	/** Path of the folder of the newest backup. */
	readonly backup?: KeptBackup | undefined;
	/** Since when it is watched, and when the service answered last; the screen says it in steps of half a minute. */
	readonly watched?:
		| {
				readonly since: number;
				readonly at: number;
				/** Since when, and why, no answer comes; it is tried on. */
				readonly unreached?: {readonly since: number; readonly failure: Failure};
		  }
		| undefined;
};

/** The step at which a migration is resumed, by its journal. */
export const stepOf = (record: MigrationRecord): MigrationStep =>
	// What never arrived is sent again after a new confirmation.
	isReviewedUnsent(record.state) && isSentAgain(record) ? 'confirm' : stateTable[record.state].step;

/** `skipped`: passed over, without having been done. */
type StepMark = 'done' | 'skipped' | 'now' | 'to come' | 'failed';

/** How each step stands, in their order: the one in front is `now`, or `failed` where something blocks it. */
export function stepMarks(
	migration: MigrationState,
): readonly {readonly step: MigrationStep; readonly mark: StepMark}[] {
	const {step: front, record} = migration;
	const here = migrationSteps.indexOf(front);
	// What was gone back from is not done, but for what the journal shows as done. What is confirmed is deployed again.
	const stands = isReadyToUpdate(record.state) ? 'watch' : stepOf(record);
	const done = migrationSteps.indexOf(front === 'confirm' ? front : stands);
	return migrationSteps.map((step, at) => {
		if (step === front) return {step, mark: isStuck(migration) ? 'failed' : 'now'};
		if (at > here && at >= done) return {step, mark: 'to come'};
		const mark = passed(step, migration, isLive(front) || isLive(stands));
		const isAhead = at > here && (!isLive(stands) || (step === 'edit' && !isTurnedOff(record.state)));
		return {step, mark: isAhead && mark === 'skipped' ? 'to come' : mark};
	});
}

/** How a step stands that lies behind. */
function passed(
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
			// In validation the PUT that turns the previous version off is still to come.
			if (isValidationOn(record)) return 'to come';
			return isDeployed && !record.put ? 'skipped' : 'done';
		case 'path':
			// Whoever began it: it was not chosen and confirmed here.
			return isDeployed && !record.put ? 'skipped' : 'done';
		default:
			return 'done';
	}
}

/** Whether something keeps the zone from migrating. */
const isBlocked = ({record, eligibility}: Pick<MigrationState, 'record' | 'eligibility'>): boolean =>
	isIneligible(record.state) || (eligibility?.eligible === false && !isTurnedOff(record.state));

/** Whether both versions are on, or about to be. */
const isValidationOn = ({state}: MigrationRecord): boolean =>
	isValidating(state) || isStartingValidation(state);

/** Whether a step comes after something was sent to the zone. */
const isLive = (step: MigrationStep): boolean =>
	migrationSteps.indexOf(step) >= migrationSteps.indexOf(noWayBackBefore);

/** Whether something blocks the step in front. */
function isStuck({step, phase, failure, eligibility, record}: MigrationState): boolean {
	if (phase.name !== 'asking') return false;
	if (step === 'done') return !isComplete(record.state);
	if (step === 'blockers' && eligibility && !eligibility.eligible) return true;
	if (step === 'deploy' && isNotTaken(record.state)) return true;
	return failure !== undefined || isSurprise(record.state);
}

/** Whether letters are text: where the name of the zone is typed. */
export const isMigrationTyping = ({step, phase, access}: MigrationState): boolean =>
	step === 'confirm' && phase.name === 'asking' && access.name === 'open';

/** Whether its journal is taken here. */
export const isOpen = ({access}: Pick<MigrationState, 'access'>): boolean =>
	access.name === 'open' || access.name === 'read only';

/** Whether a journal was found, and this continues from it. */
export const isResumed = ({access}: Pick<MigrationState, 'access'>): boolean =>
	'isResumed' in access && access.isResumed;

/** Why its journal could not be taken. */
export const whyHeld = ({access}: Pick<MigrationState, 'access'>): Failure | undefined =>
	access.name === 'held' ? access.why : undefined;

/** Whether the configuration is what was reviewed: else nothing can be sent. */
export const isReviewed = ({record, configuration}: MigrationState): boolean =>
	configuration !== undefined &&
	record.reviewed !== undefined &&
	record.reviewed.fingerprint === fingerprint(configuration) &&
	isSendable(record.state);

/** Whether a further word is required: nothing of the managed rules would be left. */
export const needsFurtherWord = ({configuration}: MigrationState): boolean =>
	configuration !== undefined && !deploysAnything(configuration);

/** A row of the blockers: one for each, and below it one for each object that it is about; overrides can be deleted here. */
export type BlockerRow =
	| {readonly kind: 'blocker'; readonly blocker: Blocker}
	| {readonly kind: 'override' | 'object'; readonly blocker: Blocker; readonly id: string};

export const blockerRows = ({eligibility}: MigrationState): readonly BlockerRow[] =>
	(eligibility?.blockers ?? []).flatMap(blocker => [
		{kind: 'blocker' as const, blocker},
		...blocker.ids.map(id => ({
			kind: blocker.kind === 'URI overrides' ? ('override' as const) : ('object' as const),
			blocker,
			id,
		})),
	]);

/** To another step: its list and its text from the beginning, nothing typed. */
export const toStep = (
	step: MigrationStep,
): Pick<MigrationState, 'step' | 'cursor' | 'top' | 'typed' | 'asks'> => ({
	step,
	cursor: 0,
	top: 0,
	...nothingTyped(),
});

export const nothingTyped = (): Pick<MigrationState, 'typed' | 'asks'> => ({
	typed: bufferOf('', {singleLine: true}),
	asks: 'name of the zone',
});

/** Of a configuration that nobody has looked at. */
export const unseen: MigrationState['seen'] = {comparison: 0, json: 0};
