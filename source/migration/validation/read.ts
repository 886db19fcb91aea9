import {analyticsOf} from '../../analytics/analytics.ts';
import {type EventGroup, eventGroups, type Grouping} from '../../analytics/event-groups.ts';
import {bucketFor, type TimeDimension, windowsOf} from '../../analytics/event-query.ts';
import {securityEventsOf} from '../../analytics/events.ts';
import type {Problem, Read} from '../../analytics/problem.ts';
import type {Client} from '../../service/client.ts';
import type {Counted, EventsBefore, Span, VersionEvents} from './events.ts';
import {stoppingActions, versionSources} from './versions.ts';

/** Maximum time before validation to read, in milliseconds. */
const longestBefore = 7 * 86_400_000;
/** Maximum number of events to compare by request; with more, places are compared by path. */
const mostSingle = 2000;
const mostBuckets = 180;
/** Maximum number of rows of a grouping; addresses have the most. */
const mostRows = 5000;

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
	{since, until, begun}: Counted,
	before: EventsBefore | 'read it' | 'none',
	signal: AbortSignal,
): Promise<Read<VersionEvents>> {
	const by = bucketFor({since: begun, until}, mostBuckets);
	const groupings: Readonly<Record<string, Grouping>> = {...counts, ...(since === begun && overTime(by))};
	const read = await eventGroups(client, zone, {since, until, sources}, groupings, signal);
	if (!read.value) return {value: undefined, problems: read.problems};
	const whole =
		since === begun
			? read
			: await eventGroups(client, zone, {since: begun, until, sources}, overTime(by), signal);
	const {groups, isSampled, since: from} = read.value;
	const {rules} = groups;
	if (!rules) return {value: undefined, problems: read.problems};
	const single = await readSingle(client, zone, {since: from, until}, isSampled, signal);
	const isRead = before === 'read it';
	const known = isRead || before === 'none' ? undefined : before;
	const earlier = isRead ? await readBefore(client, zone, begun, until, signal) : known;
	const {times, hours}: OverTime = whole.value?.groups ?? {};
	return {
		value: {
			since: from,
			until,
			begun: whole.value?.since ?? begun,
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
		problems: distinct([...read.problems, ...whole.problems]),
	};
}

type OverTime = Partial<Record<'times' | 'hours', readonly EventGroup[]>>;

const counts = {
	rules: {by: ['source', 'ruleId', 'rulesetId', 'action'], also: ['description'], limit: mostRows},
	places: {
		by: ['source', 'ruleId', 'rulesetId', 'action', ...place],
		also: ['description'],
		only: {actions: stoppedByNew.actions},
		limit: mostRows,
	},
	addresses: {by: ['ruleId', ...place, 'clientIP'], only: stoppedByNew, limit: mostRows},
	countries: {by: ['ruleId', ...place, 'clientCountryName'], only: stoppedByNew, limit: mostRows},
} as const satisfies Record<string, Grouping>;

const overTime = (by: TimeDimension) => ({
	times: {by: ['source', 'action', by] as const, limit: mostRows},
	hours: {by: ['action', 'datetimeHour'] as const, only: stoppedByNew, limit: mostRows},
});

/**
 * Reads every stopping event, to compare by request. Undefined if unavailable; the comparison is then by
 * path.
 */
async function readSingle(
	client: Client,
	zone: string,
	{since, until}: Span,
	isSampled: boolean,
	signal: AbortSignal,
): Promise<VersionEvents['single']> {
	if (isSampled) return undefined;
	const filter = {since, until, sources, actions: stoppedByNew.actions};
	const {value} = await securityEventsOf(client, zone, filter, mostSingle, signal);
	return value && !value.hasMore ? value.events : undefined;
}

/**
 * Reads what the previous rules stopped before validation, for an equal duration, if the plan keeps it that
 * long.
 */
async function readBefore(
	client: Client,
	zone: string,
	since: number,
	until: number,
	signal: AbortSignal,
): Promise<EventsBefore | undefined> {
	const length = Math.min(longestBefore, Math.max(until - since, 86_400_000));
	const limits = await analyticsOf(client).datasets.limits('firewallEventsAdaptiveGroups', zone, signal);
	const kept = limits?.notOlderThan;
	if (kept !== undefined && until - kept >= since) return undefined;
	const {value} = await eventGroups(
		client,
		zone,
		{since: since - length, until: since - 1000, sources: [versionSources.previous]},
		{places: {by: [...place], only: {actions: stoppedByNew.actions}, limit: mostRows}},
		signal,
	);
	return value?.groups.places && {since: value.since, until: since, places: value.groups.places};
}

/** Removes duplicates: every part reports the same problem. */
const distinct = (problems: readonly Problem[]): readonly Problem[] => [
	...new Map(problems.map(problem => [`${problem.kind} ${problem.message}`, problem])).values(),
];

/**
 * Computes the delay between automatic readings, in milliseconds, so that a screen uses at most a quarter of
 * the query quota.
 */
export async function readingInterval(
	client: Client,
	zone: string,
	span: Span,
	signal: AbortSignal,
): Promise<number> {
	const {datasets, now} = analyticsOf(client);
	const limits = await datasets.limits('firewallEventsAdaptiveGroups', zone, signal);
	const queries = 3 * windowsOf(span, limits, now()).windows.length;
	return Math.max(60_000, queries * 4000);
}

/** Number of requests that the new rules stopped, and the sample interval of the events. */
export type StoppedByNew = Span & {readonly stopped: number; readonly sampleInterval: number};

/** Reads only the number of requests that the new rules stopped. Rejects only when interrupted. */
export async function readStopped(
	client: Client,
	zone: string,
	span: Span,
	signal: AbortSignal,
): Promise<Read<StoppedByNew>> {
	const {value, problems} = await eventGroups(
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
