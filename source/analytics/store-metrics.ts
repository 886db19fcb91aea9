import {Failure} from '../failure.ts';
import type {Client} from '../service/client.ts';
import {type Analytics, getAnalytics} from './analytics.ts';
import {createMissingFieldsProblem} from './event-groups.ts';
import {formatTimestamp, splitIntoWindows} from './event-query.ts';
import {
	type AnalyticsProblem,
	type Data,
	type ReadResult,
	type Subject,
	storeMetricsSubject,
} from './problem.ts';
import {
	dayMs,
	getDimension,
	getFigure,
	isProblem,
	loadQueryableDataset,
	maxStoreDays,
	type QueryableDataset,
	type QuerySelection,
	selectRows,
	splitIntoDays,
} from './store-query.ts';

/** Operations on keys per kind: read, write, delete, list, and others that the service counts. */
type Operations = Readonly<Record<string, number>>;

/** Kind of all operations if the service does not separate them. */
const anyKind = 'all';

/** Kinds of operations in display order; others follow. */
export const operationKinds = ['read', 'write', 'delete', 'list'] as const;

/** Numbers of a namespace; undefined means unknown. */
export type StoreSummary = {
	/** Highest number of keys on the last measured day. */
	readonly keys: number | undefined;
	readonly bytes: number | undefined;
	readonly operations: Operations | undefined;
	readonly isEstimate: boolean;
};

export type StoreSummaries = {
	/** First moment whose operations count, in milliseconds since the epoch. */
	readonly since: number;
	readonly until: number;
	/** Works for namespaces without numbers too. */
	get(namespaceId: string): StoreSummary;
};

/** Fails with `limit` if the service does not keep that many days. */
export function checkStoreDays(days: number): number {
	if (days >= 1 && days <= maxStoreDays && Number.isInteger(days)) return days;
	throw new Failure('limit', `Store metrics are kept for ${maxStoreDays} days; you requested ${days}.`, {
		next: `Request 1 to ${maxStoreDays} days.`,
	});
}

/**
 * Reads keys, bytes and operations of all namespaces of an account, in one query if the plan allows the whole
 * time. Keys and bytes are of the last two days, operations of the last `days` days.
 */
export async function readStoreSummaries(
	client: Client,
	accountId: string,
	signal: AbortSignal,
	{days = 1}: {readonly days?: number} = {},
): Promise<ReadResult<StoreSummaries>> {
	checkStoreDays(days);
	const analytics = getAnalytics(client);
	const until = analytics.now();
	const {storageDataset, operationsDataset, problems} = await loadStoreDatasets(analytics, accountId, signal);
	const selectionsByName = new Map<string, readonly QuerySelection[]>();
	if (storageDataset)
		selectionsByName.set(
			'storage',
			buildStorageSelections(storageDataset, {since: until - dayMs, until}, undefined),
		);
	const windows =
		operationsDataset &&
		splitOperationWindows(operationsDataset, {since: until - days * dayMs, until}, until);
	if (operationsDataset && windows)
		selectionsByName.set(
			'operations',
			windows.map(({filter}) => ({
				dataset: 'kvOperationsAdaptiveGroups',
				filter,
				limit: operationsDataset.maxRows,
				orderBy: 'sum_requests_DESC',
				fields: `sum { requests }${buildSamplingField(operationsDataset)} dimensions { ${['namespaceId', ...listKindDimensions(operationsDataset)].join(' ')} }`,
			})),
		);
	const {rowsByName, problems: readProblems} = await selectRows(
		analytics,
		accountId,
		selectionsByName,
		signal,
	);
	problems.push(...readProblems);
	if (rowsByName.size === 0) return {value: undefined, problems: mergeProblems(problems)};
	const operationRows = rowsByName.get('operations');
	const since =
		(operationRows && windows?.[operationRows.readSelectionCount - 1]?.since) ?? until - days * dayMs;
	return {
		value: {
			since,
			until,
			get: createSummaryReader(
				collectLatestSizes(rowsByName.get('storage')?.rows),
				operationRows && countTotals(operationRows.rows),
				operationRows?.isCut,
			),
		},
		problems,
	};
}

/**
 * Loads the storage and operations datasets. One that cannot be queried or lacks a required field is
 * undefined; `problems` says why.
 */
export async function loadStoreDatasets(
	analytics: Analytics,
	accountId: string,
	signal: AbortSignal,
): Promise<{
	storageDataset: QueryableDataset | undefined;
	operationsDataset: QueryableDataset | undefined;
	problems: AnalyticsProblem[];
}> {
	const results = await Promise.all([
		loadQueryableDataset(analytics, 'kvStorageAdaptiveGroups', accountId, signal),
		loadQueryableDataset(analytics, 'kvOperationsAdaptiveGroups', accountId, signal),
	]);
	const problems: AnalyticsProblem[] = [];
	const [storageDataset, operationsDataset] = results.map((result, index) => {
		if (isProblem(result)) {
			problems.push(result);
			return undefined;
		}
		const requiredDimensions = index === 0 ? ['namespaceId', 'date'] : ['namespaceId'];
		const missingNames = requiredDimensions.filter(name => !result.hasDimension(name));
		if (!result.hasField(index === 0 ? 'max' : 'sum')) missingNames.push(index === 0 ? 'max' : 'sum');
		if (missingNames.length > 0) problems.push(createMissingFieldsProblem(missingNames));
		return missingNames.length > 0 ? undefined : result;
	});
	if (operationsDataset && listKindDimensions(operationsDataset).length === 0)
		problems.push(createMissingFieldsProblem(['actionType']));
	return {storageDataset, operationsDataset, problems};
}

/**
 * For when nothing could be read: turns problems of parts into problems of all metrics, and removes
 * duplicates.
 */
