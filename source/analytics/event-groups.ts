import type {Client} from '../service/client.ts';
import {createMalformedFailure} from '../service/response-fields.ts';
import {isJsonObject} from '../text/json.ts';
import {type Analytics, getAnalytics} from './analytics.ts';
import {type DatasetFields, getDatasetRows, getFirstHolder} from './datasets.ts';
import {
	buildFilterArgument,
	type Dimension,
	type EventFilter,
	listFilterFields,
	splitIntoWindows,
} from './event-query.ts';
import {formatLiteral} from './literal.ts';
import {type AnalyticsProblem, type Data, type ReadResult, toProblem} from './problem.ts';

/** Events with equal values of some dimensions. */
export type EventGroup = {
	/** Number of events; an estimate if the sample interval is above 1. */
	readonly count: number;
	readonly dimensions: Readonly<Partial<Record<Dimension, string>>>;
	/** Average number of events per sampled one; undefined if the service does not say. */
	readonly sampleInterval: number | undefined;
};

export type Grouping = {
	readonly by: readonly Dimension[];
	/** Further dimensions, if the schema is known to have them. */
	readonly optionalDimensions?: readonly Dimension[];
	/** The `limit` most frequent; one page if undefined. */
	readonly limit?: number;
	/** A further filter for this grouping only. */
	readonly extraFilter?: Partial<Omit<EventFilter, 'since' | 'until'>>;
};

type GroupedEvents<Name extends string> = {
	/** Most frequent first; omits groupings that could not be read. */
	readonly groups: Readonly<Partial<Record<Name, readonly EventGroup[]>>>;
	/**
	 * First moment covered; later than requested if the plan keeps less or earlier parts could not be read.
	 */
	readonly since: number;
	/** True if some counts are estimates. */
	readonly isSampled: boolean;
};

/** Rows to request per grouping, if the plan allows. */
const pageSize = 10_000;

/**
 * Counts the events of a zone by one or more groupings. The time span is split into windows that the plan
 * allows; one query per window reads all groupings. A grouping that needs a missing dimension is omitted and
 * reported as a problem.
 */
export async function readEventGroups<Name extends string>(
	client: Client,
	zoneId: string,
	filter: EventFilter,
	groupings: Readonly<Record<Name, Grouping>>,
	signal: AbortSignal,
): Promise<ReadResult<GroupedEvents<Name>>> {
	const analytics = getAnalytics(client);
	const dataset = 'firewallEventsAdaptiveGroups';
	const fields = await analytics.datasets.fields(dataset, signal);
	if (fields === 'missing') return {value: undefined, problems: [missingDatasetProblem]};
	const {possibleGroupings, problems} = findPossibleGroupings(groupings, filter, fields);
	const limits = await analytics.datasets.limits(dataset, zoneId, signal);
	if (limits?.isEnabled === false) return {value: undefined, problems: [notInPlanProblem]};
	if (possibleGroupings.length === 0) return {value: undefined, problems};
	const {windows} = splitIntoWindows(filter, limits, analytics.now());
	let since = filter.until;
	const maxRows = Math.min(pageSize, limits?.maxPageSize ?? pageSize);
	const samplingField = fields === undefined || fields.fields.has('avg') ? ' avg { sampleInterval }' : '';
	const groupsByName = new Map<Name, EventGroup[]>();
	for (const window of windows) {
		const read = await readWindow(
			analytics,
			zoneId,
			{...filter, ...window},
			possibleGroupings,
			{maxRows, samplingField},
			signal,
		);
		problems.push(...read.problems);
		for (const [name, groups] of read.value ?? []) {
			const mergedGroups = groupsByName.get(name);
			groupsByName.set(name, mergedGroups ? mergeGroups(mergedGroups, groups) : groups);
		}
		if (read.value === undefined) break;
		since = window.since;
	}
	if (groupsByName.size === 0) return {value: undefined, problems};
	const groups: Partial<Record<Name, readonly EventGroup[]>> = {};
	for (const [name, {limit = pageSize}] of possibleGroupings) {
		const rows = groupsByName.get(name);
		if (rows) groups[name] = rows.toSorted((one, other) => other.count - one.count).slice(0, limit);
	}
	const isSampled = [...groupsByName.values()].some(rows => rows.some(isEstimate));
	return {value: {groups, since, isSampled}, problems};
}

export const isEstimate = ({sampleInterval}: Pick<EventGroup, 'sampleInterval'>): boolean =>
	(sampleInterval ?? 1) > 1;

export const missingDatasetProblem: AnalyticsProblem = {kind: 'not here', message: '', path: []};
export const notInPlanProblem: AnalyticsProblem = {kind: 'not in plan', message: '', path: []};

