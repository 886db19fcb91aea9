import type {SecurityEvent} from '../../analytics/events.ts';
import type {VersionEvents} from './events.ts';
import {getEventVersion, isStoppingAction, type ManagedRulesVersion} from './versions.ts';

/** Finds the name of a managed rule, and its ruleset if known. Contains raw data. */
export type FindRuleName = (
	rule: string,
) => {readonly name: string; readonly ruleset?: string | undefined} | undefined;

/** A host and path where a rule stopped requests. Host and path are raw data. */
export type EventPlace = {
	readonly version: ManagedRulesVersion;
	readonly rule: string;
	readonly name: string;
	/** The managed ruleset of the rule, if known. */
	readonly ruleset: string | undefined;
	readonly host: string;
	readonly path: string;
	/** Number of requests that the rule stopped there. */
	readonly stopped: number;
	/** Number of those that the other version did not stop or would not have stopped. */
	readonly only: number;
	/** Number of requests that the other version stopped there in the same time. */
	readonly other: number;
	/** Number of requests that the previous rules stopped there before validation. */
	readonly before: number | undefined;
};

type FoundPlace = Omit<EventPlace, 'only' | 'other' | 'before'>;

/** How the previous rules are compared. */
type Basis = 'requests' | 'paths' | undefined;

/**
 * Compares where each version stopped requests, and counts those that the other version did not; most of
 * these first. The new rules run first, so requests stopped by the previous rules passed the new ones: with
 * all events known, they are compared by request. Requests stopped by the new rules never reach the previous
 * ones: estimated from what those stopped at the same host and path before validation, scaled to the same
 * duration.
 */
export function comparePlaces(
	events: VersionEvents,
	findName: FindRuleName,
): {readonly by: Basis; readonly places: readonly EventPlace[]} {
	const {single, places, before} = events;
	const stoppedPlaces = places && groupPlaces(places, findName);
	const requests = single && countSharedRequests(single);
	if (!stoppedPlaces) return {by: undefined, places: []};
	const stoppedAt = sumStoppedBy(
		stoppedPlaces,
		({version, host, path}) => `${version} ${serializeHostPath(host, path)}`,
	);
	const stoppedBefore =
		before &&
		sumStoppedBy(
			before.places.map(({count, dimensions}) => ({...dimensions, stopped: count})),
			({clientRequestHTTPHost: host = '', clientRequestPath: path = ''}) => serializeHostPath(host, path),
		);
	const scale = computeBeforeScale(events);
	const rows = stoppedPlaces.map((place): EventPlace => {
		const location = serializeHostPath(place.host, place.path);
		const other = stoppedAt.get(`${place.version === 'new' ? 'previous' : 'new'} ${location}`) ?? 0;
		const earlier = stoppedBefore && (stoppedBefore.get(location) ?? 0);
		const shared = requests?.get(getPlaceKey(place));
		const estimate = place.version === 'new' && earlier !== undefined ? Math.round(earlier * scale) : other;
		const both = place.version === 'previous' && requests ? (shared ?? 0) : Math.max(shared ?? 0, estimate);
		return {...place, only: Math.max(0, place.stopped - both), other, before: earlier};
	});
	return {
		by: requests ? 'requests' : 'paths',
		places: rows.toSorted(
			(one, other) => other.only - one.only || (getPlaceKey(one) < getPlaceKey(other) ? -1 : 1),
		),
	};
}

/** Computes the factor that scales counts from before validation to the same duration. */
function computeBeforeScale({since, until, before}: VersionEvents): number {
	const length = before ? before.until - before.since : 0;
	return length > 0 ? (until - since) / length : 0;
}

const serializeHostPath = (host: string, path: string): string => JSON.stringify([host, path]);

export const getPlaceKey = ({
	version,
	rule,
	host,
	path,
}: Pick<FoundPlace, 'version' | 'rule' | 'host' | 'path'>): string =>
	JSON.stringify([version, rule, host, path]);

function groupPlaces(
	groups: NonNullable<VersionEvents['places']>,
	findName: FindRuleName,
): readonly FoundPlace[] {
	const placesByKey = new Map<string, FoundPlace>();
	for (const {count, dimensions} of groups) {
		const {source, action, ruleId: rule = '', rulesetId, description = ''} = dimensions;
		const {clientRequestHTTPHost: host = '', clientRequestPath: path = ''} = dimensions;
		const version = getEventVersion(source);
		if (!version || !isStoppingAction(action)) continue;
		const key = getPlaceKey({version, rule, host, path});
		const existing = placesByKey.get(key);
		const ruleName = findName(rule);
		placesByKey.set(key, {
			version,
			rule,
			name: ruleName?.name || existing?.name || description,
			ruleset: ruleName?.ruleset ?? rulesetId,
			host,
			path,
			stopped: (existing?.stopped ?? 0) + count,
		});
	}
	return [...placesByKey.values()];
}

/** Counts the requests at each place that both versions stopped, by ray. Undefined if an event has no ray. */
function countSharedRequests(events: readonly SecurityEvent[]): ReadonlyMap<string, number> | undefined {
	const rays: Record<ManagedRulesVersion, Set<string>> = {new: new Set(), previous: new Set()};
	for (const {ray, source, action} of events) {
		const version = getEventVersion(source);
		if (!version || !isStoppingAction(action)) continue;
		if (ray === undefined) return undefined;
		rays[version].add(ray);
	}
	const both = new Map<string, number>();
	for (const {ray = '', source, action, rule = '', host = '', path = ''} of events) {
		const version = getEventVersion(source);
		if (!version || !isStoppingAction(action)) continue;
		if (!rays[version === 'new' ? 'previous' : 'new'].has(ray)) continue;
		const key = getPlaceKey({version, rule, host, path});
		both.set(key, (both.get(key) ?? 0) + 1);
	}
	return both;
}

function sumStoppedBy<Row extends {readonly stopped: number}>(
	rows: readonly Row[],
	getRowKey: (row: Row) => string,
): ReadonlyMap<string, number> {
	const counts = new Map<string, number>();
	for (const row of rows) counts.set(getRowKey(row), (counts.get(getRowKey(row)) ?? 0) + row.stopped);
	return counts;
}
