import type {EventGroup} from '../../analytics/event-groups.ts';
import {timeDimensions} from '../../analytics/event-query.ts';
import {type Candidate, candidatesIn} from './candidates.ts';
import type {Counted, Span, VersionEvents} from './events.ts';
import {type Place, placesOf, type RuleNames} from './places.ts';
import {logs, stops, type Version, versionOf} from './versions.ts';

/** Requests that were stopped, and events that stopped nothing: logged, or skipped by an exception. */
export type Counts = {readonly stopped: number; readonly logged: number; readonly skipped: number};

/** What one rule did. */
export type RuleCounts = Counts & {
	readonly version: Version;
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
	readonly values: Readonly<Record<Version, readonly number[]>>;
};

/** What both versions did in the same time. */
export type Comparison = Counted & {
	readonly isSampled: boolean;
	readonly counts: Readonly<Record<Version, Counts>>;
	/** The most frequent first. */
	readonly rules: readonly RuleCounts[];
	/**
	 * How the previous rules are compared: by request, if the events of both versions are known, or by path,
	 * an estimate. Undefined if no places could be read. The new rules are always compared by path.
	 */
	readonly by: 'requests' | 'paths' | undefined;
	/** Places where a rule stopped requests that the other version did not; most requests first. */
	readonly places: readonly Place[];
	readonly candidates: readonly Candidate[];
	readonly overTime: StoppedOverTime | undefined;
	/** The time before validation, when the previous rules were counted, too. */
	readonly before: Span | undefined;
};

/** Compares what the versions did. Pure. */
export function compareVersions(events: VersionEvents, names: RuleNames = () => undefined): Comparison {
	const rules = ruleCounts(events.rules, names);
	const {by, places} = placesOf(events, names);
	const total = (version: Version): Counts => {
		const its = rules.filter(rule => rule.version === version);
		return {
			stopped: sum(its.map(({stopped}) => stopped)),
			logged: sum(its.map(({logged}) => logged)),
			skipped: sum(its.map(({skipped}) => skipped)),
		};
	};
	return {
		since: events.since,
		until: events.until,
		begun: events.begun,
		isSampled: events.isSampled,
		counts: {new: total('new'), previous: total('previous')},
		rules,
		by,
		places: places.filter(({only}) => only > 0),
		candidates: candidatesIn(places, events),
		overTime: overTime(events),
		before: events.before && {since: events.before.since, until: events.before.until},
	};
}

function ruleCounts(groups: readonly EventGroup[], names: RuleNames): readonly RuleCounts[] {
	const byRule = Map.groupBy(
		groups.filter(({dimensions}) => versionOf(dimensions.source) !== undefined),
		({dimensions}) => `${dimensions.source} ${dimensions.ruleId ?? ''}`,
	);
	const rows = [...byRule.values()].map((found): RuleCounts => {
		const {source, ruleId: rule = ''} = found[0]?.dimensions ?? {};
		const byAction = Map.groupBy(found, ({dimensions}) => dimensions.action ?? '');
		const actions = [...byAction].map(([action, of]) => ({action, events: sum(of.map(({count}) => count))}));
		const stopped = sum(actions.filter(({action}) => stops(action)).map(one => one.events));
		const logged = sum(actions.filter(({action}) => logs(action)).map(one => one.events));
		return {
			version: versionOf(source) ?? 'new',
			rule,
			name: names(rule)?.name || descriptionIn(found),
			actions: actions.toSorted((one, other) => other.events - one.events),
			stopped,
			logged,
			skipped: sum(actions.map(one => one.events)) - stopped - logged,
		};
	});
	return rows.toSorted(
		(one, other) => other.stopped - one.stopped || other.logged - one.logged || compare(one.rule, other.rule),
	);
}

/** Returns the rule's description in its events; empty if none exists. */
const descriptionIn = (groups: readonly EventGroup[]): string =>
	groups.map(({dimensions}) => dimensions.description ?? '').find(text => text !== '') ?? '';

function overTime({times, begun: since, until}: VersionEvents): StoppedOverTime | undefined {
	if (!times) return undefined;
	const step = timeDimensions[times.by];
	const starts = Math.floor(since / step) * step;
	const buckets = Math.max(1, Math.floor(until / step) - starts / step + 1);
	const values = {new: new Array<number>(buckets).fill(0), previous: new Array<number>(buckets).fill(0)};
	for (const {count, dimensions} of times.groups) {
		const version = versionOf(dimensions.source);
		const at = Math.floor((Date.parse(dimensions[times.by] ?? '') - starts) / step);
		if (!version || !stops(dimensions.action) || !(at >= 0 && at < buckets)) continue;
		values[version][at] = (values[version][at] ?? 0) + count;
	}
	return {starts, step, values};
}

const sum = (figures: readonly number[]): number => figures.reduce((all, one) => all + one, 0);

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
