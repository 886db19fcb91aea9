import type {EventGroup} from '../../analytics/event-groups.ts';
import type {TimeDimension} from '../../analytics/event-query.ts';
import type {SecurityEvent} from '../../analytics/events.ts';

/** A time span, in milliseconds since the epoch. */
export type EventSpan = {readonly since: number; readonly until: number};

/** The requests that the previous managed rules stopped before validation, by host and path. */
export type EarlierEvents = EventSpan & {readonly byPlace: readonly EventGroup[]};

/**
 * The time span whose events count for a validation. It starts at the last change of the configuration, or
 * else at `validationStart`.
 */
export type CountedSpan = EventSpan & {readonly validationStart: number};

/** The events of both versions. A field is undefined if it could not be read. */
export type VersionEvents = CountedSpan & {
	/** True if some counts are estimates. */
	readonly isSampled: boolean;
	/** By version, rule and action. */
	readonly byRule: readonly EventGroup[];
	/** Stopped requests, by version, rule, host and path. */
	readonly byPlace: readonly EventGroup[] | undefined;
	/** By version, action and time, from the start of validation. */
	readonly byTime:
		| {readonly groups: readonly EventGroup[]; readonly timeDimension: TimeDimension}
		| undefined;
	/** Requests stopped by the new rules, by hour, from the start of validation. */
	readonly byHour: readonly EventGroup[] | undefined;
	/** Requests stopped by the new rules, by rule, host, path and address. */
	readonly byAddress: readonly EventGroup[] | undefined;
	/** Requests stopped by the new rules, by rule, host, path and country. */
	readonly byCountry: readonly EventGroup[] | undefined;
	/**
	 * All stopping events. Undefined if there are too many to read, or if some of them are no longer stored.
	 */
	readonly stoppingEvents: readonly SecurityEvent[] | undefined;
	readonly earlierEvents: EarlierEvents | undefined;
};
