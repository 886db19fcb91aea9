import {getAnalytics} from '../../analytics/analytics.ts';
import {type EventGroup, type Grouping, readEventGroups} from '../../analytics/event-groups.ts';
import {chooseBucket, splitIntoWindows, type TimeDimension} from '../../analytics/event-query.ts';
import {readSecurityEvents} from '../../analytics/events.ts';
import type {Problem, Read} from '../../analytics/problem.ts';
import type {Client} from '../../service/client.ts';
import type {CountedSpan, EventSpan, EventsBefore, VersionEvents} from './events.ts';
import {stoppingActions, versionSources} from './versions.ts';

/** Maximum time before validation to read, in milliseconds. */
const maxBeforeMs = 7 * 86_400_000;
/** Maximum number of events to compare by request; with more, places are compared by path. */
const maxSingleEvents = 2000;
const maxBuckets = 180;
/** Maximum number of rows of a grouping; addresses have the most. */
const maxRows = 5000;

const sources = [versionSources.new, versionSources.previous];
const stoppedByNew = {sources: [versionSources.new], actions: [...stoppingActions]};
const place = ['clientRequestHTTPHost', 'clientRequestPath'] as const;

/**
 * Reads what both versions did. `before`: events before validation from an earlier reading; `none` if it is
 * unknown when validation began. Without rule counts there is no value. The problems name what is missing.
 * Rejects only when interrupted.
 */
export async function readVersionEvents(
	client: Client,
	zone: string,
	{since, until, begun}: CountedSpan,
	before: EventsBefore | 'read it' | 'none',
	signal: AbortSignal,
): Promise<Read<VersionEvents>> {
	const by = chooseBucket({since: begun, until}, maxBuckets);
	const groupings: Readonly<Record<string, Grouping>> = {
		...counts,
		...(since === begun && buildTimeGroupings(by)),
	};
	const read = await readEventGroups(client, zone, {since, until, sources}, groupings, signal);
	if (!read.value) return {value: undefined, problems: read.problems};
	const timeline =
		since === begun
			? read
			: await readEventGroups(client, zone, {since: begun, until, sources}, buildTimeGroupings(by), signal);
	const {groups, isSampled, since: from} = read.value;
	const {rules} = groups;
	if (!rules) return {value: undefined, problems: read.problems};
	const single = await readStoppingEvents(client, zone, {since: from, until}, isSampled, signal);
	const isRead = before === 'read it';
	const known = isRead || before === 'none' ? undefined : before;
	const earlier = isRead ? await readEventsBefore(client, zone, begun, until, signal) : known;
	const {times, hours}: OverTime = timeline.value?.groups ?? {};
	return {
		value: {
			since: from,
			until,
			begun: timeline.value?.since ?? begun,
			isSampled,
			rules,
			places: groups.places,
			times: times && {groups: times, by},
			hours,
			addresses: groups.addresses,
			countries: groups.countries,
			single,
			before: earlier,
		},
		problems: deduplicateProblems([...read.problems, ...timeline.problems]),
	};
}

type OverTime = Partial<Record<'times' | 'hours', readonly EventGroup[]>>;

const counts = {
	rules: {by: ['source', 'ruleId', 'rulesetId', 'action'], also: ['description'], limit: maxRows},
	places: {
		by: ['source', 'ruleId', 'rulesetId', 'action', ...place],
		also: ['description'],
		only: {actions: stoppedByNew.actions},
		limit: maxRows,
	},
	addresses: {by: ['ruleId', ...place, 'clientIP'], only: stoppedByNew, limit: maxRows},
	countries: {by: ['ruleId', ...place, 'clientCountryName'], only: stoppedByNew, limit: maxRows},
} as const satisfies Record<string, Grouping>;

const buildTimeGroupings = (by: TimeDimension) => ({
	times: {by: ['source', 'action', by] as const, limit: maxRows},
	hours: {by: ['action', 'datetimeHour'] as const, only: stoppedByNew, limit: maxRows},
});

/**
 * Reads every stopping event, to compare by request. Undefined if unavailable; the comparison is then by
 * path.
 */
async function readStoppingEvents(
	client: Client,
	zone: string,
	{since, until}: EventSpan,
	isSampled: boolean,
	signal: AbortSignal,
): Promise<VersionEvents['single']> {
	if (isSampled) return undefined;
	const filter = {since, until, sources, actions: stoppedByNew.actions};
	const {value} = await readSecurityEvents(client, zone, filter, maxSingleEvents, signal);
	return value && !value.hasMore ? value.events : undefined;
}

/**
 * Reads what the previous rules stopped before validation, for an equal duration, if the plan keeps it that
 * long.
 */
async function readEventsBefore(
	client: Client,
	zone: string,
	since: number,
	until: number,
	signal: AbortSignal,
): Promise<EventsBefore | undefined> {
	const length = Math.min(maxBeforeMs, Math.max(until - since, 86_400_000));
	const limits = await getAnalytics(client).datasets.limits('firewallEventsAdaptiveGroups', zone, signal);
	const kept = limits?.notOlderThan;
	if (kept !== undefined && until - kept >= since) return undefined;
	const {value} = await readEventGroups(
		client,
		zone,
		{since: since - length, until: since - 1000, sources: [versionSources.previous]},
		{places: {by: [...place], only: {actions: stoppedByNew.actions}, limit: maxRows}},
		signal,
	);
	return value?.groups.places && {since: value.since, until: since, places: value.groups.places};
}

/** Removes duplicates: every part reports the same problem. */
const deduplicateProblems = (problems: readonly Problem[]): readonly Problem[] => [
	...new Map(problems.map(problem => [`${problem.kind} ${problem.message}`, problem])).values(),
];

/**
 * Computes the delay between automatic readings, in milliseconds, so that a screen uses at most a quarter of
 * the query quota.
 */
export async function computeReadingInterval(
	client: Client,
	zone: string,
	span: EventSpan,
	signal: AbortSignal,
): Promise<number> {
	const {datasets, now} = getAnalytics(client);
	const limits = await datasets.limits('firewallEventsAdaptiveGroups', zone, signal);
	const queries = 3 * splitIntoWindows(span, limits, now()).windows.length;
	return Math.max(60_000, queries * 4000);
}

/** Number of requests that the new rules stopped, and the sample interval of the events. */
export type StoppedRequests = EventSpan & {readonly stopped: number; readonly sampleInterval: number};

/** Reads only the number of requests that the new rules stopped. Rejects only when interrupted. */
export async function readStopped(
	client: Client,
	zone: string,
	span: EventSpan,
	signal: AbortSignal,
): Promise<Read<StoppedRequests>> {
	const {value, problems} = await readEventGroups(
		client,
		zone,
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
