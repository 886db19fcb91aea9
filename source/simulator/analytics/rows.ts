import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {findPlan, type Plan} from '../accounts/plan.ts';
import type {World} from '../world/world.ts';
import {type DatasetDefinition, listMeasureNames} from './datasets.ts';
import {buildSampleFilter, parseQueryRange, type TimeRange} from './filters.ts';
import {type AnswerRow, groupSamples, type Measure, orderRows} from './grouping.ts';
import type {KvUsage} from './kv-usage.ts';
import {type AnalyticsLimits, getDatasetLimits, lagMilliseconds} from './plan-limits.ts';
import {createQueryProblem} from './problems.ts';
import {formatDimension, getTimeUnit, isTimeDimension, type Sample} from './samples.ts';
import {SecurityEvents} from './security-events.ts';
import {computeLatencies, generateOperationSamples, generateStorageSamples} from './store-series.ts';

/** What the rows of one account or zone are computed from. */
export type RowSource = {
	readonly world: World;
	readonly usage: KvUsage;
	readonly now: number;
	/** Undefined for the datasets of an account. */
	readonly zone: JsonObject | undefined;
	/** Sampling interval: one in this many events is counted, with that weight. Undefined: the default. */
	readonly sampleInterval: number | undefined;
};

/** A query of one dataset. */
type RowQuery = {
	readonly dataset: DatasetDefinition;
	readonly filter: JsonObject;
	readonly limit: number;
	readonly orderBy: readonly string[];
	readonly dimensions: readonly string[];
	/** Total number of requested fields. */
	readonly fieldCount: number;
};

export const getPlanOfZone = ({plan}: JsonObject): Plan =>
	findPlan(isJsonObject(plan) ? String(plan.legacy_id) : undefined) ?? 'free';

/** Returns the rows of a dataset; throws if the plan does not allow the query. */
export function computeRows(query: RowQuery, source: RowSource): readonly AnswerRow[] {
	const {dataset, filter, limit, orderBy, dimensions} = query;
	const planLimits = getDatasetLimits(dataset.name, source.zone && getPlanOfZone(source.zone));
	const range = getAllowedRange(query, planLimits, source.now);
	const matches = buildSampleFilter(dataset, filter);
	const sampleInterval = source.sampleInterval ?? getDefaultInterval(range);
	const allSamples = collectSamples(query, range, source, sampleInterval);
	const samples = allSamples.filter(matches);
	const rows = dataset.isGrouped
		? groupSamples(samples, dimensions, measures[dataset.name] ?? (() => ({})))
		: samples.map(sample => buildEventRow(sample, dimensions));
	return orderRows(rows, dataset, orderBy).slice(0, limit);
}

/** Returns the time range of a query; throws if the plan does not allow it. */
function getAllowedRange(
	{dataset, filter, limit, fieldCount}: RowQuery,
	planLimits: AnalyticsLimits,
	now: number,
): TimeRange {
	if (!planLimits.enabled) throw createQueryProblem('no-access', dataset.name);
	if (fieldCount > planLimits.maxNumberOfFields)
		throw createQueryProblem('too-many-fields', planLimits.maxNumberOfFields);
	if (!Number.isInteger(limit) || limit < 1 || limit > planLimits.maxPageSize)
		throw createQueryProblem('limit-too-large', planLimits.maxPageSize);
	const range = parseQueryRange(filter, now, planLimits.maxDuration * 1000);
	const seconds = Math.floor((range.to - range.from) / 1000);
	// The range includes its last second; a minute is tolerance for clock differences and latency.
	if (range.from < now - (planLimits.notOlderThan + 60) * 1000)
		throw createQueryProblem('too-old', planLimits.notOlderThan);
	if (seconds > planLimits.maxDuration + 1)
		throw createQueryProblem('range-too-large', planLimits.maxDuration, seconds);
	return range;
}

const dayMs = 86_400_000;

/** The service samples events for ranges over three days. */
const getDefaultInterval = ({from, to}: TimeRange): number => (to - from > 3 * dayMs + 1000 ? 10 : 1);

const eventsByWorld = new WeakMap<World, SecurityEvents>();

