import {Failure} from '../failure.ts';
import type {Client} from '../service/client.ts';
import {type Analytics, getAnalytics} from './analytics.ts';
import {createLackingProblem} from './event-groups.ts';
import {formatTimestamp, splitIntoWindows} from './event-query.ts';
import {type Data, type Problem, type Read, type Subject, storeMetrics} from './problem.ts';
import {
	dayMs,
	getDimension,
	getFigure,
	isProblem,
	loadQueryableDataset,
	maxStoreDays,
	type QueryableDataset,
	type Selection,
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
	get(namespace: string): StoreSummary;
};

/** Fails with `limit` if the service does not keep that many days. */
export function checkStoreDays(days: number): number {
	if (days >= 1 && days <= maxStoreDays && Number.isInteger(days)) return days;
	throw new Failure('limit', `Store metrics are kept for ${maxStoreDays} days; ${days} were asked for.`, {
		next: `Ask for 1 to ${maxStoreDays} days.`,
	});
}

/**
 * Reads keys, bytes and operations of all namespaces of an account, in one query if the plan allows the whole
 * time. Keys and bytes are of the last two days, operations of the last `days` days.
 */
export async function readStoreSummaries(
	client: Client,
	account: string,
	signal: AbortSignal,
	{days = 1}: {readonly days?: number} = {},
): Promise<Read<StoreSummaries>> {
	checkStoreDays(days);
	const analytics = getAnalytics(client);
	const until = analytics.now();
	const {storage, operations, problems} = await loadStoreDatasets(analytics, account, signal);
	const wanted = new Map<string, readonly Selection[]>();
	if (storage)
		wanted.set('storage', buildStorageSelections(storage, {since: until - dayMs, until}, undefined));
	const times = operations && splitOperationTimes(operations, {since: until - days * dayMs, until}, until);
	if (operations && times)
		wanted.set(
			'operations',
			times.map(({filter}) => ({
				dataset: 'kvOperationsAdaptiveGroups',
				filter,
				limit: operations.page,
				orderBy: 'sum_requests_DESC',
				fields: `sum { requests }${buildSamplingField(operations)} dimensions { ${['namespaceId', ...getKindDimension(operations)].join(' ')} }`,
			})),
		);
	const {found, problems: own} = await selectRows(analytics, account, wanted, signal);
	problems.push(...own);
	if (found.size === 0) return {value: undefined, problems: mergeProblems(problems)};
	const counted = found.get('operations');
	const since = (counted && times?.[counted.read - 1]?.since) ?? until - days * dayMs;
	return {
		value: {
			since,
			until,
			get: createSummaryReader(
				collectLatestSizes(found.get('storage')?.rows),
				counted && countTotals(counted.rows),
				counted?.isCut,
			),
		},
		problems,
	};
}

/** Checks both datasets of stores: each if it can be queried and has namespaces, else the problem. */
export async function loadStoreDatasets(
	analytics: Analytics,
	account: string,
	signal: AbortSignal,
): Promise<{
	storage: QueryableDataset | undefined;
	operations: QueryableDataset | undefined;
	problems: Problem[];
}> {
	const both = await Promise.all([
		loadQueryableDataset(analytics, 'kvStorageAdaptiveGroups', account, signal),
		loadQueryableDataset(analytics, 'kvOperationsAdaptiveGroups', account, signal),
	]);
	const problems: Problem[] = [];
	const [storage, operations] = both.map((found, at) => {
		if (isProblem(found)) {
			problems.push(found);
			return undefined;
		}
		const needed = at === 0 ? ['namespaceId', 'date'] : ['namespaceId'];
		const absent = needed.filter(name => !found.hasDimension(name));
		if (!found.hasField(at === 0 ? 'max' : 'sum')) absent.push(at === 0 ? 'max' : 'sum');
		if (absent.length > 0) problems.push(createLackingProblem(absent));
		return absent.length > 0 ? undefined : found;
	});
	if (operations && getKindDimension(operations).length === 0)
		problems.push(createLackingProblem(['actionType']));
	return {storage, operations, problems};
}

/** Turns problems of parts into problems of the whole when nothing was read, without duplicates. */
export function mergeProblems(problems: readonly Problem[]): readonly Problem[] {
	const whole = problems.map(problem =>
		problem.kind === 'unknown field' ? problem : {...problem, path: []},
	);
	return whole.filter(
		({kind, message, path}, at) =>
			path.length > 0 || whole.findIndex(other => other.kind === kind && other.message === message) === at,
	);
}

