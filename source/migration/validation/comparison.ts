import type {EventGroup} from '../../analytics/event-groups.ts';
import {timeDimensions} from '../../analytics/event-query.ts';
import {type ExceptionCandidate, findExceptionCandidates} from './candidates.ts';
import type {CountedSpan, EventSpan, VersionEvents} from './events.ts';
import {comparePlaces, type EventPlace, type FindManagedRule} from './places.ts';
import {getEventVersion, isLoggingAction, isStoppingAction, type ManagedRulesVersion} from './versions.ts';

/** Numbers of stopped requests, and of events that stopped nothing: logged, or skipped by an exception. */
export type EventCounts = {readonly stopped: number; readonly logged: number; readonly skipped: number};

/** What one rule did, as numbers. */
export type RuleCounts = EventCounts & {
	readonly version: ManagedRulesVersion;
	readonly ruleId: string;
	readonly name: string;
	/** The managed ruleset of the rule, if known. */
	readonly rulesetId: string | undefined;
	/** Events by action, the most frequent first. */
	readonly actions: readonly {readonly action: string; readonly events: number}[];
};

/** Requests stopped by each version over time. */
type StoppedTimeline = {
	/** Start of the first bucket. */
	readonly firstStart: number;
	readonly stepMs: number;
	readonly values: Readonly<Record<ManagedRulesVersion, readonly number[]>>;
};

/** What both versions did in the same time span. */
export type VersionComparison = CountedSpan & {
	readonly isSampled: boolean;
	readonly counts: Readonly<Record<ManagedRulesVersion, EventCounts>>;
	/** The most frequent first. */
	readonly rules: readonly RuleCounts[];
	/**
	 * How requests stopped by the previous rules are compared: one by one if all events of both versions are
	 * known, or by path, which is an estimate. Undefined if the places could not be read. Requests stopped by
	 * the new rules are always compared by path.
	 */
	readonly method: 'requests' | 'paths' | undefined;
	/**
	 * Places where a rule stopped requests that the other version did not stop; those with the most requests
	 * first.
	 */
	readonly places: readonly EventPlace[];
	readonly candidates: readonly ExceptionCandidate[];
	readonly timeline: StoppedTimeline | undefined;
	/** The time span before validation in which the previous rules were counted, too. */
	readonly earlierSpan: EventSpan | undefined;
};

/** Compares what the versions did. Pure. */
export function compareVersions(
	events: VersionEvents,
	findRule: FindManagedRule = () => undefined,
): VersionComparison {
	const rules = countByRule(events.byRule, findRule);
	const {method, places} = comparePlaces(events, findRule);
	const sumVersion = (version: ManagedRulesVersion): EventCounts => {
		const rulesOfVersion = rules.filter(rule => rule.version === version);
		return {
			stopped: sum(rulesOfVersion.map(({stopped}) => stopped)),
			logged: sum(rulesOfVersion.map(({logged}) => logged)),
			skipped: sum(rulesOfVersion.map(({skipped}) => skipped)),
		};
	};
	return {
		since: events.since,
		until: events.until,
		validationStart: events.validationStart,
		isSampled: events.isSampled,
		counts: {new: sumVersion('new'), previous: sumVersion('previous')},
		rules,
		method,
		places: places.filter(({stoppedAlone}) => stoppedAlone > 0),
		candidates: findExceptionCandidates(places, events),
		timeline: buildTimeline(events),
		earlierSpan: events.earlierEvents && {
			since: events.earlierEvents.since,
			until: events.earlierEvents.until,
		},
	};
}

function countByRule(groups: readonly EventGroup[], findRule: FindManagedRule): readonly RuleCounts[] {
	const groupsByRule = Map.groupBy(
		groups.filter(({dimensions}) => getEventVersion(dimensions.source) !== undefined),
		({dimensions}) => `${dimensions.source} ${dimensions.ruleId ?? ''}`,
	);
	const rows = [...groupsByRule.values()].map((ruleGroups): RuleCounts => {
		const {source, ruleId = '', rulesetId} = ruleGroups[0]?.dimensions ?? {};
		const foundRule = findRule(ruleId);
		const groupsByAction = Map.groupBy(ruleGroups, ({dimensions}) => dimensions.action ?? '');
		const actions = [...groupsByAction].map(([action, actionGroups]) => ({
			action,
			events: sum(actionGroups.map(({count}) => count)),
		}));
		const stopped = sum(actions.filter(({action}) => isStoppingAction(action)).map(one => one.events));
		const logged = sum(actions.filter(({action}) => isLoggingAction(action)).map(one => one.events));
		return {
			version: getEventVersion(source) ?? 'new',
			ruleId,
			name: foundRule?.name || findEventDescription(ruleGroups),
			rulesetId: foundRule?.rulesetId ?? rulesetId,
			actions: actions.toSorted((one, other) => other.events - one.events),
			stopped,
			logged,
			skipped: sum(actions.map(one => one.events)) - stopped - logged,
		};
	});
	return rows.toSorted(
		(one, other) =>
			other.stopped - one.stopped || other.logged - one.logged || compareText(one.ruleId, other.ruleId),
	);
}

/** Returns the description of a rule in its events; empty if no event has one. */
const findEventDescription = (groups: readonly EventGroup[]): string =>
	groups.map(({dimensions}) => dimensions.description ?? '').find(text => text !== '') ?? '';

function buildTimeline({byTime, validationStart: since, until}: VersionEvents): StoppedTimeline | undefined {
	if (!byTime) return undefined;
	const stepMs = timeDimensions[byTime.timeDimension];
	const firstStart = Math.floor(since / stepMs) * stepMs;
	const bucketCount = Math.max(1, Math.floor(until / stepMs) - firstStart / stepMs + 1);
	const values = {
		new: new Array<number>(bucketCount).fill(0),
		previous: new Array<number>(bucketCount).fill(0),
	};
	for (const {count, dimensions} of byTime.groups) {
		const version = getEventVersion(dimensions.source);
		const bucketIndex = Math.floor(
			(Date.parse(dimensions[byTime.timeDimension] ?? '') - firstStart) / stepMs,
		);
		if (!version || !isStoppingAction(dimensions.action) || !(bucketIndex >= 0 && bucketIndex < bucketCount))
			continue;
		values[version][bucketIndex] = (values[version][bucketIndex] ?? 0) + count;
	}
	return {firstStart, stepMs, values};
}

const sum = (figures: readonly number[]): number => figures.reduce((total, one) => total + one, 0);

const compareText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
