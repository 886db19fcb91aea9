import type {EventGroup} from '../../analytics/event-groups.ts';
import {timeDimensions} from '../../analytics/event-query.ts';
import {type ExceptionCandidate, findExceptionCandidates} from './candidates.ts';
import type {CountedSpan, EventSpan, VersionEvents} from './events.ts';
import {comparePlaces, type EventPlace, type FindRuleName} from './places.ts';
import {getEventVersion, isLoggingAction, isStoppingAction, type ManagedRulesVersion} from './versions.ts';

/** Requests that were stopped, and events that stopped nothing: logged, or skipped by an exception. */
export type EventCounts = {readonly stopped: number; readonly logged: number; readonly skipped: number};

/** What one rule did. */
export type RuleCounts = EventCounts & {
	readonly version: ManagedRulesVersion;
	readonly rule: string;
	readonly name: string;
	/** Events by action, the most frequent first. */
	readonly actions: readonly {readonly action: string; readonly events: number}[];
};

/** Requests stopped by each version over time. */
type StoppedOverTime = {
	/** Start of the first bucket. */
	readonly starts: number;
	readonly step: number;
	readonly values: Readonly<Record<ManagedRulesVersion, readonly number[]>>;
};

/** What both versions did in the same time. */
export type VersionComparison = CountedSpan & {
	readonly isSampled: boolean;
	readonly counts: Readonly<Record<ManagedRulesVersion, EventCounts>>;
	/** The most frequent first. */
	readonly rules: readonly RuleCounts[];
	/**
	 * How the previous rules are compared: by request, if the events of both versions are known, or by path,
	 * an estimate. Undefined if no places could be read. The new rules are always compared by path.
	 */
	readonly by: 'requests' | 'paths' | undefined;
	/** Places where a rule stopped requests that the other version did not; most requests first. */
	readonly places: readonly EventPlace[];
	readonly candidates: readonly ExceptionCandidate[];
	readonly overTime: StoppedOverTime | undefined;
	/** The time before validation, when the previous rules were counted, too. */
	readonly before: EventSpan | undefined;
};

/** Compares what the versions did. Pure. */
export function compareVersions(
	events: VersionEvents,
	findName: FindRuleName = () => undefined,
): VersionComparison {
	const rules = countByRule(events.rules, findName);
	const {by, places} = comparePlaces(events, findName);
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
		begun: events.begun,
		isSampled: events.isSampled,
		counts: {new: sumVersion('new'), previous: sumVersion('previous')},
		rules,
		by,
		places: places.filter(({only}) => only > 0),
		candidates: findExceptionCandidates(places, events),
		overTime: buildTimeline(events),
		before: events.before && {since: events.before.since, until: events.before.until},
	};
}

function countByRule(groups: readonly EventGroup[], findName: FindRuleName): readonly RuleCounts[] {
	const byRule = Map.groupBy(
		groups.filter(({dimensions}) => getEventVersion(dimensions.source) !== undefined),
		({dimensions}) => `${dimensions.source} ${dimensions.ruleId ?? ''}`,
	);
	const rows = [...byRule.values()].map((ruleGroups): RuleCounts => {
		const {source, ruleId: rule = ''} = ruleGroups[0]?.dimensions ?? {};
		const byAction = Map.groupBy(ruleGroups, ({dimensions}) => dimensions.action ?? '');
		const actions = [...byAction].map(([action, matching]) => ({
			action,
			events: sum(matching.map(({count}) => count)),
		}));
		const stopped = sum(actions.filter(({action}) => isStoppingAction(action)).map(one => one.events));
		const logged = sum(actions.filter(({action}) => isLoggingAction(action)).map(one => one.events));
		return {
			version: getEventVersion(source) ?? 'new',
			rule,
			name: findName(rule)?.name || findEventDescription(ruleGroups),
			actions: actions.toSorted((one, other) => other.events - one.events),
			stopped,
			logged,
			skipped: sum(actions.map(one => one.events)) - stopped - logged,
		};
	});
	return rows.toSorted(
		(one, other) =>
			other.stopped - one.stopped || other.logged - one.logged || compareText(one.rule, other.rule),
	);
}

/** Returns the rule's description in its events; empty if none exists. */
const findEventDescription = (groups: readonly EventGroup[]): string =>
	groups.map(({dimensions}) => dimensions.description ?? '').find(text => text !== '') ?? '';

function buildTimeline({times, begun: since, until}: VersionEvents): StoppedOverTime | undefined {
	if (!times) return undefined;
	const step = timeDimensions[times.by];
	const starts = Math.floor(since / step) * step;
	const buckets = Math.max(1, Math.floor(until / step) - starts / step + 1);
	const values = {new: new Array<number>(buckets).fill(0), previous: new Array<number>(buckets).fill(0)};
	for (const {count, dimensions} of times.groups) {
		const version = getEventVersion(dimensions.source);
		const at = Math.floor((Date.parse(dimensions[times.by] ?? '') - starts) / step);
		if (!version || !isStoppingAction(dimensions.action) || !(at >= 0 && at < buckets)) continue;
		values[version][at] = (values[version][at] ?? 0) + count;
	}
	return {starts, step, values};
}

const sum = (figures: readonly number[]): number => figures.reduce((all, one) => all + one, 0);

const compareText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
