import type {SecurityEvent} from '../../analytics/events.ts';
import type {VersionEvents} from './events.ts';
import {stops, type Version, versionOf} from './versions.ts';

/** Finds the name of a managed rule, and its ruleset if known. Contains raw data. */
export type RuleNames = (
	rule: string,
) => {readonly name: string; readonly ruleset?: string | undefined} | undefined;

/** A host and path where a rule stopped requests. Host and path are raw data. */
export type Place = {
	readonly version: Version;
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

type Found = Omit<Place, 'only' | 'other' | 'before'>;

/** How the previous rules are compared. */
type Basis = 'requests' | 'paths' | undefined;

/**
 * Compares where each version stopped requests, and counts those that the other version did not; most of
 * these first. The new rules run first, so requests stopped by the previous rules passed the new ones: with
 * all events known, they are compared by request. Requests stopped by the new rules never reach the previous
 * ones: estimated from what those stopped at the same host and path before validation, scaled to the same
 * duration.
 */
export function placesOf(
	events: VersionEvents,
	names: RuleNames,
): {readonly by: Basis; readonly places: readonly Place[]} {
	const {single, places, before} = events;
	const found = places && groupedPlaces(places, names);
	const requests = single && requestsIn(single);
	if (!found) return {by: undefined, places: []};
	const stoppedAt = countsBy(found, ({version, host, path}) => `${version} ${at(host, path)}`);
	const stoppedBefore =
		before &&
		countsBy(
			before.places.map(({count, dimensions}) => ({...dimensions, stopped: count})),
			({clientRequestHTTPHost: host = '', clientRequestPath: path = ''}) => at(host, path),
		);
	const scale = scaleOfBefore(events);
	const rows = found.map((place): Place => {
		const where = at(place.host, place.path);
		const other = stoppedAt.get(`${place.version === 'new' ? 'previous' : 'new'} ${where}`) ?? 0;
		const earlier = stoppedBefore && (stoppedBefore.get(where) ?? 0);
		const same = requests?.get(keyOf(place));
		const alike = place.version === 'new' && earlier !== undefined ? Math.round(earlier * scale) : other;
		const both = place.version === 'previous' && requests ? (same ?? 0) : Math.max(same ?? 0, alike);
		return {...place, only: Math.max(0, place.stopped - both), other, before: earlier};
	});
	return {
		by: requests ? 'requests' : 'paths',
		places: rows.toSorted((one, other) => other.only - one.only || (keyOf(one) < keyOf(other) ? -1 : 1)),
	};
}

/** Computes the factor that scales counts from before validation to the same duration. */
function scaleOfBefore({since, until, before}: VersionEvents): number {
	const length = before ? before.until - before.since : 0;
	return length > 0 ? (until - since) / length : 0;
}

const at = (host: string, path: string): string => JSON.stringify([host, path]);

export const keyOf = ({
	version,
	rule,
	host,
	path,
}: Pick<Found, 'version' | 'rule' | 'host' | 'path'>): string => JSON.stringify([version, rule, host, path]);

function groupedPlaces(groups: NonNullable<VersionEvents['places']>, names: RuleNames): readonly Found[] {
	const found = new Map<string, Found>();
	for (const {count, dimensions} of groups) {
		const {source, action, ruleId: rule = '', rulesetId, description = ''} = dimensions;
		const {clientRequestHTTPHost: host = '', clientRequestPath: path = ''} = dimensions;
		const version = versionOf(source);
		if (!version || !stops(action)) continue;
		const key = keyOf({version, rule, host, path});
		const before = found.get(key);
		const known = names(rule);
		found.set(key, {
			version,
			rule,
			name: known?.name || before?.name || description,
			ruleset: known?.ruleset ?? rulesetId,
			host,
			path,
			stopped: (before?.stopped ?? 0) + count,
		});
	}
	return [...found.values()];
}

/** Counts the requests at each place that both versions stopped, by ray. Undefined if an event has no ray. */
function requestsIn(events: readonly SecurityEvent[]): ReadonlyMap<string, number> | undefined {
	const rays: Record<Version, Set<string>> = {new: new Set(), previous: new Set()};
	for (const {ray, source, action} of events) {
		const version = versionOf(source);
		if (!version || !stops(action)) continue;
		if (ray === undefined) return undefined;
		rays[version].add(ray);
	}
	const both = new Map<string, number>();
	for (const {ray = '', source, action, rule = '', host = '', path = ''} of events) {
		const version = versionOf(source);
		if (!version || !stops(action)) continue;
		if (!rays[version === 'new' ? 'previous' : 'new'].has(ray)) continue;
		const key = keyOf({version, rule, host, path});
		both.set(key, (both.get(key) ?? 0) + 1);
	}
	return both;
}

function countsBy<Row extends {readonly stopped: number}>(
	rows: readonly Row[],
	key: (row: Row) => string,
): ReadonlyMap<string, number> {
	const counts = new Map<string, number>();
	for (const row of rows) counts.set(key(row), (counts.get(key(row)) ?? 0) + row.stopped);
	return counts;
}