function collectSamples(
	query: RowQuery,
	range: TimeRange,
	source: RowSource,
	sampleInterval: number,
): readonly Sample[] {
	const {world, now, usage, zone} = source;
	const countedUntil = now - lagMilliseconds;
	switch (query.dataset.name) {
		case 'kvStorageAdaptiveGroups':
			return [...generateStorageSamples(world, range, now)];
		case 'kvOperationsAdaptiveGroups': {
			const operationQuery = {
				range,
				step: getSampleStep(query),
				countedUntil,
				usage: usage.read(world, now),
			};
			return scaleRequests([...generateOperationSamples(world, operationQuery)], source.sampleInterval ?? 1);
		}
		default: {
			if (!zone) return [];
			const events = eventsByWorld.get(world) ?? new SecurityEvents(world);
			eventsByWorld.set(world, events);
			const visitedRange = {from: range.from, to: Math.max(range.from, Math.min(range.to, countedUntil))};
			const {id, name, status} = zone;
			const trafficZone = {
				id: String(id),
				name: String(name),
				status: String(status),
				plan: getPlanOfZone(zone),
			};
			return events.collect(trafficZone, visitedRange, sampleInterval);
		}
	}
}

/**
 * Returns the milliseconds between samples: an hour, or the shortest time dimension of the query. Bounds of
 * the range do not count, because samples begin and end there.
 */
function getSampleStep({filter, dimensions, orderBy}: RowQuery): number {
	const {OR: orFilter = null, ...otherConditions} = filter;
	const text = JSON.stringify([otherConditions, orderBy]).replace(/"datetime_(geq|gt|leq|lt)"/g, '');
	const mentionedNames = [
		...dimensions,
		...(`${text} ${JSON.stringify(orFilter)}`.match(/datetime[A-Za-z]*/g) ?? []),
	];
	return Math.max(60_000, Math.min(3_600_000, ...mentionedNames.filter(isTimeDimension).map(getTimeUnit)));
}

/** Rounds the numbers as if estimated from a sample of the operations. */
const scaleRequests = (samples: readonly Sample[], sampleInterval: number): readonly Sample[] =>
	sampleInterval === 1
		? samples
		: samples.map(sample => ({
				...sample,
				weight: sampleInterval,
				requests: Math.round(Number(sample.requests) / sampleInterval) * sampleInterval,
			}));

const sumValues = (samples: readonly Sample[], name: string): number =>
	samples.reduce((sum, sample) => sum + Number(sample[name]), 0);
const computeAverageWeight = (samples: readonly Sample[]): number =>
	samples.length === 0 ? 1 : sumValues(samples, 'weight') / samples.length;
const getMaximum = (samples: readonly Sample[], name: string): number =>
	samples.reduce((max, sample) => Math.max(max, Number(sample[name])), 0);

const measures: Readonly<Record<string, Measure>> = {
	kvStorageAdaptiveGroups: samples => ({
		max: {keyCount: getMaximum(samples, 'keyCount'), byteCount: getMaximum(samples, 'byteCount')},
	}),
	kvOperationsAdaptiveGroups: samples => ({
		sum: {requests: sumValues(samples, 'requests')},
		quantiles: computeLatencies(samples),
		avg: {sampleInterval: computeAverageWeight(samples)},
	}),
	firewallEventsAdaptiveGroups: samples => ({
		count: sumValues(samples, 'weight'),
		avg: {sampleInterval: computeAverageWeight(samples)},
	}),
};

const buildEventRow = (sample: Sample, dimensions: readonly string[]): AnswerRow => ({
	...Object.fromEntries(dimensions.map(name => [name, formatDimension(sample, name)])),
	sampleInterval: sample.weight,
});

/** Returns the limits of a plan for a dataset, in the format of the service. */
export const getDatasetSettings = (dataset: DatasetDefinition, plan: Plan | undefined): JsonObject => ({
	...getDatasetLimits(dataset.name, plan),
	availableFields: [
		...Object.keys(dataset.dimensions).map(name => (dataset.isGrouped ? `dimensions_${name}` : name)),
		...listMeasureNames(dataset),
	],
});
