import type {Read} from '../../analytics/problem.ts';
import type {Client} from '../../service/client.ts';
import type {MigrationRecord, ValidationShown} from '../journal/record.ts';
import type {Span} from './events.ts';
import {readStopped, type StoppedByNew} from './read.ts';

const hour = 3_600_000;

/** Milliseconds after the end of the migration before anything is concluded. */
const shortest = 10 * 60_000;
/** Requests above what validation showed that are the least to mention. */
const leastMore = 20;
/** How much more than in validation is mentioned. */
const leastFactor = 1.5;
/** Standard deviations of counts that happen by chance. */
const margin = 3;

/** That the new rules stop clearly more than validation showed. */
export type Rise = {
	/** Requests that were stopped in the time below, and as many as were to be expected at most. */
	readonly stopped: number;
	readonly expected: number;
	readonly now: Span;
	/** The time in validation that the expectation is from. */
	readonly inValidation: Span;
	readonly isSampled: boolean;
};

/** The hour after the end of a migration that is compared now; `undefined` where it is too early. */
export function hourToCompare(completed: number, now: number): Span | undefined {
	const since = Math.max(completed, now - hour);
	return now - since < shortest ? undefined : {since, until: now};
}

/**
 * Whether the new rules stop clearly more than in the busiest hour of validation since its last change: at least 20
 * requests and half as many more, and more than three standard deviations of two counts that happen by chance
 * (Poisson; sampled counts vary as much more as was left out). `undefined` where it is not so.
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

/** Milliseconds after the end of a migration in which a rise is looked for. */
const watchedFor = 7 * 86_400_000;

/**
 * Whether the new rules stop clearly more now than validation showed. Nothing is read before 10 minutes and after a week
 * from the end of the migration, nor where it is not known what validation showed. Rejects only when it is interrupted.
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
