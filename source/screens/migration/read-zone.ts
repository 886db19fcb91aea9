import {Failure, isFailure} from '../../failure.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {checkConfiguration} from '../../migration/configuration/checks.ts';
import {computeFingerprint, type ManagedConfiguration} from '../../migration/configuration/configuration.ts';
import {compareConfigurations} from '../../migration/configuration/difference.ts';
import {collectManagedRuleNames} from '../../migration/configuration/difference-words.ts';
import {mergeRules} from '../../migration/configuration/merge-rules.ts';
import type {FlowOptions} from '../../migration/flow/context.ts';
import type {MigrationFlow} from '../../migration/flow/flow.ts';
import {getSnapshotMark} from '../../migration/flow/reviewing.ts';
import {findDeletedOverrides} from '../../migration/journal/deleted-overrides.ts';
import type {MigrationRecord} from '../../migration/journal/record.ts';
import {describeServiceResponses} from '../../migration/machine/resolve-stage.ts';
import type {Observation} from '../../migration/machine/stage.ts';
import {
	isReviewedUnsent,
	isValidating,
	isValidatingUnreviewed,
	wasChangedElsewhere,
} from '../../migration/machine/states.ts';
import {getInitialConfiguration, planReview} from '../../migration/plan/plan.ts';
import {assessEligibility} from '../../migration/zone/eligibility.ts';
import {getCurrentFacts, getEligibilityFacts} from '../../migration/zone/read-facts.ts';
import {readSnapshot} from '../../migration/zone/read-snapshot.ts';
import type {Snapshot} from '../../migration/zone/snapshot.ts';
import type {Client} from '../../service/client.ts';
import type {MigrationState} from './state.ts';

/** The result of reading a zone. */
type ZoneReading = Pick<
	MigrationState,
	| 'snapshot'
	| 'deletedOverrides'
	| 'eligibility'
	| 'initialConfiguration'
	| 'configuration'
	| 'changesByOthers'
	| 'plan'
	| 'findings'
>;

type ReadingOptions = FlowOptions & {
	/** Called after each part, with the number of objects so far. */
	onRead?(what: string, objectCount: number): void;
};

/**
 * Reads the zone of a migration and advances the machine. A zone without the previous managed rules is
 * reported as not eligible, which is not a failure.
 */
export async function readMigrationZone(
	flow: MigrationFlow,
	client: Client,
	serviceOrigin: string,
	{onRead, ...flowOptions}: ReadingOptions,
): Promise<ZoneReading> {
	const {zone} = flow;
	let observation: Observation;
	try {
		observation = await flow.observe(flowOptions);
	} catch (error) {
		const missingCheckFailure = requireNotEligibleFailure(error);
		const missingCheck = {compatible: false, state: undefined};
		return {
			eligibility: assessEligibility({
				zone,
				check: missingCheck,
				stage: 'previous',
				missingCheckFailure,
			}),
			findings: [],
		};
	}
	if (observation.stage === 'complete' || observation.stage === 'pending') {
		const configuration = await readReviewIfAny(flow);
		return {
			eligibility: assessEligibility({
				zone,
				check: observation.check,
				status: observation.status,
				stage: observation.stage,
			}),
			findings: [],
			...(configuration && {configuration}),
		};
	}
	const snapshot = await readSnapshot(client, zone, serviceOrigin, {
		signal: flowOptions.signal,
		...(onRead && {onStep: onRead}),
	});
	// Someone changed the rules between both readings: the machine must see that, too.
	if (observation.entryPoint?.fingerprint !== getSnapshotMark(snapshot)?.fingerprint)
		observation = await flow.observe(flowOptions);
	const proposal = getInitialConfiguration(snapshot, observation.stage);
	const {configuration, changesByOthers} = rebaseReviewedConfiguration(
		flow,
		await readReviewIfAny(flow),
		proposal,
	);
	const deletedOverrides = findDeletedOverrides(snapshot, flow.journal.listBackups());
	return {
		snapshot,
		deletedOverrides,
		eligibility: assessEligibility(getCurrentFacts(snapshot, observation)),
		initialConfiguration: proposal,
		configuration,
		changesByOthers,
		...assessConfiguration({zone, snapshot, deletedOverrides}, configuration),
	};
}

/** True if both versions are active with other rules than the last reading of the zone shows. */
export const isZoneReadingOutdated = ({
	snapshot,
	configuration,
	record: {state, seen},
}: Pick<MigrationState, 'snapshot' | 'configuration' | 'record'>): boolean =>
	isValidating(state) &&
	(!snapshot ||
		!configuration ||
		!wasReadInValidation(snapshot) ||
		getSnapshotMark(snapshot)?.fingerprint !== seen?.entryPoint?.fingerprint);

const wasReadInValidation = (snapshot: Snapshot): boolean =>
	getEligibilityFacts(snapshot).stage === 'validation';

