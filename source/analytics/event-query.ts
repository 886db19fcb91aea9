import type {DatasetLimits} from './datasets.ts';
import type {QueryArgument} from './literal.ts';

/** Dimensions of security events. Deployments may lack some. */
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

/** Time buckets in milliseconds, finest first. */
export const timeDimensions = {
	datetimeMinute: 60_000,
	datetimeFiveMinutes: 300_000,
	datetimeHour: 3_600_000,
	date: 86_400_000,
} as const;

export type TimeDimension = keyof typeof timeDimensions;

/**
 * Selects the events of a time span that match every given property. The values of a property are
 * alternatives.
 */
export type EventFilter = {
	/** Milliseconds since the epoch, inclusive. */
	readonly since: number;
	/** Inclusive. */
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

/** Returns the finest bucket that cuts a time span into at most `maxBuckets` parts; `date` if none does. */
export function chooseBucket(
	{since, until}: Pick<EventFilter, 'since' | 'until'>,
	maxBuckets: number,
): TimeDimension {
	const match = Object.entries(timeDimensions).find(([, step]) => (until - since) / step <= maxBuckets);
	return (match?.[0] ?? 'date') as TimeDimension;
}

/** Dimension of each filter property. */
const filterFields = {
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

/** Lists the fields that a filter needs. */
export const listFilterFields = (filter: EventFilter): readonly string[] =>
	Object.entries(filterFields)
		.filter(([part]) => filter[part as keyof typeof filterFields] !== undefined)
		.map(([, field]) => field);

/** Builds the filter argument of a dataset. */
export function buildFilterArgument(filter: EventFilter): QueryArgument {
	const argument: Record<string, QueryArgument> = {
		datetime_geq: formatTimestamp(filter.since),
		datetime_leq: formatTimestamp(filter.until),
	};
	for (const [part, field] of Object.entries(filterFields)) {
		const filterValue = filter[part as keyof typeof filterFields];
		if (filterValue) argument[`${field}_in`] = filterValue;
	}
	return argument;
}

/** Formats a moment for the service, to the second. */
export const formatTimestamp = (milliseconds: number): string =>
	`${new Date(milliseconds).toISOString().slice(0, 19)}Z`;

/** Milliseconds by which this machine's clock may lag behind the service's. */
const clockMarginMs = 60_000;
/** Maximum number of queries for one time span. */
const maxWindows = 31;

/** Time windows to query, latest first, none longer than a query allows. */
type Windows = {
	readonly windows: readonly Pick<EventFilter, 'since' | 'until'>[];
	/** First moment covered; later than requested if the plan keeps less. */
	readonly since: number;
};

/** Limits a time to what the plan keeps, and splits it into windows that one query allows. */
export function splitIntoWindows(
	{since, until}: Pick<EventFilter, 'since' | 'until'>,
	limits: Pick<DatasetLimits, 'retentionMs' | 'maxDuration'> | undefined,
	now: number,
): Windows {
	const retentionMs = limits?.retentionMs;
	const firstMoment =
		retentionMs === undefined ? since : Math.max(since, Math.min(until, now - retentionMs + clockMarginMs));
	const maxDurationMs = limits?.maxDuration ?? Number.POSITIVE_INFINITY;
	const windows: {since: number; until: number}[] = [];
	for (let end = until; windows.length < maxWindows; ) {
		const begin = Math.max(firstMoment, end - maxDurationMs + 1000);
		windows.push({since: begin, until: end});
		// Both ends are inclusive, to the second; a single last second is not worth a query.
		if (begin - firstMoment <= 1000) break;
		end = begin - 1000;
	}
	return {windows, since: windows.at(-1)?.since ?? firstMoment};
}
