import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {findPlan, type Plan} from '../accounts/plan.ts';
import type {World} from '../world/world.ts';
import {type Dataset, measureNames} from './datasets.ts';
import {filterOf, type Range, rangeOf} from './filters.ts';
import {groupedRows, type Measure, ordered, type Row} from './grouping.ts';
import type {KvUsage} from './kv-usage.ts';
import {lagMilliseconds, limitsOf, type NodeLimits} from './plan-limits.ts';
import {problem} from './problems.ts';
import {isMoment, type Sample, shown, unitOf} from './samples.ts';
import {SecurityEvents} from './security-events.ts';
import {latenciesOf, operationSamples, storageSamples} from './store-series.ts';

/** What the rows of a dataset are computed from. */
export type Place = {
	readonly world: World;
	readonly usage: KvUsage;
	readonly now: number;
	/** Undefined for the datasets of an account. */
	readonly zone: JsonObject | undefined;
	/** Sampling interval: one of `interval` events is counted, with that weight. Undefined: the default. */
	readonly interval: number | undefined;
};

/** A query of one dataset. */
type Question = {
	readonly dataset: Dataset;
	readonly filter: JsonObject;
	readonly limit: number;
	readonly orderBy: readonly string[];
	readonly dimensions: readonly string[];
	/** Number of requested fields in all. */
	readonly fields: number;
};

export const planOfZone = ({plan}: JsonObject): Plan =>
	findPlan(isJsonObject(plan) ? String(plan.legacy_id) : undefined) ?? 'free';

/** Returns the rows of a dataset; throws if the plan does not allow the query. */
export function rowsOf(question: Question, place: Place): readonly Row[] {
	const {dataset, filter, limit, orderBy, dimensions} = question;
	const allowed = limitsOf(dataset.name, place.zone && planOfZone(place.zone));
	const range = checkedRange(question, allowed, place.now);
	const fits = filterOf(dataset, filter);
	const interval = place.interval ?? usualInterval(range);
	const made = samplesOf(question, range, place, interval);
	const samples = made.filter(fits);
	const rows = dataset.isGrouped
		? groupedRows(samples, dimensions, measures[dataset.name] ?? (() => ({})))
		: samples.map(sample => eventRow(sample, dimensions));
	return ordered(rows, dataset, orderBy).slice(0, limit);
}

/** Returns the time range of a query; throws if the plan does not allow it. */
function checkedRange({dataset, filter, limit, fields}: Question, allowed: NodeLimits, now: number): Range {
	if (!allowed.enabled) throw problem('no-access', dataset.name);
	if (fields > allowed.maxNumberOfFields) throw problem('too-many-fields', allowed.maxNumberOfFields);
	if (!Number.isInteger(limit) || limit < 1 || limit > allowed.maxPageSize)
		throw problem('limit-too-large', allowed.maxPageSize);
	const range = rangeOf(filter, now, allowed.maxDuration * 1000);
	const seconds = Math.floor((range.to - range.from) / 1000);
	// The range includes its last second; a minute is tolerance for clock differences and latency.
	if (range.from < now - (allowed.notOlderThan + 60) * 1000) throw problem('too-old', allowed.notOlderThan);
	if (seconds > allowed.maxDuration + 1) throw problem('range-too-large', allowed.maxDuration, seconds);
	return range;
}

const day = 86_400_000;

/** The service samples events for ranges over three days. */
const usualInterval = ({from, to}: Range): number => (to - from > 3 * day + 1000 ? 10 : 1);

const eventsOf = new WeakMap<World, SecurityEvents>();

function samplesOf(question: Question, range: Range, place: Place, interval: number): readonly Sample[] {
	const {world, now, usage, zone} = place;
	const until = now - lagMilliseconds;
	switch (question.dataset.name) {
		case 'kvStorageAdaptiveGroups':
			return [...storageSamples(world, range, now)];
		case 'kvOperationsAdaptiveGroups': {
			const asked = {range, step: stepOf(question), until, usage: usage.read(world, now)};
			return thinned([...operationSamples(world, asked)], place.interval ?? 1);
		}
		default: {
			if (!zone) return [];
			const events = eventsOf.get(world) ?? new SecurityEvents(world);
			eventsOf.set(world, events);
			const visited = {from: range.from, to: Math.max(range.from, Math.min(range.to, until))};
			const {id, name, status} = zone;
			const traffic = {id: String(id), name: String(name), status: String(status), plan: planOfZone(zone)};
			return events.of(traffic, visited, interval);
		}
	}
}

/**
 * Returns the milliseconds between samples: an hour, or the shortest time dimension of the query. Bounds of
 * the range do not count, because samples begin and end there.
 */
function stepOf({filter, dimensions, orderBy}: Question): number {
	const {OR: other = null, ...rest} = filter;
	const text = JSON.stringify([rest, orderBy]).replace(/"datetime_(geq|gt|leq|lt)"/g, '');
	const named = [...dimensions, ...(`${text} ${JSON.stringify(other)}`.match(/datetime[A-Za-z]*/g) ?? [])];
	return Math.max(60_000, Math.min(3_600_000, ...named.filter(isMoment).map(unitOf)));
}

/** Rounds the numbers as if estimated from a sample of the operations. */
const thinned = (samples: readonly Sample[], interval: number): readonly Sample[] =>
	interval === 1
		? samples
		: samples.map(sample => ({
				...sample,
				weight: interval,
				requests: Math.round(Number(sample.requests) / interval) * interval,
			}));

const total = (samples: readonly Sample[], name: string): number =>
	samples.reduce((sum, sample) => sum + Number(sample[name]), 0);
const sampleInterval = (samples: readonly Sample[]): number =>
	samples.length === 0 ? 1 : total(samples, 'weight') / samples.length;
const largest = (samples: readonly Sample[], name: string): number =>
	samples.reduce((most, sample) => Math.max(most, Number(sample[name])), 0);

const measures: Readonly<Record<string, Measure>> = {
	kvStorageAdaptiveGroups: samples => ({
		max: {keyCount: largest(samples, 'keyCount'), byteCount: largest(samples, 'byteCount')},
	}),
	kvOperationsAdaptiveGroups: samples => ({
		sum: {requests: total(samples, 'requests')},
		quantiles: latenciesOf(samples),
		avg: {sampleInterval: sampleInterval(samples)},
	}),
	firewallEventsAdaptiveGroups: samples => ({
		count: total(samples, 'weight'),
		avg: {sampleInterval: sampleInterval(samples)},
	}),
};

const eventRow = (sample: Sample, dimensions: readonly string[]): Row => ({
	...Object.fromEntries(dimensions.map(name => [name, shown(sample, name)])),
	sampleInterval: sample.weight,
});

/** What a plan allows of a dataset, in the format of the service. */
export const settingsOf = (dataset: Dataset, plan: Plan | undefined): JsonObject => ({
	...limitsOf(dataset.name, plan),
	availableFields: [
		...Object.keys(dataset.dimensions).map(name => (dataset.isGrouped ? `dimensions_${name}` : name)),
		...measureNames(dataset),
	],
});