/**
 * Finds what others changed in the active rules between two readings, of which no review and no PUT from here
 * lies between.
 */
export const findActiveRuleChanges = (
	before: Pick<MigrationState, 'snapshot' | 'record'> | undefined,
	{snapshot, record}: Pick<MigrationState, 'snapshot' | 'record'>,
): MigrationState['changesByOthers'] => {
	const [rulesBefore, rulesNow] = [before, {snapshot, record}].map(one =>
		one?.snapshot && isValidatingUnreviewed(one.record.state) && wasReadInValidation(one.snapshot)
			? getInitialConfiguration(one.snapshot)
			: undefined,
	);
	return (
		rulesBefore &&
		rulesNow &&
		compareConfigurations(rulesBefore, rulesNow, {ruleNames: collectManagedRuleNames(snapshot?.catalogue)})
	);
};

/** Returns the failure if it says that the zone has no migration; throws all other errors. */
function requireNotEligibleFailure(error: unknown): Failure {
	if (isFailure(error, 'not_eligible')) return error;
	throw error;
}

/** Reads the reviewed configuration. Undefined without a review. */
async function readReviewIfAny(flow: MigrationFlow): Promise<ManagedConfiguration | undefined> {
	return flow.record.reviewed ? flow.readReviewedConfiguration() : undefined;
}

/**
 * Applies the changes of the reviewed configuration to the current proposal. Returns the unchanged proposal
 * if the review was not for the current rules, or if the changes conflict.
 */
function rebaseReviewedConfiguration(
	{record, journal}: MigrationFlow,
	reviewedConfiguration: ManagedConfiguration | undefined,
	proposal: ManagedConfiguration | undefined,
): Pick<MigrationState, 'configuration' | 'changesByOthers'> {
	const {state} = record;
	if (!reviewedConfiguration || !proposal) return {configuration: reviewedConfiguration ?? proposal};
	if (wasChangedElsewhere(state) || isValidatingUnreviewed(state)) return {configuration: proposal};
	if (!isProposalChanged(record, proposal)) return {configuration: reviewedConfiguration};
	const earlierProposal = journal
		.listBackups()
		.complete.flatMap(({snapshot}) => getInitialConfiguration(snapshot, 'previous') ?? [])
		.find(one => computeFingerprint(one) === record.reviewed?.proposed);
	const rules =
		earlierProposal && mergeRules(earlierProposal.rules, reviewedConfiguration.rules, proposal.rules);
	return {
		configuration: rules ? {...proposal, rules} : proposal,
		changesByOthers: earlierProposal && compareConfigurations(earlierProposal, proposal),
	};
}

/** True if the zone is not in validation and its proposal has changed since the review. */
const isProposalChanged = ({reviewed, seen}: MigrationRecord, proposal: ManagedConfiguration): boolean =>
	seen?.stage === 'previous' &&
	reviewed?.proposed !== undefined &&
	reviewed.proposed !== computeFingerprint(proposal);

/** Plans and checks a configuration. */
export function assessConfiguration(
	{zone, snapshot, deletedOverrides = []}: Pick<MigrationState, 'zone' | 'snapshot' | 'deletedOverrides'>,
	configuration: ManagedConfiguration | undefined,
): Pick<MigrationState, 'plan' | 'findings'> {
	if (!configuration) return {plan: undefined, findings: []};
	return {
		plan:
			snapshot &&
			planReview(snapshot, configuration, deletedOverrides, collectManagedRuleNames(snapshot.catalogue)),
		findings: checkConfiguration(
			configuration,
			zone,
			snapshot && getInitialConfiguration(snapshot),
			snapshot?.catalogue,
			{allowUnknown: true},
		),
	};
}

/** Reports that the proposal has changed since the review, so that nothing can be sent. */
export function findProposalChangeFailure(
	record: MigrationRecord,
	{initialConfiguration, configuration}: Pick<MigrationState, 'initialConfiguration' | 'configuration'>,
): Failure | undefined {
	if (
		!isReviewedUnsent(record.state) ||
		!initialConfiguration ||
		!isProposalChanged(record, initialConfiguration)
	)
		return undefined;
	const areChangesDropped =
		!configuration || computeFingerprint(configuration) === computeFingerprint(initialConfiguration);
	return new Failure('changed_meanwhile', "The service's proposal has changed since your review.", {
		why: 'Zone settings have changed since then.',
		next: areChangesDropped
			? 'Review it again: the current proposal is shown, without your changes.'
			: `Review it again: your changes now apply to the current proposal; ${nameKey('migration.undo', 'u')} drops them.`,
	});
}

/** Quotes the service's responses if they contain an unknown state. */
export const describeUnknownState = ({seen}: MigrationRecord): string | undefined =>
	seen?.stage === 'unknown' ? describeServiceResponses(seen.check, seen.status) : undefined;
