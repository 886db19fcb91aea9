import type {EventGroup} from '../../analytics/event-groups.ts';
import type {TimeDimension} from '../../analytics/event-query.ts';
import type {SecurityEvent} from '../../analytics/events.ts';

/** A time, in milliseconds since the epoch. */
export type EventSpan = {readonly since: number; readonly until: number};

/** What the previous managed rules stopped before validation, by host and path. */
export type EventsBefore = EventSpan & {readonly places: readonly EventGroup[]};

/**
 * A validation; `since`: from when its events count, its beginning or the last change of its configuration.
 */
export type CountedSpan = EventSpan & {readonly begun: number};

/** Events of both versions. Undefined: could not be read. */
export type VersionEvents = CountedSpan & {
	/** True if some counts are estimates. */
	readonly isSampled: boolean;
	/** By version, rule and action. */
	readonly rules: readonly EventGroup[];
	/** Stopped requests, by version, rule, host and path. */
	readonly places: readonly EventGroup[] | undefined;
	/** By version, action and time, since the beginning of validation. */
	readonly times: {readonly groups: readonly EventGroup[]; readonly by: TimeDimension} | undefined;
	/** Requests stopped by the new rules since the beginning of validation, by hour. */
	readonly hours: readonly EventGroup[] | undefined;
	/** Requests stopped by the new rules, by rule, host, path and address. */
	readonly addresses: readonly EventGroup[] | undefined;
	/** Requests stopped by the new rules, by rule, host, path and country. */
	readonly countries: readonly EventGroup[] | undefined;
	/** All stopping events; undefined if there are too many to read, or some were not kept. */
	readonly single: readonly SecurityEvent[] | undefined;
	readonly before: EventsBefore | undefined;
};
