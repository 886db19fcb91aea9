import type {DatasetLimits} from './datasets.ts';
import type {Argument} from './literal.ts';

/** What security events can be grouped by. Deployments can lack some. */
export type Dimension =
	| 'action'
	| 'source'
	| 'ruleId'
	| 'rulesetId'
	| 'clientIP'
	| 'clientCountryName'
	| 'clientAsn'
	| 'clientRequestHTTPHost'
	| 'clientRequestHTTPMethodName'
	| 'clientRequestPath'
	| 'userAgent'
	| 'description'
	| TimeDimension;

/** Buckets of time, the finest first. */
export const timeDimensions = {
	datetimeMinute: 60_000,
	datetimeFiveMinutes: 300_000,
	datetimeHour: 3_600_000,
	date: 86_400_000,
} as const;

export type TimeDimension = keyof typeof timeDimensions;

/** Which events are meant: those of a time to which all parts apply. */
export type EventFilter = {
	/** Milliseconds since the epoch, the first that counts. */
	readonly since: number;
	/** The last that counts. */
	readonly until: number;
	readonly rules?: readonly string[] | undefined;
	readonly rulesets?: readonly string[] | undefined;
	readonly actions?: readonly string[] | undefined;
	readonly sources?: readonly string[] | undefined;
	readonly paths?: readonly string[] | undefined;
	readonly countries?: readonly string[] | undefined;
	readonly addresses?: readonly string[] | undefined;
	readonly hosts?: readonly string[] | undefined;
	readonly rays?: readonly string[] | undefined;
};

/** The finest bucket of time that cuts a time into at most so many. */
export function bucketFor({since, until}: Pick<EventFilter, 'since' | 'until'>, most: number): TimeDimension {
	const found = Object.entries(timeDimensions).find(([, step]) => (until - since) / step <= most);
	return (found?.[0] ?? 'date') as TimeDimension;
}

/** The dimension that each part of a filter is about. */
const filtered = {
	rules: 'ruleId',
	rulesets: 'rulesetId',
	actions: 'action',
	sources: 'source',
	paths: 'clientRequestPath',
	countries: 'clientCountryName',
	addresses: 'clientIP',
	hosts: 'clientRequestHTTPHost',
	rays: 'rayName',
} as const satisfies Partial<Record<keyof EventFilter, string>>;

/** The names of the fields that a filter needs. */
export const fieldsOfFilter = (filter: EventFilter): readonly string[] =>
	Object.entries(filtered)
		.filter(([part]) => filter[part as keyof typeof filtered] !== undefined)
		.map(([, field]) => field);

/** A filter as the argument of a dataset. */
export function filterArgument(filter: EventFilter): Argument {
	const argument: Record<string, Argument> = {
		datetime_geq: timestamp(filter.since),
		datetime_leq: timestamp(filter.until),
	};
	for (const [part, field] of Object.entries(filtered)) {
		const wanted = filter[part as keyof typeof filtered];
		if (wanted) argument[`${field}_in`] = wanted;
	}
	return argument;
}

/** A moment as the service takes it, to the second. */
export const timestamp = (milliseconds: number): string =>
	`${new Date(milliseconds).toISOString().slice(0, 19)}Z`;

/** Milliseconds that the clock of this machine may be behind that of the service. */
const margin = 60_000;
/** A time is read in so many queries at most. */
const mostWindows = 31;

/** The times that are asked for, the latest first, none longer than a query may ask for. */
type Windows = {
	readonly windows: readonly Pick<EventFilter, 'since' | 'until'>[];
	/** The first moment that is asked for; later than wanted where the plan keeps less. */
	readonly since: number;
};

/** Cuts a time to what the plan keeps, and into pieces that one query may ask for. */
export function windowsOf(
	{since, until}: Pick<EventFilter, 'since' | 'until'>,
	limits: Pick<DatasetLimits, 'notOlderThan' | 'maxDuration'> | undefined,
	now: number,
): Windows {
	const kept = limits?.notOlderThan;
	const first = kept === undefined ? since : Math.max(since, Math.min(until, now - kept + margin));
	const longest = limits?.maxDuration ?? Number.POSITIVE_INFINITY;
	const windows: {since: number; until: number}[] = [];
	for (let end = until; windows.length < mostWindows; ) {
		const begin = Math.max(first, end - longest + 1000);
		windows.push({since: begin, until: end});
		// Both ends of a time count, to the second; a last second by itself is not worth a query.
		if (begin - first <= 1000) break;
		end = begin - 1000;
	}
	return {windows, since: windows.at(-1)?.since ?? first};
}
