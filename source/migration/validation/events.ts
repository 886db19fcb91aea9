import type {EventGroup} from '../../analytics/event-groups.ts';
import type {TimeDimension} from '../../analytics/event-query.ts';
import type {SecurityEvent} from '../../analytics/events.ts';

/** A time, in milliseconds since the epoch. */
export type Span = {readonly since: number; readonly until: number};

/** What the previous managed rules stopped before validation began, by host and path. */
export type EventsBefore = Span & {readonly places: readonly EventGroup[]};

/** A validation, and since when its events count: its beginning, or the last change of its configuration. */
export type Counted = Span & {readonly begun: number};

/** Events of both versions in one time. What could not be read is `undefined`. */
export type VersionEvents = Counted & {
	/** Whether some of the counts are estimates. */
	readonly isSampled: boolean;
	/** By version, rule and action. */
	readonly rules: readonly EventGroup[];
	/** What was stopped, by version, rule, host and path. */
	readonly places: readonly EventGroup[] | undefined;
	/** By version, action and time, since validation began. */
	readonly times: {readonly groups: readonly EventGroup[]; readonly by: TimeDimension} | undefined;
	/** What the new rules stopped since validation began, by hour. */
	readonly hours: readonly EventGroup[] | undefined;
	/** What the new rules stopped, by rule, host, path and address. */
	readonly addresses: readonly EventGroup[] | undefined;
	/** The same by country. */
	readonly countries: readonly EventGroup[] | undefined;
	/** Every event of that time; `undefined` where there are more than can be read, or some are not kept. */
	readonly single: readonly SecurityEvent[] | undefined;
	readonly before: EventsBefore | undefined;
};
