import type {EventFilter} from '../analytics/event-query.ts';
import {type SecurityEvent, securityEventsOf} from '../analytics/events.ts';
import {type Problem, type ProblemKind, singleEvents, withoutNumbers} from '../analytics/problem.ts';
import type {Client} from '../service/client.ts';

/** Milliseconds between the end of one look and the next: 300 queries in five minutes are for all of a user. */
export const followingPause = 15_000;
/** An event can appear so many milliseconds after it happened: each look goes back so far behind the last one. */
export const longestDelay = 10 * 60_000;
/** Events that one query asks for, and queries of one look. */
const page = 1000;
const mostPages = 10;

/** What following prints. */
type Following = {
	/** New events, the earliest first. */
	onEvents(events: readonly SecurityEvent[]): Promise<void>;
	/** What is missing, each kind once until it was there again. */
	onProblem(problem: Problem): void;
	/** There were more events than can be asked for: some of this time are left out. */
	onLeftOut(since: number, until: number): void;
};

/** Which events are followed. */
type Followed = Omit<EventFilter, 'until'> & {
	/** Of those that happened before the first look, only the latest so many. */
	readonly most: number;
};

/** These do not pass. Whatever else a look fails with, the next one may succeed where one has before. */
const lasting: ReadonlySet<ProblemKind> = new Set(['not allowed', 'not in plan']);

/**
 * Prints the events of a zone as they appear, each once: every look asks again for the last minutes, because events appear
 * late, and prints what was not printed yet. Ends only by its signal, or by failing where events cannot be read at all.
 * A later look that fails is a problem, and the next one asks for all of its time.
 */
export async function follow(
	client: Client,
	zone: string,
	{most, ...filter}: Followed,
	{onEvents, onProblem, onLeftOut}: Following,
	signal: AbortSignal,
): Promise<never> {
	const {clock} = client;
	const shown = new Map<string, {count: number; at: number}>();
	let covered: number | undefined;
	let floor = filter.since;
	let reported = new Set<ProblemKind>();
	for (;;) {
		const until = clock.now();
		const isFirst = covered === undefined;
		const since = Math.max(floor, covered === undefined ? floor : covered - longestDelay);
		const look = await lookAt(client, zone, {...filter, since, until}, isFirst ? most : undefined, signal);
		if (look.isWhole || look.events.length > 0) {
			if (isFirst && look.hasMore) floor = look.events.at(-1)?.at ?? floor;
			if (look.leftOut && !isFirst) onLeftOut(look.leftOut.since, look.leftOut.until);
		} else if (isFirst || look.problems.some(({kind}) => lasting.has(kind))) {
			throw withoutNumbers(singleEvents, look.problems[0] ?? nothingSaid);
		}
		const kindsNow = new Set(look.problems.map(({kind}) => kind));
		for (const problem of look.problems)
			if (!reported.has(problem.kind)) {
				reported.add(problem.kind);
				onProblem(problem);
			}
		reported = new Set([...reported].filter(kind => kindsNow.has(kind)));
		const fresh = unshown(look.events, shown);
		if (fresh.length > 0) await onEvents(fresh);
		if (look.isWhole) covered = until;
		for (const [name, {at}] of shown) if (at < (covered ?? until) - 2 * longestDelay) shown.delete(name);
		await clock.wait(followingPause * clock.scale, signal);
	}
}

const nothingSaid: Problem = {kind: 'failed', message: '', path: []};

type Look = {
	/** The latest first. */
	readonly events: readonly SecurityEvent[];
	readonly problems: readonly Problem[];
	/** Whether all of the time was read, but for what is left out. */
	readonly isWhole: boolean;
	/** Whether there are more events than asked for. */
	readonly hasMore: boolean;
	/** A time of which not all events could be asked for. */
	readonly leftOut: {readonly since: number; readonly until: number} | undefined;
};

/** The events of a time, page by page: all of them, or the latest so many. */
async function lookAt(
	client: Client,
	zone: string,
	filter: EventFilter,
	most: number | undefined,
	signal: AbortSignal,
): Promise<Look> {
	const events: SecurityEvent[] = [];
	const problems: Problem[] = [];
	let until = filter.until;
	let leftOut: Look['leftOut'];
	for (let pages = 0; pages < mostPages && until >= filter.since; pages++) {
		const wanted = most === undefined ? page : Math.min(page, most - events.length);
		const read = await securityEventsOf(client, zone, {...filter, until}, wanted, signal);
		problems.push(...read.problems);
		if (!read.value) return {events, problems, isWhole: false, hasMore: false, leftOut: undefined};
		const known = new Map<string, number>();
		for (const event of events) count(known, nameOf(event));
		// A page begins with the second that the one before ended with.
		for (const event of read.value.events) if (!taken(known, nameOf(event))) events.push(event);
		if (!read.value.hasMore) return {events, problems, isWhole: true, hasMore: false, leftOut};
		if (most !== undefined && events.length >= most)
			return {events, problems, isWhole: true, hasMore: true, leftOut};
		const last = secondOf(read.value.events.at(-1)?.at ?? filter.since);
		if (last < secondOf(until)) until = last;
		else {
			// One second has more events than a page: the rest of them cannot be asked for.
			leftOut = {since: last, until: leftOut?.until ?? last + 999};
			until = last - 1000;
		}
	}
	const isDone = until < filter.since;
	return {
		events,
		problems,
		isWhole: true,
		hasMore: true,
		leftOut: isDone ? leftOut : {since: filter.since, until: leftOut?.until ?? until},
	};
}

const secondOf = (moment: number): number => Math.floor(moment / 1000) * 1000;

/** What distinguishes an event. Two that agree in all of this are counted. */
const nameOf = ({ray, rule, at, source, action, address, path}: SecurityEvent): string =>
	JSON.stringify([ray, rule, at, source, action, ...(ray === undefined ? [address, path] : [])]);

function count(counts: Map<string, number>, name: string): void {
	counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** Takes one of a name away, if there is one. */
function taken(counts: Map<string, number>, name: string): boolean {
	const left = counts.get(name) ?? 0;
	if (left > 0) counts.set(name, left - 1);
	return left > 0;
}

/** Those that were not shown yet, the earliest first; from now on they were. */
function unshown(
	events: readonly SecurityEvent[],
	shown: Map<string, {count: number; at: number}>,
): readonly SecurityEvent[] {
	const here = new Map<string, number>();
	const fresh: SecurityEvent[] = [];
	for (const event of events) {
		const name = nameOf(event);
		count(here, name);
		const before = shown.get(name);
		const times = here.get(name) ?? 1;
		if (times <= (before?.count ?? 0)) continue;
		shown.set(name, {count: times, at: event.at});
		fresh.push(event);
	}
	return fresh.toReversed();
}
