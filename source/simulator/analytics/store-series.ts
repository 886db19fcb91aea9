import {getUnixSeconds} from '../kv/limits.ts';
import {sampleNamespaces} from '../world/samples.ts';
import type {World} from '../world/world.ts';
import type {TimeRange} from './filters.ts';
import {type ActionType, actionTypes, type Usage} from './kv-usage.ts';
import {computeDailyLoad, computeSeed, createRandom} from './random.ts';
import type {Sample} from './samples.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

type SampleTitle = (typeof sampleNamespaces)[number]['title'];

/** The usage of a sample namespace: operations in its busiest hour, and its growth per month, as a share. */
type UsageProfile = {readonly peak: Readonly<Record<ActionType, number>>; readonly growth: number};

/** The usage of each sample namespace; `odd names` has none. */
const profiles: Readonly<Record<SampleTitle, UsageProfile>> = {
	CONFIG: createProfile(9000, 6, 1, 4, 0.02),
	SESSIONS: createProfile(4200, 2600, 240, 12, 0.18),
	SESSIONS_preview: createProfile(14, 6, 1, 2, 0.3),
	assets: createProfile(15_000, 3, 0, 2, 0.05),
	catalogue: createProfile(52_000, 150, 20, 30, 0.08),
	'odd names': createProfile(0, 0, 0, 0, 0),
};

function createProfile(
	read: number,
	write: number,
	remove: number,
	list: number,
	growth: number,
): UsageProfile {
	return {peak: {read, write, delete: remove, list}, growth};
}

/** Median latency of each kind of operation, in milliseconds. */
const medianLatencies: Readonly<Record<ActionType, number>> = {read: 11, write: 48, delete: 43, list: 72};

const findProfile = (namespaceId: string): UsageProfile | undefined => {
	const sample = sampleNamespaces.find(({id}) => id === namespaceId);
	return sample && profiles[sample.title];
};

const listNamespaceIds = (world: World): readonly string[] =>
	world.namespaces.list({field: 'id', direction: 'asc'}, 10_000, 0).map(({id}) => id);

/**
 * Generates the number of keys and bytes of each namespace by day: the actual numbers for today, and
 * numbers that grow toward them for earlier days. A namespace that is not a sample has only today.
 */
export function* generateStorageSamples(world: World, {from, to}: TimeRange, now: number): Generator<Sample> {
	const today = Math.floor(now / day) * day;
	const firstDay = Math.max(from, today - 31 * day);
	for (const namespaceId of listNamespaceIds(world)) {
		const namespace = world.namespaces.open(namespaceId);
		if (!namespace) continue;
		const {keyCount, byteCount} = world.entries.computeTotals(namespace.number, getUnixSeconds(now));
		const growth = findProfile(namespaceId)?.growth;
		for (let time = Math.ceil(firstDay / day) * day; time < to && time <= today; time += day) {
			if (time !== today && growth === undefined) continue;
			const share =
				time === today ? 1 : computeKeyShare(namespaceId, growth ?? 0, (today - time) / day, time);
			yield {
				at: time,
				weight: 1,
				namespaceId,
				keyCount: Math.round(keyCount * share),
				byteCount: Math.round(byteCount * share),
			};
		}
	}
}

/** Returns the share of today's keys that existed `daysAgo` days ago. */
function computeKeyShare(namespaceId: string, growth: number, daysAgo: number, time: number): number {
	const variation = createRandom(computeSeed('storage', namespaceId, time / day))() - 0.5;
	return Math.max(0, 1 - (growth * daysAgo) / 31 + variation * growth * 0.2);
}

type OperationQuery = {
	readonly range: TimeRange;
	/** Milliseconds between samples: an hour, or a divisor of it. */
	readonly step: number;
	/** Time in milliseconds; later operations are not counted yet. */
	readonly countedUntil: number;
	readonly usage: readonly Usage[];
};

/**
 * Generates the operations of each namespace by kind: a daily rhythm plus the actual calls. A sample covers
 * the time until the next step.
 */
export function* generateOperationSamples(
	world: World,
	{range, step, countedUntil, usage}: OperationQuery,
): Generator<Sample> {
	const to = Math.min(range.to, countedUntil);
	const ids = listNamespaceIds(world);
	for (const namespaceId of ids) {
		const peak = findProfile(namespaceId)?.peak;
		if (!peak) continue;
		for (const actionType of actionTypes) {
			if (peak[actionType] === 0) continue;
			for (let time = Math.floor(range.from / step) * step; time < to; time += step) {
				const sampleStart = Math.max(time, range.from);
				const requests = countBetween(namespaceId, actionType, sampleStart, Math.min(time + step, to));
				if (requests > 0) yield {at: sampleStart, weight: 1, namespaceId, actionType, requests};
			}
		}
	}
	const knownIds = new Set(ids);
	for (const {namespace: namespaceId, minute: minuteNumber, counts} of usage) {
		const time = minuteNumber * minute;
		if (time < range.from || time + minute > to || !knownIds.has(namespaceId)) continue;
		for (const actionType of actionTypes)
			if (counts[actionType] > 0)
				yield {
					at: Math.max(range.from, Math.floor(time / step) * step),
					weight: 1,
					namespaceId,
					actionType,
					requests: counts[actionType],
				};
	}
}

/** Counts the operations between two times within one hour; the parts of an hour add up to its total. */
function countBetween(namespaceId: string, action: ActionType, from: number, to: number): number {
	const start = Math.floor(from / hour) * hour;
	const hourTotal = countInHour(namespaceId, action, start);
	const countUntil = (time: number) => Math.floor((hourTotal * Math.floor((time - start) / minute)) / 60);
	return countUntil(to) - countUntil(from);
}

const hourCounts = new Map<string, number>();
const maxHourCounts = 50_000;

function countInHour(namespaceId: string, action: ActionType, start: number): number {
	const cacheKey = `${namespaceId} ${action} ${start}`;
	const cachedCount = hourCounts.get(cacheKey);
	if (cachedCount !== undefined) return cachedCount;
	const weekday = new Date(start).getUTCDay();
	const weekendFactor = weekday === 0 || weekday === 6 ? 0.7 : 1;
	const variation = 0.85 + 0.3 * createRandom(computeSeed('operations', namespaceId, action, start / hour))();
	const peak = findProfile(namespaceId)?.peak[action] ?? 0;
	const count = Math.round(peak * computeDailyLoad(start + hour / 2) * weekendFactor * variation);
	if (hourCounts.size >= maxHourCounts) hourCounts.clear();
	hourCounts.set(cacheKey, count);
	return count;
}

/** Quantiles of latency, as multiples of the median. */
const quantileFactors = {P25: 0.6, P50: 1, P75: 1.7, P90: 3.1, P99: 9.4, P999: 27} as const;

/** Computes latency quantiles of the samples' operations, in milliseconds with one decimal. */
export function computeLatencies(samples: readonly Sample[]): Readonly<Record<string, number>> {
	let total = 0;
	let sum = 0;
	for (const {requests, actionType, at} of samples) {
		const variation =
			0.9 + 0.2 * createRandom(computeSeed('latency', String(actionType), Math.floor(at / hour)))();
		total += Number(requests);
		sum += Number(requests) * medianLatencies[actionType as ActionType] * variation;
	}
	const median = total > 0 ? sum / total : 0;
	return Object.fromEntries(
		Object.entries(quantileFactors).map(([name, factor]) => [
			`latencyMs${name}`,
			Math.round(median * factor * 10) / 10,
		]),
	);
}
