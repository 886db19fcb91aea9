import type {ReadResult} from '../../analytics/problem.ts';
import type {Client} from '../../service/client.ts';
import type {MigrationRecord, RecordedValidation} from '../journal/record.ts';
import type {EventSpan} from './events.ts';
import {readStoppedRequests, type StoppedRequests} from './read.ts';

const hourMs = 3_600_000;

/** Minimum time after the migration before requests are compared, in milliseconds. */
const minSpanMs = 10 * 60_000;
/** Minimum number of requests above the expectation. */
const minMoreRequests = 20;
/** Minimum ratio to the expectation. */
const minFactor = 1.5;
/** Minimum distance from the expectation, in standard deviations. */
const minDeviations = 3;

/** Shows that the new rules stop clearly more requests than during validation. */
export type Rise = {
	/** The number of requests stopped after the migration, and the maximum that was expected. */
	readonly stopped: number;
	readonly expectedMax: number;
	readonly currentSpan: EventSpan;
	/** The time span in validation on which the expectation is based. */
	readonly validationSpan: EventSpan;
	readonly isSampled: boolean;
};

/** Returns the time span after a migration to compare, at most an hour. Undefined if it is too early. */
export function getComparedSpan(completed: number, now: number): EventSpan | undefined {
	const since = Math.max(completed, now - hourMs);
	return now - since < minSpanMs ? undefined : {since, until: now};
}

/**
 * Detects that the new rules stop clearly more requests than in the busiest hour of validation since its last
 * change: at least 20 requests more and 50 % more, and more than three standard deviations (Poisson, scaled
 * by the sample interval). Undefined if they do not.
 */
export function detectRise(
	{rate}: Pick<RecordedValidation, 'rate'>,
	{since, until, stopped, sampleInterval}: StoppedRequests,
): Rise | undefined {
	if (!rate || until - since < minSpanMs) return undefined;
	const hourShare = (until - since) / hourMs;
	const expectedCount = rate.mostInHour * hourShare;
	// Of `stopped - expectedCount`: both are Poisson counts, the expected one scaled by `hourShare`.
	const standardDeviation = Math.sqrt((stopped + expectedCount * hourShare) * Math.max(1, sampleInterval));
	const isSignificant =
		stopped - expectedCount >= minMoreRequests &&
		stopped >= expectedCount * minFactor &&
		stopped - expectedCount > minDeviations * standardDeviation;
	if (!isSignificant) return undefined;
	return {
		stopped,
		expectedMax: Math.round(expectedCount),
		currentSpan: {since, until},
		validationSpan: {since: rate.since, until: rate.until},
		isSampled: sampleInterval > 1,
	};
}

/** How long after a migration to look for a rise, in milliseconds. */
const watchMs = 7 * 86_400_000;

/**
 * Reads whether the new rules now stop clearly more than during validation. Reads nothing in the first 10
 * minutes after the migration, later than a week after it, or if it is unknown what validation showed.
 * Rejects only when interrupted.
 */
export async function readRise(
	client: Client,
	zoneId: string,
	{completed, validation}: Pick<MigrationRecord, 'completed' | 'validation'>,
	signal: AbortSignal,
): Promise<ReadResult<Rise>> {
	const now = client.clock.now();
	const isWatched = completed !== undefined && validation !== undefined && now - completed <= watchMs;
	const comparedSpan = isWatched ? getComparedSpan(completed, now) : undefined;
	if (!comparedSpan || !validation) return {value: undefined, problems: []};
	const {value, problems} = await readStoppedRequests(client, zoneId, comparedSpan, signal);
	return {value: value && detectRise(validation, value), problems};
}