export function mergeProblems(problems: readonly AnalyticsProblem[]): readonly AnalyticsProblem[] {
	const generalProblems = problems.map(problem =>
		problem.kind === 'unknown field' ? problem : {...problem, path: []},
	);
	return generalProblems.filter(
		({kind, message, path}, index) =>
			path.length > 0 ||
			generalProblems.findIndex(other => other.kind === kind && other.message === message) === index,
	);
}

export const listKindDimensions = ({hasDimension}: QueryableDataset): readonly string[] =>
	hasDimension('actionType') ? ['actionType'] : [];

export const getOperationKind = (row: Data): string => getDimension(row, 'actionType') || anyKind;

export const buildSamplingField = ({hasField}: QueryableDataset): string =>
	hasField('avg') ? ' avg { sampleInterval }' : '';

/** Builds queries for keys and bytes by day and namespace, latest first. */
export const buildStorageSelections = (
	{limits, maxRows}: QueryableDataset,
	time: {readonly since: number; readonly until: number},
	namespaceId: string | undefined,
): readonly QuerySelection[] =>
	splitIntoDays(time, limits, time.until).map(({firstDay, lastDay}) => ({
		dataset: 'kvStorageAdaptiveGroups',
		filter: {date_geq: firstDay, date_leq: lastDay, namespaceId},
		limit: maxRows,
		orderBy: 'date_DESC',
		fields: 'max { keyCount byteCount } dimensions { date namespaceId }',
	}));

/** A part of a time span, with the query filter that selects it. */
type OperationsWindow = {readonly since: number; readonly filter: Readonly<Record<string, string>>};

/**
 * Splits a time span into windows, latest first: to the second if operations have a `datetime`, else by whole
 * days.
 */
export const splitOperationWindows = (
	{hasDimension, limits}: QueryableDataset,
	time: {readonly since: number; readonly until: number},
	now: number,
): readonly OperationsWindow[] =>
	hasDimension('datetime')
		? splitIntoWindows(time, limits, now).windows.map(({since, until}) => ({
				since,
				filter: {datetime_geq: formatTimestamp(since), datetime_leq: formatTimestamp(until)},
			}))
		: splitIntoDays(time, limits, now).map(({firstDay, lastDay}) => ({
				since: Date.parse(firstDay),
				filter: {date_geq: firstDay, date_leq: lastDay},
			}));

type Sizes = {readonly keys: number | undefined; readonly bytes: number | undefined};

/** Collects each namespace's sizes on its last day. */
function collectLatestSizes(rows: readonly Data[] = []): ReadonlyMap<string, Sizes> {
	const latestSizes = new Map<string, Sizes & {readonly date: string}>();
	for (const row of rows) {
		const namespaceId = getDimension(row, 'namespaceId');
		const date = getDimension(row, 'date');
		const previousSizes = latestSizes.get(namespaceId);
		if (previousSizes && previousSizes.date >= date) continue;
		latestSizes.set(namespaceId, {...getStoreSizes(row), date});
	}
	return latestSizes;
}

export const getStoreSizes = (row: Data): Sizes => ({
	keys: getFigure(row, 'max', 'keyCount'),
	bytes: getFigure(row, 'max', 'byteCount'),
});

type Totals = ReadonlyMap<
	string,
	{readonly operations: Record<string, number>; readonly isEstimate: boolean}
>;

function countTotals(rows: readonly Data[]): Totals {
	const totalsByNamespace = new Map<string, {operations: Record<string, number>; isEstimate: boolean}>();
	for (const row of rows) {
		const namespaceId = getDimension(row, 'namespaceId');
		const total = totalsByNamespace.get(namespaceId) ?? {operations: {}, isEstimate: false};
		const kind = getOperationKind(row);
		const previousCount = Object.hasOwn(total.operations, kind) ? total.operations[kind] : undefined;
		total.operations[kind] = (previousCount ?? 0) + (getFigure(row, 'sum', 'requests') ?? 0);
		total.isEstimate ||= isSampledRow(row);
		totalsByNamespace.set(namespaceId, total);
	}
	return totalsByNamespace;
}

export const isSampledRow = (row: Data): boolean => (getFigure(row, 'avg', 'sampleInterval') ?? 1) > 1;

/**
 * Creates the function that returns the summary of a namespace. One without a row had no operations, unless
 * rows were cut off.
 */
const createSummaryReader =
	(sizes: ReadonlyMap<string, Sizes>, totals: Totals | undefined, isCut = false): StoreSummaries['get'] =>
	namespaceId => {
		const total = totals?.get(namespaceId);
		const emptyOperations = totals && !isCut ? {} : undefined;
		return {
			keys: sizes.get(namespaceId)?.keys,
			bytes: sizes.get(namespaceId)?.bytes,
			operations: total?.operations ?? emptyOperations,
			isEstimate: total?.isEstimate ?? false,
		};
	};

/** Returns the number of operations of a kind; undefined if unknown. */
export function getOperationCount(operations: Operations | undefined, kind: string): number | undefined {
	if (!operations) return undefined;
	return operations[kind] ?? (anyKind in operations ? undefined : 0);
}

const subjectPatterns: readonly (readonly [RegExp, string])[] = [
	[/^(storage|max)/, 'Namespace keys and sizes'],
	[/^(operations|sum|actionType)/, 'Namespace operations'],
	[/^(latency|quantiles)/, 'Namespace latencies'],
];

/** Returns what a problem is about: all store metrics, or the part in its path. */
export function getStoreSubject({path}: AnalyticsProblem): Subject {
	const match = subjectPatterns.find(([pattern]) => path.some(part => pattern.test(part)));
	return match ? {...storeMetricsSubject, what: match[1]} : storeMetricsSubject;
}
