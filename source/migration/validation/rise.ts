import type {Read} from '../../analytics/problem.ts';
import type {Client} from '../../service/client.ts';
import type {MigrationRecord, RecordedValidation} from '../journal/record.ts';
import type {EventSpan} from './events.ts';
import {readStopped, type StoppedRequests} from './read.ts';

const hour = 3_600_000;

/** Minimum time after the migration before a comparison, in milliseconds. */
const minSpanMs = 10 * 60_000;
/** Minimum number of additional requests. */
const minMoreRequests = 20;
/** Minimum factor over validation. */
const minFactor = 1.5;
/** Minimum difference in standard deviations. */
const margin = 3;

/** The new rules stop clearly more requests than during validation. */
export type Rise = {
	/** Requests stopped after the migration, and the expected maximum. */
	readonly stopped: number;
	readonly expected: number;
	readonly now: EventSpan;
	/** The time in validation that the expectation is based on. */
	readonly inValidation: EventSpan;
	readonly isSampled: boolean;
};

/**
 * Returns the time since the end of a migration to compare, at most an hour. Undefined if it is too early.
 */
export function getComparedSpan(completed: number, now: number): EventSpan | undefined {
	const since = Math.max(completed, now - hour);
	return now - since < minSpanMs ? undefined : {since, until: now};
}

/**
 * Detects that the new rules stop clearly more than in the busiest hour of validation since its last change:
 * at least 20 requests and 50 % more, and more than three standard deviations (Poisson, scaled by the sample
 * interval). Undefined if not.
 */
export function detectRise(
	{rate}: Pick<RecordedValidation, 'rate'>,
	{since, until, stopped, sampleInterval}: StoppedRequests,
): Rise | undefined {
	if (!rate || until - since < minSpanMs) return undefined;
	const share = (until - since) / hour;
	const expected = rate.mostInHour * share;
	const deviation = Math.sqrt((stopped + expected * share) * Math.max(1, sampleInterval));
	const isClear =
		stopped - expected >= minMoreRequests &&
		stopped >= expected * minFactor &&
		stopped - expected > margin * deviation;
	if (!isClear) return undefined;
	return {
		stopped,
		expected: Math.round(expected),
		now: {since, until},
		inValidation: {since: rate.since, until: rate.until},
		isSampled: sampleInterval > 1,
	};
}

/** Time after a migration to look for a rise, in milliseconds. */
const watchMs = 7 * 86_400_000;

/**
 * Reads whether the new rules now stop clearly more than during validation. Reads nothing earlier than 10
 * minutes or later than a week after the migration, or if it is unknown what validation showed. Rejects only
 * when interrupted.
 */
export async function readRise(
	client: Client,
	zone: string,
	{completed, validation}: Pick<MigrationRecord, 'completed' | 'validation'>,
	signal: AbortSignal,
): Promise<Read<Rise>> {
	const now = client.clock.now();
	const isWatched = completed !== undefined && validation !== undefined && now - completed <= watchMs;
	const compared = isWatched ? getComparedSpan(completed, now) : undefined;
	if (!compared || !validation) return {value: undefined, problems: []};
	const {value, problems} = await readStopped(client, zone, compared, signal);
	return {value: value && detectRise(validation, value), problems};
}
