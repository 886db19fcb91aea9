import type {Failure} from '../failure.ts';
import type {Blocker, Eligibility} from '../migration/checks.ts';
import {type Configuration, deploysAnything, fingerprint} from '../migration/configuration.ts';
import type {Finding} from '../migration/configuration-checks.ts';
import type {Edit} from '../migration/edits.ts';
import type {MigrationPlan} from '../migration/plan.ts';
import type {KeptBackup, MigrationRecord} from '../migration/record.ts';
import type {Rehearsal} from '../migration/rehearsal.ts';
import type {MigrationZone, Snapshot} from '../migration/snapshot.ts';
import type {Mode} from '../migration/stage.ts';
import type {Verification} from '../migration/verification.ts';
import type {TextBuffer} from '../text/text-buffer.ts';

/** The steps of a migration as a person goes through them (design.md 5). */
export const migrationSteps = [
	'zone',
	'eligibility',
	'blockers',
	'review',
	'edit',
	'path',
	'rehearse',
	'confirm',
	'deploy',
	'watch',
	'done',
] as const;
export type MigrationStep = (typeof migrationSteps)[number];

/** Before this step nothing that is live was changed; from it on, no way back is documented (decision 35). */
export const noWayBackBefore: MigrationStep = 'deploy';

/** What is under way, and what of it is known. */
export type MigrationPhase =
	| {readonly name: 'asking'}
	/** `objects`: how many were read so far, where that is counted. */
	| {readonly name: 'reading'; readonly what: string; readonly objects?: number}
	| {readonly name: 'backing up'; readonly objects: number}
	/** An override is being deleted, or its backup made just before. */
	| {readonly name: 'deleting'; readonly id: string}
	| {readonly name: 'rehearsing'; readonly step?: string}
	| {readonly name: 'sending'; readonly mode: Mode}
	/** The answer is lost, and what is there is looked at until then, milliseconds since the epoch. */
	| {readonly name: 'looking'; readonly until: number}
	/** The service is at work, and is asked ever more seldom. */
	| {readonly name: 'watching'};

/** What has to be typed where the name of the zone is not asked for. */
export const furtherWords = {
	/** What is sent deploys no managed ruleset (decision 35). */
	'further word': 'unprotected',
	/** Not all of what will be lost could be read for the backup. */
	'word about the backup': 'incomplete',
} as const;

/** The migration of one zone as it stands on the screen. */
export type MigrationState = {
	/** Tells one opening of the screen from another. */
	readonly id: number;
	readonly zone: MigrationZone;
	/** The one in front. */
	readonly step: MigrationStep;
	/** The furthest; those before it can be looked at again. */
	readonly reached: MigrationStep;
	readonly phase: MigrationPhase;
	/** Why the last thing did not come to its end; stays until the next one begins. */
	readonly failure?: Failure | undefined;
	/** Why the last thing that was seen is not in the journal. */
	readonly unkept?: Failure | undefined;
	/** What the journal says; the truth about where the migration stands. */
	readonly record: MigrationRecord;
	/** Why nothing can be done here, only looked at: another process works on this zone, or its journal is damaged. */
	readonly held?: Failure | undefined;
	/** Why nothing can be sent: ledge is read-only. All else can be done. */
	readonly readOnly?: Failure | undefined;
	/** A journal was found, and this goes on from it. */
	readonly isResumed: boolean;
	readonly snapshot?: Snapshot | undefined;
	readonly eligibility?: Eligibility | undefined;
	/** What the service proposed; in validation, where it proposes nothing any more, what is there. */
	readonly proposed?: Configuration | undefined;
	/** As edited so far: what is reviewed, and sent once it was. */
	readonly configuration?: Configuration | undefined;
	/** Done since the proposal, each with what the configuration was before it: for undo. */
	readonly edits: readonly {readonly edit: Edit | 'by hand'; readonly before: Configuration}[];
	readonly plan?: MigrationPlan | undefined;
	/** What stands against the configuration. */
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
	readonly verification?: Verification | undefined;
	/** Path of the report. */
	readonly report?: string | undefined;
	/** The person's home folder: what is in it is shown by `~`. */
	readonly home?: string | undefined;
	/** Path of the folder of the newest backup. */
	readonly backup?: KeptBackup | undefined;
	/** When the service was asked last, and how often while it is watched; the screen says it in steps of half a minute. */
	readonly watched?: {readonly since: number; readonly at: number} | undefined;
};

/** At which step a migration stands by its journal, and is taken up again. */
export function stepOf({state, put}: MigrationRecord): MigrationStep {
	switch (state) {
		case 'unread':
		case 'moved on':
		case 'unknown stage':
			return 'eligibility';
		case 'blocked':
			return 'blockers';
		case 'eligible':
			return 'review';
		case 'reviewed':
			// What never arrived is sent again after a new confirmation (decision 36).
			return put?.came === 'given up' ? 'confirm' : 'path';
		case 'sending validation':
		case 'validation in doubt':
		case 'sending deploy':
		case 'deploy in doubt':
		case 'not taken':
			return 'deploy';
		case 'starting validation':
		case 'validating':
		case 'validating unreviewed':
		case 'finishing':
			return 'watch';
		case 'ready to update':
			return 'confirm';
		case 'complete':
			return 'done';
		default:
			return state satisfies never;
	}
}

export type StepMark = 'done' | 'now' | 'to come' | 'failed';

/** How each step stands, in their order: the one in front is `now`, or `failed` where something stands against going on. */
export function stepMarks(
	migration: MigrationState,
): readonly {readonly step: MigrationStep; readonly mark: StepMark}[] {
	const {step: front, reached} = migration;
	const last = migrationSteps.indexOf(reached);
	return migrationSteps.map((step, at) => {
		if (step === front) return {step, mark: isStuck(migration) ? 'failed' : 'now'};
		if (at > last) return {step, mark: 'to come'};
		// What was reached and gone back from is not done yet.
		return {step, mark: at === last && at > migrationSteps.indexOf(front) ? 'to come' : 'done'};
	});
}

/** Whether something stands against going on from the step in front. */
function isStuck({step, phase, failure, eligibility, record}: MigrationState): boolean {
	if (phase.name !== 'asking') return false;
	if (step === 'done') return record.state !== 'complete';
	if (step === 'blockers' && eligibility && !eligibility.eligible) return true;
	if (step === 'deploy' && record.state === 'not taken') return true;
	return failure !== undefined || record.state === 'moved on' || record.state === 'unknown stage';
}

/** Whether letters are text: where the name of the zone is typed. */
export const isMigrationTyping = ({step, phase, held, readOnly}: MigrationState): boolean =>
	step === 'confirm' && phase.name === 'asking' && held === undefined && readOnly === undefined;

/** Whether what stands there is what was reviewed: else nothing can be sent. */
export const isReviewed = ({record, configuration}: MigrationState): boolean =>
	configuration !== undefined &&
	record.reviewed !== undefined &&
	record.reviewed.fingerprint === fingerprint(configuration) &&
	(record.state === 'reviewed' || record.state === 'validating' || record.state === 'ready to update');

/** Whether a further word has to be typed: nothing of the managed rules would be left. */
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
