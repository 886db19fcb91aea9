import {getAnalytics} from '../../analytics/analytics.ts';
import {type EventGroup, type Grouping, readEventGroups} from '../../analytics/event-groups.ts';
import {chooseBucket, splitIntoWindows, type TimeDimension} from '../../analytics/event-query.ts';
import {readSecurityEvents} from '../../analytics/events.ts';
import type {AnalyticsProblem, ReadResult} from '../../analytics/problem.ts';
import type {Client} from '../../service/client.ts';
import type {CountedSpan, EarlierEvents, EventSpan, VersionEvents} from './events.ts';
import {stoppingActions, versionSources} from './versions.ts';

/** Maximum duration before validation to read, in milliseconds. */
const maxBeforeMs = 7 * 86_400_000;
/** Maximum number of events to compare request by request. If there are more, places are compared by path. */
const maxSingleEvents = 2000;
const maxBuckets = 180;
/** Maximum number of rows of a grouping. Groupings by address need the most. */
const maxRows = 5000;

const sources = [versionSources.new, versionSources.previous];
const stoppedByNew = {sources: [versionSources.new], actions: [...stoppingActions]};
const hostAndPath = ['clientRequestHTTPHost', 'clientRequestPath'] as const;

/**
 * Reads what both versions did. `givenEvents`: the events before validation from an earlier reading; `read
 * it` to read them; `none` if it is unknown when validation began. There is no value if the rules could not
 * be counted. The problems describe what is missing. Rejects only when interrupted.
 */
export async function readVersionEvents(
	client: Client,
	zoneId: string,
	{since, until, validationStart}: CountedSpan,
	givenEvents: EarlierEvents | 'read it' | 'none',
	signal: AbortSignal,
): Promise<ReadResult<VersionEvents>> {
	const timeDimension = chooseBucket({since: validationStart, until}, maxBuckets);
	const groupings: Readonly<Record<string, Grouping>> = {
		...countGroupings,
		...(since === validationStart && buildTimeGroupings(timeDimension)),
	};
	const reading = await readEventGroups(client, zoneId, {since, until, sources}, groupings, signal);
	if (!reading.value) return {value: undefined, problems: reading.problems};
	const timeline =
		since === validationStart
			? reading
			: await readEventGroups(
					client,
					zoneId,
					{since: validationStart, until, sources},
					buildTimeGroupings(timeDimension),
					signal,
				);
	const {groups, isSampled, since: firstTime} = reading.value;
	const {rules: byRule} = groups;
	if (!byRule) return {value: undefined, problems: reading.problems};
	const stoppingEvents = await readStoppingEvents(
		client,
		zoneId,
		{since: firstTime, until},
		isSampled,
		signal,
	);
	const shouldReadEarlier = givenEvents === 'read it';
	const knownEvents = shouldReadEarlier || givenEvents === 'none' ? undefined : givenEvents;
	const earlierEvents = shouldReadEarlier
		? await readEarlierEvents(client, zoneId, validationStart, until, signal)
		: knownEvents;
	const {times, hours: byHour}: TimeGroups = timeline.value?.groups ?? {};
	return {
		value: {
			since: firstTime,
			until,
			validationStart: timeline.value?.since ?? validationStart,
			isSampled,
			byRule,
			byPlace: groups.places,
			byTime: times && {groups: times, timeDimension},
			byHour,
			byAddress: groups.addresses,
			byCountry: groups.countries,
			stoppingEvents,
			earlierEvents,
		},
		problems: deduplicateProblems([...reading.problems, ...timeline.problems]),
	};
}

type TimeGroups = Partial<Record<'times' | 'hours', readonly EventGroup[]>>;

const countGroupings = {
	rules: {
		by: ['source', 'ruleId', 'rulesetId', 'action'],
		optionalDimensions: ['description'],
		limit: maxRows,
	},
	places: {
		by: ['source', 'ruleId', 'rulesetId', 'action', ...hostAndPath],
		optionalDimensions: ['description'],
		extraFilter: {actions: stoppedByNew.actions},
		limit: maxRows,
	},
	addresses: {by: ['ruleId', ...hostAndPath, 'clientIP'], extraFilter: stoppedByNew, limit: maxRows},
	countries: {by: ['ruleId', ...hostAndPath, 'clientCountryName'], extraFilter: stoppedByNew, limit: maxRows},
} as const satisfies Record<string, Grouping>;