export const createMissingFieldsProblem = (names: readonly string[]): AnalyticsProblem => ({
	kind: 'unknown field',
	message: '',
	path: names,
});

/** The problem of fields beyond the number that the plan allows in a query. */
export const createPlanFieldsProblem = (names: readonly string[]): AnalyticsProblem => ({
	kind: 'too many fields',
	message: '',
	path: names,
});

function findPossibleGroupings<Name extends string>(
	groupings: Readonly<Record<Name, Grouping>>,
	filter: EventFilter,
	fields: DatasetFields | undefined,
): {
	readonly possibleGroupings: readonly (readonly [Name, Grouping])[];
	readonly problems: AnalyticsProblem[];
} {
	const entries = Object.entries(groupings) as [Name, Grouping][];
	const extendGroupings = (hasDimension: (name: string) => boolean) =>
		entries.map(
			([name, {by, optionalDimensions = [], ...rest}]) =>
				[name, {...rest, by: [...by, ...optionalDimensions.filter(hasDimension)]}] as const,
		);
	if (!fields) return {possibleGroupings: extendGroupings(() => false), problems: []};
	const allMissingNames = new Set<string>();
	const possibleGroupings = extendGroupings(name => fields.dimensions.has(name)).filter(
		([, {by, extraFilter}]) => {
			const missingNames = [...by, ...listFilterFields({...filter, ...extraFilter})].filter(
				name => !fields.dimensions.has(name),
			);
			for (const name of missingNames) allMissingNames.add(name);
			return missingNames.length === 0;
		},
	);
	return {
		possibleGroupings,
		problems: allMissingNames.size > 0 ? [createMissingFieldsProblem([...allMissingNames])] : [],
	};
}

async function readWindow<Name extends string>(
	analytics: Analytics,
	zoneId: string,
	filter: EventFilter,
	groupings: readonly (readonly [Name, Grouping])[],
	{maxRows, samplingField}: {readonly maxRows: number; readonly samplingField: string},
	signal: AbortSignal,
): Promise<ReadResult<ReadonlyMap<Name, EventGroup[]>>> {
	const parts = groupings.map(([, {by, limit = maxRows, extraFilter}], index) => {
		const filterText = formatLiteral(buildFilterArgument({...filter, ...extraFilter}));
		const rows = Math.min(limit, maxRows);
		return `g${index}: firewallEventsAdaptiveGroups(filter: ${filterText}, limit: ${rows}, orderBy: [count_DESC]) { count${samplingField} dimensions { ${by.join(' ')} } }`;
	});
	const {value, problems: partProblems} = await analytics.runQuery(
		`query { viewer { zones(filter: ${formatLiteral({zoneTag: zoneId})}) { ${parts.join(' ')} } } }`,
		signal,
	);
	const problems = [...partProblems];
	const zoneData = getFirstHolder(value, 'zones');
	if (!zoneData) return {value: undefined, problems};
	const groupsByName = new Map<Name, EventGroup[]>();
	for (const [index, [name]] of groupings.entries()) {
		const rows = getDatasetRows(zoneData, `g${index}`);
		if (!rows) continue;
		const groups = rows.map(readGroup).filter(group => group !== undefined);
		if (groups.length === rows.length) groupsByName.set(name, groups);
		else problems.push(toProblem(createMalformedFailure('count of security events')));
	}
	return {value: groupsByName, problems};
}

/** Reads a row; undefined if it is malformed. */
function readGroup({count, dimensions, avg}: Data): EventGroup | undefined {
	if (typeof count !== 'number' || count < 0 || !isJsonObject(dimensions)) return undefined;
	const interval = isJsonObject(avg) ? avg.sampleInterval : undefined;
	return {
		count,
		dimensions: Object.fromEntries(
			Object.entries(dimensions).map(([name, value]) => [name, String(value ?? '')]),
		),
		sampleInterval: typeof interval === 'number' ? interval : undefined,
	};
}

/** Merges the groups of two windows that have equal values. */
function mergeGroups(one: readonly EventGroup[], other: readonly EventGroup[]): EventGroup[] {
	const byValues = new Map(one.map(group => [JSON.stringify(group.dimensions), group]));
	for (const group of other) {
		const valuesKey = JSON.stringify(group.dimensions);
		const existingGroup = byValues.get(valuesKey);
		byValues.set(valuesKey, existingGroup ? addGroups(existingGroup, group) : group);
	}
	return [...byValues.values()];
}

const addGroups = (one: EventGroup, other: EventGroup): EventGroup => ({
	...one,
	count: one.count + other.count,
	sampleInterval:
		one.sampleInterval === undefined || other.sampleInterval === undefined
			? (one.sampleInterval ?? other.sampleInterval)
			: Math.max(one.sampleInterval, other.sampleInterval),
});