export const getKindDimension = ({hasDimension}: QueryableDataset): readonly string[] =>
	hasDimension('actionType') ? ['actionType'] : [];

export const getOperationKind = (row: Data): string => getDimension(row, 'actionType') || anyKind;

export const buildSamplingField = ({hasField}: QueryableDataset): string =>
	hasField('avg') ? ' avg { sampleInterval }' : '';

/** Builds queries for keys and bytes by day and namespace, latest first. */
export const buildStorageSelections = (
	{limits, page}: QueryableDataset,
	time: {readonly since: number; readonly until: number},
	namespace: string | undefined,
): readonly Selection[] =>
	splitIntoDays(time, limits, time.until).map(({from, to}) => ({
		dataset: 'kvStorageAdaptiveGroups',
		filter: {date_geq: from, date_leq: to, namespaceId: namespace},
		limit: page,
		orderBy: 'date_DESC',
		fields: 'max { keyCount byteCount } dimensions { date namespaceId }',
	}));

/** A part of a time with its filter. */
type OperationsTime = {readonly since: number; readonly filter: Readonly<Record<string, string>>};

/**
 * Splits a time, latest part first: to the second if the service has moments of operations, else by whole
 * days.
 */
export const splitOperationTimes = (
	{hasDimension, limits}: QueryableDataset,
	time: {readonly since: number; readonly until: number},
	now: number,
): readonly OperationsTime[] =>
	hasDimension('datetime')
		? splitIntoWindows(time, limits, now).windows.map(({since, until}) => ({
				since,
				filter: {datetime_geq: formatTimestamp(since), datetime_leq: formatTimestamp(until)},
			}))
		: splitIntoDays(time, limits, now).map(({from, to}) => ({
				since: Date.parse(from),
				filter: {date_geq: from, date_leq: to},
			}));

type Sizes = {readonly keys: number | undefined; readonly bytes: number | undefined};

/** Collects each namespace's sizes on its last day. */
function collectLatestSizes(rows: readonly Data[] = []): ReadonlyMap<string, Sizes> {
	const latest = new Map<string, Sizes & {readonly date: string}>();
	for (const row of rows) {
		const namespace = getDimension(row, 'namespaceId');
		const date = getDimension(row, 'date');
		const before = latest.get(namespace);
		if (before && before.date >= date) continue;
		latest.set(namespace, {...getStoreSizes(row), date});
	}
	return latest;
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
	const found = new Map<string, {operations: Record<string, number>; isEstimate: boolean}>();
	for (const row of rows) {
		const namespace = getDimension(row, 'namespaceId');
		const total = found.get(namespace) ?? {operations: {}, isEstimate: false};
		const kind = getOperationKind(row);
		const before = Object.hasOwn(total.operations, kind) ? total.operations[kind] : undefined;
		total.operations[kind] = (before ?? 0) + (getFigure(row, 'sum', 'requests') ?? 0);
		total.isEstimate ||= isSampledRow(row);
		found.set(namespace, total);
	}
	return found;
}

export const isSampledRow = (row: Data): boolean => (getFigure(row, 'avg', 'sampleInterval') ?? 1) > 1;

/** A namespace without a row had no operations, unless rows were cut off. */
const createSummaryReader =
	(sizes: ReadonlyMap<string, Sizes>, counted: Totals | undefined, isCut = false): StoreSummaries['get'] =>
	namespace => {
		const total = counted?.get(namespace);
		const nothing = counted && !isCut ? {} : undefined;
		return {
			keys: sizes.get(namespace)?.keys,
			bytes: sizes.get(namespace)?.bytes,
			operations: total?.operations ?? nothing,
			isEstimate: total?.isEstimate ?? false,
		};
	};

/** Returns the number of operations of a kind; undefined if unknown. */
export function getOperationCount(operations: Operations | undefined, kind: string): number | undefined {
	if (!operations) return undefined;
	return operations[kind] ?? (anyKind in operations ? undefined : 0);
}

const subjects: readonly (readonly [RegExp, string])[] = [
	[/^(storage|max)/, 'Keys and bytes of namespaces'],
	[/^(operations|sum|actionType)/, 'Operations of namespaces'],
	[/^(latency|quantiles)/, 'Latencies of namespaces'],
];

/** Returns what a problem is about: all store metrics, or the part in its path. */
export function getStoreSubject({path}: Problem): Subject {
	const found = subjects.find(([pattern]) => path.some(part => pattern.test(part)));
	return found ? {...storeMetrics, what: found[1]} : storeMetrics;
}
