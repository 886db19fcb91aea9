import {Failure, isFailure} from '../../failure.ts';
import {checkConfiguration} from '../../migration/configuration/checks.ts';
import {type Configuration, fingerprint} from '../../migration/configuration/configuration.ts';
import {configurationDifference} from '../../migration/configuration/difference.ts';
import {mergeRules} from '../../migration/configuration/merge-rules.ts';
import type {MigrationFlow} from '../../migration/flow/flow.ts';
import type {FlowWork} from '../../migration/flow/parts.ts';
import {deletedOverrides} from '../../migration/journal/deleted-overrides.ts';
import type {MigrationRecord} from '../../migration/journal/record.ts';
import type {Observation} from '../../migration/machine/stage.ts';
import {answersInWords} from '../../migration/machine/stage-of.ts';
import {hasMovedOn, isReviewedUnsent, isValidatingUnreviewed} from '../../migration/machine/states.ts';
import {begunWith, planReview} from '../../migration/plan/plan.ts';
import {eligibility} from '../../migration/zone/eligibility.ts';
import {factsSince} from '../../migration/zone/read-facts.ts';
import {readSnapshot} from '../../migration/zone/read-snapshot.ts';
import type {Client} from '../../service/client.ts';
import type {MigrationState} from './state.ts';

/** The result of reading a zone. */
type ZoneRead = Pick<
	MigrationState,
	| 'snapshot'
	| 'deletedOverrides'
	| 'eligibility'
	| 'proposed'
	| 'configuration'
	| 'changedByOthers'
	| 'plan'
	| 'findings'
>;

type ReadingWork = FlowWork & {
	/** Called after each part, with the number of objects so far. */
	onRead?(what: string, objects: number): void;
};

/**
 * Reads the zone of a migration and advances the machine. A zone without the previous managed rules is not
 * eligible; this is not a failure.
 */
export async function readZone(
	flow: MigrationFlow,
	client: Client,
	place: string,
	{onRead, ...work}: ReadingWork,
): Promise<ZoneRead> {
	const {zone} = flow;
	let seen: Observation;
	try {
		seen = await flow.look(work);
	} catch (error) {
		const free = withoutMigration(error);
		const notEligible = {compatible: false, state: undefined};
		return {eligibility: eligibility({zone, check: notEligible, stage: 'previous', free}), findings: []};
	}
	if (seen.stage === 'complete' || seen.stage === 'pending') {
		const configuration = await reviewedOrNone(flow);
		return {
			eligibility: eligibility({zone, check: seen.check, status: seen.status, stage: seen.stage}),
			findings: [],
			...(configuration && {configuration}),
		};
	}
	const snapshot = await readSnapshot(client, zone, place, {
		signal: work.signal,
		...(onRead && {onStep: onRead}),
	});
	const proposed = begunWith(snapshot, seen.stage);
	const {configuration, changedByOthers} = rebaseReviewed(flow, await reviewedOrNone(flow), proposed);
	const deleted = deletedOverrides(snapshot, flow.journal.backups());
	return {
		snapshot,
		deletedOverrides: deleted,
		eligibility: eligibility(factsSince(snapshot, seen)),
		proposed,
		configuration,
		changedByOthers,
		...judged({zone, snapshot, deletedOverrides: deleted}, configuration),
	};
}

/** Returns the failure if the zone has no migration; throws other errors. */
function withoutMigration(error: unknown): Failure {
	if (isFailure(error, 'not_eligible')) return error;
	throw error;
}

/** Reads the reviewed configuration if there is a review. */
async function reviewedOrNone(flow: MigrationFlow): Promise<Configuration | undefined> {
	return flow.record.reviewed ? flow.reviewed() : undefined;
}

/**
 * Applies the changes of the reviewed configuration to the current proposal. Returns the proposal if the
 * review was not for the current rules, or if both changed the same.
 */
function rebaseReviewed(
	{record, journal}: MigrationFlow,
	reviewed: Configuration | undefined,
	proposed: Configuration | undefined,
): Pick<MigrationState, 'configuration' | 'changedByOthers'> {
	const {state} = record;
	if (!reviewed || !proposed) return {configuration: reviewed ?? proposed};
	if (hasMovedOn(state) || isValidatingUnreviewed(state)) return {configuration: proposed};
	if (!isProposalChanged(record, proposed)) return {configuration: reviewed};
	const then = journal
		.backups()
		.whole.flatMap(({snapshot}) => begunWith(snapshot, 'previous') ?? [])
		.find(one => fingerprint(one) === record.reviewed?.proposed);
	const rules = then && mergeRules(then.rules, reviewed.rules, proposed.rules);
	return {
		configuration: rules ? {...proposed, rules} : proposed,
		changedByOthers: then && configurationDifference(then, proposed),
	};
}

/** True if the proposal has changed since the review, for a zone that is not in validation. */
const isProposalChanged = ({reviewed, seen}: MigrationRecord, proposed: Configuration): boolean =>
	seen?.stage === 'previous' &&
	reviewed?.proposed !== undefined &&
	reviewed.proposed !== fingerprint(proposed);

/** Plans and checks a configuration. */
export function judged(
	{
		zone,
		snapshot,
		deletedOverrides: deleted = [],
	}: Pick<MigrationState, 'zone' | 'snapshot' | 'deletedOverrides'>,
	configuration: Configuration | undefined,
): Pick<MigrationState, 'plan' | 'findings'> {
	if (!configuration) return {plan: undefined, findings: []};
	return {
		plan: snapshot && planReview(snapshot, configuration, deleted),
		findings: checkConfiguration(configuration, zone, snapshot && begunWith(snapshot), snapshot?.managed),
	};
}

/** Reports that the proposal has changed since the review, so that nothing can be sent. */
export function proposesOtherwise(
	record: MigrationRecord,
	{proposed, configuration}: Pick<MigrationState, 'proposed' | 'configuration'>,
): Failure | undefined {
	if (!isReviewedUnsent(record.state) || !proposed || !isProposalChanged(record, proposed)) return undefined;
	const isDropped = !configuration || fingerprint(configuration) === fingerprint(proposed);
	return new Failure('changed_meanwhile', 'The proposal of the service has changed since your review.', {
		why: 'Settings of the zone were changed since then.',
		next: isDropped
			? 'Review it again: the current proposal is shown, without changes of yours.'
			: 'Review it again: your changes now apply to the current proposal; u drops them.',
	});
}

/** Quotes the service's answers if they contain an unknown state. */
export const unknownState = ({seen}: MigrationRecord): string | undefined =>
	seen?.stage === 'unknown' ? answersInWords(seen.check, seen.status) : undefined;
