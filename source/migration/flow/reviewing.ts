import {Failure} from '../../failure.ts';
import {isPlanAtLeast} from '../../service/plan.ts';
import {buildAdvice, buildZoneCommand} from '../../text/advice.ts';
import {
	computeFingerprint,
	type ManagedConfiguration,
	parseConfigurationJson,
} from '../configuration/configuration.ts';
import type {ConfigurationReview, EntryPointMark} from '../journal/record.ts';
import {createNotAllowedFailure} from '../machine/next-steps.ts';
import type {MigrationMode} from '../machine/stage.ts';
import {isNotAccepted, wasChangedElsewhere} from '../machine/states.ts';
import {getNextState} from '../machine/transitions.ts';
import {parseManagedEntryPoint} from '../zone/entry-point.ts';
import type {Snapshot} from '../zone/snapshot.ts';
import type {MigrationDriver} from './driver.ts';
import {maxWatchMs} from './watching.ts';

/**
 * What the user saw when reviewing: the fingerprint of the proposal, and the entry point. If either changes,
 * the configuration is not sent.
 */
export type ReviewBasis = {
	readonly proposed?: string | undefined;
	readonly entryPoint?: EntryPointMark | undefined;
	/** When the user saw it, in milliseconds since the epoch; undefined: now. */
	readonly at?: number | undefined;
};

/** Returns the basis of a review that is shown from a snapshot. Excludes parts that were not read. */
export const getReviewBasis = ({
	proposed,
	entryPoint,
}: Pick<Snapshot, 'proposed' | 'entryPoint'>): ReviewBasis => ({
	proposed: proposed
		? computeFingerprint(parseConfigurationJson(proposed, "The service's proposal"))
		: undefined,
	entryPoint: getSnapshotMark({entryPoint}),
});

/** Returns the mark of the entry point in a snapshot. Undefined if it was not read, or none exists. */
export function getSnapshotMark({entryPoint}: Pick<Snapshot, 'entryPoint'>): EntryPointMark | undefined {
	if (!entryPoint) return undefined;
	const {version, configuration} = parseManagedEntryPoint(entryPoint);
	return {version, fingerprint: computeFingerprint(configuration)};
}

export const isSameEntryPoint = (
	one: EntryPointMark | undefined,
	other: EntryPointMark | undefined,
): boolean => one?.version === other?.version && one?.fingerprint === other?.fingerprint;

/**
 * Picks the later of two reviews of a configuration: the one in the journal, or the one of the plan. A time
 * in the future comes from a wrong clock and is ignored.
 */
export const pickLaterReview = (
	journalReview: ConfigurationReview | undefined,
	planReview: ConfigurationReview | undefined,
	now: number,
): ConfigurationReview | undefined =>
	journalReview && (!planReview || (planReview.at <= journalReview.at && journalReview.at <= now))
		? journalReview
		: planReview;

/** Saves the configuration, then records its review. */
export async function reviewConfiguration(
	driver: MigrationDriver,
	configuration: ManagedConfiguration,
	{proposed, entryPoint, at = driver.context.client.clock.now()}: ReviewBasis,
	goal: MigrationMode,
): Promise<void> {
	const {context, record} = driver;
	if (getNextState(record.state, 'review') === undefined || !record.seen)
		throw createNotAllowedFailure(context.zone, record, 'Reviewing');
	await context.journal.saveReviewed(configuration);
	await driver.apply('review', 'Reviewing', {
		goal,
		reviewed: {
			fingerprint: computeFingerprint(configuration),
			proposed,
			entryPoint,
			rules: configuration.rules.length,
			at,
		},
	});
}

/**
 * Records that the user requested a PUT of the reviewed configuration, or of the one with this fingerprint.
 * Cancels earlier requests, so that `resume` does not send them; a PUT that was sent stays sent.
 */
export async function requestPut(
	{context, record, updateRecord}: MigrationDriver,
	mode: MigrationMode,
	fingerprint = record.reviewed?.fingerprint,
): Promise<void> {
	const {state, reviewed} = record;
	const canRequest = isNotAccepted(state) || getNextState(state, 'review') !== undefined;
	if (!reviewed || !canRequest) return;
	const {plan} = context.zone;
	const isSupported = mode === 'pending' || plan === undefined || isPlanAtLeast(plan, 'enterprise');
	const goal = isSupported && fingerprint === reviewed.fingerprint ? mode : undefined;
	if (record.goal !== goal) await updateRecord({goal});
}

/** Throws `job_running` while the last PUT may still take effect, which is up to an hour. */
export function refuseEarlyTakeOver({context, record}: MigrationDriver): void {
	const {state, put} = record;
	if (wasChangedElsewhere(state) || getNextState(state, 'take over') === undefined) return;
	const {clock} = context.client;
	const at = put?.at ?? record.seen?.at ?? clock.now();
	const minutes = Math.ceil((at + maxWatchMs * clock.scale - clock.now()) / 60_000);
	// A time in the future comes from a wrong clock and must not extend the wait.
	if (minutes <= 0 || at > clock.now()) return;
	throw new Failure('job_running', `The service is still processing ${context.zone.name}.`, {
		why: `A migration can take an hour; ${minutes} min are left.`,
		next: buildAdvice`Watch it: \`${buildZoneCommand('migration status --watch')}\`.`,
	});
}
