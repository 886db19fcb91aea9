import type {SecurityEvent} from '../../analytics/events.ts';
import type {VersionEvents} from './events.ts';
import {stops, type Version, versionOf} from './versions.ts';

/** What a managed rule is called, and whose it is, where that is known. Raw text of data. */
export type RuleNames = (
	rule: string,
) => {readonly name: string; readonly ruleset?: string | undefined} | undefined;

/** Where a rule of one version stopped requests. Host and path are data. */
export type Place = {
	readonly version: Version;
	readonly rule: string;
	readonly name: string;
	/** The managed ruleset that the rule is of, where that is known. */
	readonly ruleset: string | undefined;
	readonly host: string;
	readonly path: string;
	/** Requests that the rule stopped there. */
	readonly stopped: number;
	/** Those of them that the other version did not stop, or would not have stopped. */
	readonly only: number;
	/** Requests that the other version stopped at the same host and path, in the same time. */
	readonly other: number;
	/** Requests that the previous rules stopped there in the time before validation. */
	readonly before: number | undefined;
};

type Found = Omit<Place, 'only' | 'other' | 'before'>;

/** What the events of the previous rules are compared by. */
type Basis = 'requests' | 'paths' | undefined;

/**
 * Where each version stopped requests, and how many of them the other one did not; most of those first. What the previous
 * rules stop, the new ones have let through before: where every event is known, it is compared by request. What the new
 * rules stop never reaches the previous ones: as many of it count as stopped by both as those stopped at the same host
 * and path in as long a time before validation, which is an estimate.
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

/** What a count of the time before validation is multiplied by, to be of as long a time. */
function scaleOfBefore({since, until, before}: VersionEvents): number {
	const length = before ? before.until - before.since : 0;
	return length > 0 ? (until - since) / length : 0;
}

const at = (host: string, path: string): string => JSON.stringify([host, path]);

/** Tells one place from another. */
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

/** How many requests of each place both versions stopped, by the numbers of the requests. */
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
