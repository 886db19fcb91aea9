import type {Read} from '../../analytics/problem.ts';
import type {Client} from '../../service/client.ts';
import type {MigrationRecord, ValidationShown} from '../journal/record.ts';
import type {Span} from './events.ts';
import {readStopped, type StoppedByNew} from './read.ts';

const hour = 3_600_000;

/** Minimum time after the migration before a comparison, in milliseconds. */
const shortest = 10 * 60_000;
/** Minimum number of additional requests. */
const leastMore = 20;
/** Minimum factor over validation. */
const leastFactor = 1.5;
/** Minimum difference in standard deviations. */
const margin = 3;

/** The new rules stop clearly more requests than during validation. */
export type Rise = {
	/** Requests stopped after the migration, and the expected maximum. */
	readonly stopped: number;
	readonly expected: number;
	readonly now: Span;
	/** The time in validation that the expectation is based on. */
	readonly inValidation: Span;
	readonly isSampled: boolean;
};

/**
 * Returns the time since the end of a migration to compare, at most an hour. Undefined if it is too early.
 */
export function hourToCompare(completed: number, now: number): Span | undefined {
	const since = Math.max(completed, now - hour);
	return now - since < shortest ? undefined : {since, until: now};
}

/**
 * Detects that the new rules stop clearly more than in the busiest hour of validation since its last change:
 * at least 20 requests and 50 % more, and more than three standard deviations (Poisson, scaled by the sample
 * interval). Undefined if not.
 */
export function riseOf(
	{rate}: Pick<ValidationShown, 'rate'>,
	{since, until, stopped, sampleInterval}: StoppedByNew,
): Rise | undefined {
	if (!rate || until - since < shortest) return undefined;
	const share = (until - since) / hour;
	const expected = rate.mostInHour * share;
	const deviation = Math.sqrt((stopped + expected * share) * Math.max(1, sampleInterval));
	const isClear =
		stopped - expected >= leastMore &&
		stopped >= expected * leastFactor &&
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
const watchedFor = 7 * 86_400_000;

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
	const isWatched = completed !== undefined && validation !== undefined && now - completed <= watchedFor;
	const hour = isWatched ? hourToCompare(completed, now) : undefined;
	if (!hour || !validation) return {value: undefined, problems: []};
	const {value, problems} = await readStopped(client, zone, hour, signal);
	return {value: value && riseOf(validation, value), problems};
}
