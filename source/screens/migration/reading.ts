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

/** What a reading of the zone brings. */
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
	/** What was read just now, and how many objects there are by then. */
	onRead?(what: string, objects: number): void;
};

/**
 * Reads all of the zone that its migration is about, and takes the machine on. A zone without the previous managed
 * rules is not eligible; that is not a failure of the reading.
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

/** Why a zone has no migration at all; fails with what went wrong where that is not known. */
function withoutMigration(error: unknown): Failure {
	if (isFailure(error, 'not_eligible')) return error;
	throw error;
}

/** What was reviewed, where the zone stands so that it is still the one to be sent. */
async function reviewedOrNone(flow: MigrationFlow): Promise<Configuration | undefined> {
	return flow.record.reviewed ? flow.reviewed() : undefined;
}

/**
 * The reviewed configuration, with its changes made to what the service proposes now. It is dropped where it was not
 * made for the current rules, or changes what others changed.
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

/** True if the service proposed something else at the review, for a zone that is not in validation. */
const isProposalChanged = ({reviewed, seen}: MigrationRecord, proposed: Configuration): boolean =>
	seen?.stage === 'previous' &&
	reviewed?.proposed !== undefined &&
	reviewed.proposed !== fingerprint(proposed);

/** What a configuration does, and what is wrong with it. */
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

/** That the service proposes something else than when it was reviewed: nothing is sent then. */
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

/** The answers of the service, where they name an unknown state. */
export const unknownState = ({seen}: MigrationRecord): string | undefined =>
	seen?.stage === 'unknown' ? answersInWords(seen.check, seen.status) : undefined;
