import type {EventFilter} from '../analytics/event-query.ts';
import {readSecurityEvents, type SecurityEvent} from '../analytics/events.ts';
import {
	type AnalyticsProblem,
	createMissingFailure,
	type ProblemKind,
	singleEventsSubject,
} from '../analytics/problem.ts';
import type {Client} from '../service/client.ts';

/** Milliseconds between two reads. The quota is 300 queries in five minutes per user. */
export const followPauseMs = 15_000;
/** Longest delay before an event appears, in milliseconds; each read goes back that far. */
export const maxEventDelayMs = 10 * 60_000;
/** Events per query, and queries per read. */
const pageSize = 1000;
const maxPages = 10;

type FollowHandlers = {
	/** New events, the earliest first. */
	onEvents(events: readonly SecurityEvent[]): Promise<void>;
	/** Called per kind of problem, again only after it was resolved. */
	onProblem(problem: AnalyticsProblem): void;
	/** Called if a time span has more events than can be read, so that some are omitted. */
	onOmittedEvents(since: number, until: number): void;
};

/** Which events are followed. */
type FollowFilter = Omit<EventFilter, 'until'> & {
	/** Limit for events before the first read, latest first. */
	readonly limit: number;
};

/** Permanent problems; after any other, a later read may succeed. */
const permanentProblems: ReadonlySet<ProblemKind> = new Set(['not allowed', 'not in plan']);

/**
 * Reports the events of a zone as they appear, each once. Events appear late, so every read covers the last
 * minutes again and reports only new ones. Ends by its signal, or fails if events cannot be read at all. A
 * later failed read is a problem, and the next read covers its time.
 */
export async function followEvents(
	client: Client,
	zoneId: string,
	{limit, ...filter}: FollowFilter,
	{onEvents, onProblem, onOmittedEvents}: FollowHandlers,
	signal: AbortSignal,
): Promise<never> {
	const {clock} = client;
	const shownCounts = new Map<string, {count: number; at: number}>();
	let coveredUntil: number | undefined;
	let earliestTime = filter.since;
	let reportedKinds = new Set<ProblemKind>();
	for (;;) {
		const until = clock.now();
		const isFirst = coveredUntil === undefined;
		const since = Math.max(
			earliestTime,
			coveredUntil === undefined ? earliestTime : coveredUntil - maxEventDelayMs,
		);
		const eventRead = await readEventPages(
			client,
			zoneId,
			{...filter, since, until},
			isFirst ? limit : undefined,
			signal,
		);
		if (eventRead.isComplete || eventRead.events.length > 0) {
			if (isFirst && eventRead.hasMore) earliestTime = eventRead.events.at(-1)?.at ?? earliestTime;
			if (eventRead.omittedSpan && !isFirst)
				onOmittedEvents(eventRead.omittedSpan.since, eventRead.omittedSpan.until);
		} else if (isFirst || eventRead.problems.some(({kind}) => permanentProblems.has(kind))) {
			throw createMissingFailure(singleEventsSubject, eventRead.problems[0]);
		}
		const currentKinds = new Set(eventRead.problems.map(({kind}) => kind));
		for (const problem of eventRead.problems)
			if (!reportedKinds.has(problem.kind)) {
				reportedKinds.add(problem.kind);
				onProblem(problem);
			}
		reportedKinds = new Set([...reportedKinds].filter(kind => currentKinds.has(kind)));
		const newEvents = takeNewEvents(eventRead.events, shownCounts);
		if (newEvents.length > 0) await onEvents(newEvents);
		if (eventRead.isComplete) coveredUntil = until;
		for (const [name, {at}] of shownCounts)
			if (at < (coveredUntil ?? until) - 2 * maxEventDelayMs) shownCounts.delete(name);
		await clock.wait(followPauseMs * clock.scale, signal);
	}
}

type EventRead = {
	/** The latest first. */
	readonly events: readonly SecurityEvent[];
	readonly problems: readonly AnalyticsProblem[];
	/** True if the whole time span was read, except for `omittedSpan`. */
	readonly isComplete: boolean;
	/** True if more events exist than were requested. */
	readonly hasMore: boolean;
	/** The part of the time span whose events could not all be read. */
	readonly omittedSpan: {readonly since: number; readonly until: number} | undefined;
};

/** Reads the events of a time page by page: all, or the latest `limit`. */
async function readEventPages(
	client: Client,
	zoneId: string,
	filter: EventFilter,
	limit: number | undefined,
	signal: AbortSignal,
): Promise<EventRead> {
	const events: SecurityEvent[] = [];
	const problems: AnalyticsProblem[] = [];
	let until = filter.until;
	let omittedSpan: EventRead['omittedSpan'];
	for (let pages = 0; pages < maxPages && until >= filter.since; pages++) {
		const pageLimit = limit === undefined ? pageSize : Math.min(pageSize, limit - events.length);
		const read = await readSecurityEvents(client, zoneId, {...filter, until}, pageLimit, signal);
		problems.push(...read.problems);
		if (!read.value) return {events, problems, isComplete: false, hasMore: false, omittedSpan: undefined};
		const knownCounts = new Map<string, number>();
		for (const event of events) incrementCount(knownCounts, getEventKey(event));
		// A page begins with the second that the one before ended with.
		for (const event of read.value.events)
			if (!decrementCount(knownCounts, getEventKey(event))) events.push(event);
		if (!read.value.hasMore) return {events, problems, isComplete: true, hasMore: false, omittedSpan};
		if (limit !== undefined && events.length >= limit)
			return {events, problems, isComplete: true, hasMore: true, omittedSpan};
		const lastSecond = roundDownToSecond(read.value.events.at(-1)?.at ?? filter.since);
		if (lastSecond < roundDownToSecond(until)) until = lastSecond;
		else {
			// One second has more events than a page; the rest cannot be read.
			omittedSpan = {since: lastSecond, until: omittedSpan?.until ?? lastSecond + 999};
			until = lastSecond - 1000;
		}
	}
	const isDone = until < filter.since;
	return {
		events,
		problems,
		isComplete: true,
		hasMore: true,
		omittedSpan: isDone ? omittedSpan : {since: filter.since, until: omittedSpan?.until ?? until},
	};
}

const roundDownToSecond = (time: number): number => Math.floor(time / 1000) * 1000;

/** Returns a key of an event. Several events can have the same key, so they are counted. */
const getEventKey = ({ray, ruleId, at, source, action, address, path}: SecurityEvent): string =>
	JSON.stringify([ray, ruleId, at, source, action, ...(ray === undefined ? [address, path] : [])]);

function incrementCount(counts: Map<string, number>, name: string): void {
	counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** Decrements a count; false if it is 0. */
function decrementCount(counts: Map<string, number>, name: string): boolean {
	const remaining = counts.get(name) ?? 0;
	if (remaining > 0) counts.set(name, remaining - 1);
	return remaining > 0;
}

/** Returns the events not shown before, earliest first, and counts them as shown. */
function takeNewEvents(
	events: readonly SecurityEvent[],
	shownCounts: Map<string, {count: number; at: number}>,
): readonly SecurityEvent[] {
	const counts = new Map<string, number>();
	const newEvents: SecurityEvent[] = [];
	for (const event of events) {
		const name = getEventKey(event);
		incrementCount(counts, name);
		const shownEntry = shownCounts.get(name);
		const occurrence = counts.get(name) ?? 1;
		if (occurrence <= (shownEntry?.count ?? 0)) continue;
		shownCounts.set(name, {count: occurrence, at: event.at});
		newEvents.push(event);
	}
	return newEvents.toReversed();
}
