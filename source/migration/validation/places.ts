import type {SecurityEvent} from '../../analytics/events.ts';
import type {VersionEvents} from './events.ts';
import {getEventVersion, isStoppingAction, type ManagedRulesVersion} from './versions.ts';

/** Finds a managed rule by its id: its name, which is not escaped, and its ruleset if known. */
export type FindManagedRule = (
	ruleId: string,
) => {readonly name: string; readonly rulesetId?: string | undefined} | undefined;

/** A host and path where a rule stopped requests. Host and path are not escaped. */
export type EventPlace = {
	readonly version: ManagedRulesVersion;
	readonly ruleId: string;
	readonly name: string;
	/** The managed ruleset of the rule, if known. */
	readonly rulesetId: string | undefined;
	readonly host: string;
	readonly path: string;
	/** Number of requests that the rule stopped there. */
	readonly stopped: number;
	/** Number of these requests that the other version did not stop, or would not have stopped. */
	readonly stoppedAlone: number;
	/** Number of requests that the other version stopped at this host and path in the same time span. */
	readonly stoppedByOtherVersion: number;
	/** Number of requests that the previous rules stopped at this host and path before validation. */
	readonly stoppedBefore: number | undefined;
};

type FoundPlace = Omit<EventPlace, 'stoppedAlone' | 'stoppedByOtherVersion' | 'stoppedBefore'>;

/**
 * How requests that both versions stop are found: by ray ID, or estimated per host and path. Undefined: not
 * compared.
 */
type ComparisonMethod = 'requests' | 'paths' | undefined;

/**
 * Compares where each version stopped requests, and counts the requests that the other version did not stop;
 * places with most of these come first. The new rules run first. A request that the previous rules stopped
 * has therefore passed the new ones; if all events are known, such requests are compared one by one. A
 * request that the new rules stop never reaches the previous ones, unless it solves their challenge: then
 * both can stop it. What the previous rules would have done is estimated from what they stopped at the same
 * host and path before validation, scaled to the same duration.
 */
export function comparePlaces(
	events: VersionEvents,
	findRule: FindManagedRule,
): {readonly method: ComparisonMethod; readonly places: readonly EventPlace[]} {
	const {stoppingEvents, byPlace: placeGroups, earlierEvents} = events;
	const stoppedPlaces = placeGroups && groupPlaces(placeGroups, findRule);
	const sharedByPlace = stoppingEvents && countSharedRequests(stoppingEvents);
	if (!stoppedPlaces) return {method: undefined, places: []};
	const stoppedByVersionAndHostPath = sumStoppedBy(
		stoppedPlaces,
		({version, host, path}) => `${version} ${serializeHostPath(host, path)}`,
	);
	const earlierByHostPath =
		earlierEvents &&
		sumStoppedBy(
			earlierEvents.byPlace.map(({count, dimensions}) => ({...dimensions, stopped: count})),
			({clientRequestHTTPHost: host = '', clientRequestPath: path = ''}) => serializeHostPath(host, path),
		);
	const scale = computeEarlierScale(events);
	const rows = stoppedPlaces.map((place): EventPlace => {
		const hostPath = serializeHostPath(place.host, place.path);
		const otherCount =
			stoppedByVersionAndHostPath.get(`${place.version === 'new' ? 'previous' : 'new'} ${hostPath}`) ?? 0;
		const earlierCount = earlierByHostPath && (earlierByHostPath.get(hostPath) ?? 0);
		const sharedRequests = sharedByPlace?.get(getPlaceKey(place));
		const estimate =
			place.version === 'new' && earlierCount !== undefined ? Math.round(earlierCount * scale) : otherCount;
		const sharedCount =
			place.version === 'previous' && sharedByPlace
				? (sharedRequests ?? 0)
				: Math.max(sharedRequests ?? 0, estimate);
		return {
			...place,
			stoppedAlone: Math.max(0, place.stopped - sharedCount),
			stoppedByOtherVersion: otherCount,
			stoppedBefore: earlierCount,
		};
	});
	return {
		method: sharedByPlace ? 'requests' : 'paths',
		places: rows.toSorted(
			(one, other) =>
				other.stoppedAlone - one.stoppedAlone || (getPlaceKey(one) < getPlaceKey(other) ? -1 : 1),
		),
	};
}

/** Computes the factor that scales counts from before validation to the duration of the counted time span. */
function computeEarlierScale({since, until, earlierEvents}: VersionEvents): number {
	const durationMs = earlierEvents ? earlierEvents.until - earlierEvents.since : 0;
	return durationMs > 0 ? (until - since) / durationMs : 0;
}

const serializeHostPath = (host: string, path: string): string => JSON.stringify([host, path]);

export const getPlaceKey = ({
	version,
	ruleId,
	host,
	path,
}: Pick<FoundPlace, 'version' | 'ruleId' | 'host' | 'path'>): string =>
	JSON.stringify([version, ruleId, host, path]);

function groupPlaces(
	groups: NonNullable<VersionEvents['byPlace']>,
	findRule: FindManagedRule,
): readonly FoundPlace[] {
	const placesByKey = new Map<string, FoundPlace>();
	for (const {count, dimensions} of groups) {
		const {source, action, ruleId = '', rulesetId, description = ''} = dimensions;
		const {clientRequestHTTPHost: host = '', clientRequestPath: path = ''} = dimensions;
		const version = getEventVersion(source);
		if (!version || !isStoppingAction(action)) continue;
		const key = getPlaceKey({version, ruleId, host, path});
		const existingPlace = placesByKey.get(key);
		const foundRule = findRule(ruleId);
		placesByKey.set(key, {
			version,
			ruleId,
			name: foundRule?.name || existingPlace?.name || description,
			rulesetId: foundRule?.rulesetId ?? rulesetId,
			host,
			path,
			stopped: (existingPlace?.stopped ?? 0) + count,
		});
	}
	return [...placesByKey.values()];
}

/**
 * Counts the requests at each place that both versions stopped. Requests are identified by their ray ID.
 * Undefined if an event has none.
 */
function countSharedRequests(events: readonly SecurityEvent[]): ReadonlyMap<string, number> | undefined {
	const rays: Record<ManagedRulesVersion, Set<string>> = {new: new Set(), previous: new Set()};
	for (const {ray, source, action} of events) {
		const version = getEventVersion(source);
		if (!version || !isStoppingAction(action)) continue;
		if (ray === undefined) return undefined;
		rays[version].add(ray);
	}
	const sharedCounts = new Map<string, number>();
	for (const {ray = '', source, action, ruleId = '', host = '', path = ''} of events) {
		const version = getEventVersion(source);
		if (!version || !isStoppingAction(action)) continue;
		if (!rays[version === 'new' ? 'previous' : 'new'].has(ray)) continue;
		const key = getPlaceKey({version, ruleId, host, path});
		sharedCounts.set(key, (sharedCounts.get(key) ?? 0) + 1);
	}
	return sharedCounts;
}

function sumStoppedBy<Row extends {readonly stopped: number}>(
	rows: readonly Row[],
	getRowKey: (row: Row) => string,
): ReadonlyMap<string, number> {
	const counts = new Map<string, number>();
	for (const row of rows) counts.set(getRowKey(row), (counts.get(getRowKey(row)) ?? 0) + row.stopped);
	return counts;
}