const buildTimeGroupings = (timeDimension: TimeDimension) => ({
	times: {by: ['source', 'action', timeDimension] as const, limit: maxRows},
	hours: {by: ['action', 'datetimeHour'] as const, extraFilter: stoppedByNew, limit: maxRows},
});

/**
 * Reads every stopping event, to compare request by request. Undefined if they cannot all be read; the
 * comparison is then by path.
 */
async function readStoppingEvents(
	client: Client,
	zoneId: string,
	{since, until}: EventSpan,
	isSampled: boolean,
	signal: AbortSignal,
): Promise<VersionEvents['stoppingEvents']> {
	if (isSampled) return undefined;
	const filter = {since, until, sources, actions: stoppedByNew.actions};
	const {value} = await readSecurityEvents(client, zoneId, filter, maxSingleEvents, signal);
	return value && !value.hasMore ? value.events : undefined;
}

/**
 * Reads what the previous rules stopped before validation, for an equal duration. Undefined if the zone's
 * subscription does not store events for that long.
 */
async function readEarlierEvents(
	client: Client,
	zoneId: string,
	since: number,
	until: number,
	signal: AbortSignal,
): Promise<EarlierEvents | undefined> {
	const durationMs = Math.min(maxBeforeMs, Math.max(until - since, 86_400_000));
	const limits = await getAnalytics(client).datasets.limits('firewallEventsAdaptiveGroups', zoneId, signal);
	const retentionMs = limits?.retentionMs;
	if (retentionMs !== undefined && until - retentionMs >= since) return undefined;
	const {value} = await readEventGroups(
		client,
		zoneId,
		{since: since - durationMs, until: since - 1000, sources: [versionSources.previous]},
		{places: {by: [...hostAndPath], extraFilter: {actions: stoppedByNew.actions}, limit: maxRows}},
		signal,
	);
	return value?.groups.places && {since: value.since, until: since, byPlace: value.groups.places};
}

/** Removes duplicates: all parts report the same problem. */
const deduplicateProblems = (problems: readonly AnalyticsProblem[]): readonly AnalyticsProblem[] => [
	...new Map(problems.map(problem => [`${problem.kind} ${problem.message}`, problem])).values(),
];

/**
 * Computes the delay between automatic readings, in milliseconds. A screen uses at most a quarter of the
 * query quota.
 */
export async function computeReadingInterval(
	client: Client,
	zoneId: string,
	span: EventSpan,
	signal: AbortSignal,
): Promise<number> {
	const {datasets, now} = getAnalytics(client);
	const limits = await datasets.limits('firewallEventsAdaptiveGroups', zoneId, signal);
	const queries = 3 * splitIntoWindows(span, limits, now()).windows.length;
	// The quota is one query per second; a query each four seconds is a quarter of it.
	return Math.max(60_000, queries * 4000);
}

/** Number of requests that the new rules stopped, and the sample interval of the events. */
export type StoppedRequests = EventSpan & {readonly stopped: number; readonly sampleInterval: number};

/** Reads only the number of requests that the new rules stopped. Rejects only when interrupted. */
export async function readStoppedRequests(
	client: Client,
	zoneId: string,
	span: EventSpan,
	signal: AbortSignal,
): Promise<ReadResult<StoppedRequests>> {
	const {value, problems} = await readEventGroups(
		client,
		zoneId,
		{...span, ...stoppedByNew},
		{all: {by: ['action']}},
		signal,
	);
	const groups = value?.groups.all;
	if (!value || !groups) return {value: undefined, problems};
	return {
		value: {
			since: value.since,
			until: span.until,
			stopped: groups.reduce((sum, {count}) => sum + count, 0),
			sampleInterval: Math.max(1, ...groups.map(({sampleInterval = 1}) => sampleInterval)),
		},
		problems,
	};
}
