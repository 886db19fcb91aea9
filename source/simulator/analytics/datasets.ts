/** The names of the service's scalar types. */
type Scalar = 'string' | 'uint64' | 'float64' | 'Time' | 'Date';

/** A set of numbers or events that can be queried. */
export type DatasetDefinition = {
	readonly name: string;
	/** The prefix of its type names. */
	readonly type: string;
	readonly scope: 'account' | 'zone';
	/** True if its rows are groups; otherwise rows are single events with the dimensions as fields. */
	readonly isGrouped: boolean;
	readonly dimensions: Readonly<Record<string, Scalar>>;
	/** The fields of a group besides its dimensions; some have subfields. */
	readonly measures: Readonly<Record<string, Scalar | Readonly<Record<string, Scalar>>>>;
};

const timeScalars = {
	date: 'Date',
	datetime: 'Time',
	datetimeMinute: 'Time',
	datetimeFiveMinutes: 'Time',
	datetimeFifteenMinutes: 'Time',
	datetimeHour: 'Time',
} as const;

/** The length of each time dimension, in milliseconds; `datetime` has the resolution of a second. */
export const timeUnits: Readonly<Record<keyof typeof timeScalars, number>> = {
	date: 86_400_000,
	datetime: 1000,
	datetimeMinute: 60_000,
	datetimeFiveMinutes: 300_000,
	datetimeFifteenMinutes: 900_000,
	datetimeHour: 3_600_000,
};

const eventDimensions = {
	action: 'string',
	clientASNDescription: 'string',
	clientAsn: 'string',
	clientCountryName: 'string',
	clientIP: 'string',
	clientRequestHTTPHost: 'string',
	clientRequestHTTPMethodName: 'string',
	clientRequestHTTPProtocol: 'string',
	clientRequestPath: 'string',
	clientRequestQuery: 'string',
	clientRequestScheme: 'string',
	description: 'string',
	rayName: 'string',
	ruleId: 'string',
	rulesetId: 'string',
	source: 'string',
	userAgent: 'string',
	...timeScalars,
} as const;

const sampling = {avg: {sampleInterval: 'float64'}} as const;

const latencies = ['P25', 'P50', 'P75', 'P90', 'P99', 'P999'].map(
	quantile => [`latencyMs${quantile}`, 'float64'] as const,
);

export const datasets: readonly DatasetDefinition[] = [
	{
		name: 'kvStorageAdaptiveGroups',
		type: 'AccountKvStorageAdaptiveGroups',
		scope: 'account',
		isGrouped: true,
		dimensions: {namespaceId: 'string', date: 'Date', datetime: 'Time'},
		measures: {max: {keyCount: 'uint64', byteCount: 'uint64'}},
	},
	{
		name: 'kvOperationsAdaptiveGroups',
		type: 'AccountKvOperationsAdaptiveGroups',
		scope: 'account',
		isGrouped: true,
		dimensions: {namespaceId: 'string', actionType: 'string', ...timeScalars},
		measures: {sum: {requests: 'uint64'}, quantiles: Object.fromEntries(latencies), ...sampling},
	},
	{
		name: 'firewallEventsAdaptive',
		type: 'FirewallEventsAdaptive',
		scope: 'zone',
		isGrouped: false,
		dimensions: eventDimensions,
		measures: {sampleInterval: 'uint64'},
	},
	{
		name: 'firewallEventsAdaptiveGroups',
		type: 'FirewallEventsAdaptiveGroups',
		scope: 'zone',
		isGrouped: true,
		dimensions: eventDimensions,
		measures: {count: 'uint64', ...sampling},
	},
];

/** Lists what rows can be ordered by besides the dimensions, such as `count` and `sum_requests`. */
export const listMeasureNames = ({measures}: DatasetDefinition): readonly string[] =>
	Object.entries(measures).flatMap(([name, kind]) =>
		typeof kind === 'string' ? [name] : Object.keys(kind).map(field => `${name}_${field}`),
	);
