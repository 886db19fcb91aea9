import {Failure} from '../failure.ts';
import type {Client} from '../service/client.ts';
import {type Analytics, analyticsOf} from './analytics.ts';
import {lacking} from './event-groups.ts';
import {timestamp, windowsOf} from './event-query.ts';
import {type Data, type Problem, type Read, type Subject, storeMetrics} from './problem.ts';
import {
	type Askable,
	askable,
	day,
	daysOf,
	dimensionAt,
	figureAt,
	isProblem,
	keptDays,
	type Selection,
	select,
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
	of(namespace: string): StoreSummary;
};

/** Fails with `limit` if the service does not keep that many days. */
export function checkDays(days: number): number {
	if (days >= 1 && days <= keptDays && Number.isInteger(days)) return days;
	throw new Failure('limit', `Store metrics are kept for ${keptDays} days; ${days} were asked for.`, {
		next: `Ask for 1 to ${keptDays} days.`,
	});
}

/**
 * Reads keys, bytes and operations of all namespaces of an account, in one query if the plan allows the whole
 * time. Keys and bytes are of the last two days, operations of the last `days` days.
 */
export async function storeSummaries(
	client: Client,
	account: string,
	signal: AbortSignal,
	{days = 1}: {readonly days?: number} = {},
): Promise<Read<StoreSummaries>> {
	checkDays(days);
	const analytics = analyticsOf(client);
	const until = analytics.now();
	const {storage, operations, problems} = await storeDatasets(analytics, account, signal);
	const wanted = new Map<string, readonly Selection[]>();
	if (storage) wanted.set('storage', storageSelections(storage, {since: until - day, until}, undefined));
	const times = operations && operationTimes(operations, {since: until - days * day, until}, until);
	if (operations && times)
		wanted.set(
			'operations',
			times.map(({filter}) => ({
				dataset: 'kvOperationsAdaptiveGroups',
				filter,
				limit: operations.page,
				orderBy: 'sum_requests_DESC',
				fields: `sum { requests }${sampling(operations)} dimensions { ${['namespaceId', ...kindDimension(operations)].join(' ')} }`,
			})),
		);
	const {found, problems: own} = await select(analytics, account, wanted, signal);
	problems.push(...own);
	if (found.size === 0) return {value: undefined, problems: ofAll(problems)};
	const counted = found.get('operations');
	const since = (counted && times?.[counted.read - 1]?.since) ?? until - days * day;
	return {
		value: {
			since,
			until,
			of: summaryOf(latestSizes(found.get('storage')?.rows), counted && totals(counted.rows), counted?.isCut),
		},
		problems,
	};
}

/** Checks both datasets of stores: each if it can be queried and has namespaces, else the problem. */
export async function storeDatasets(
	analytics: Analytics,
	account: string,
	signal: AbortSignal,
): Promise<{storage: Askable | undefined; operations: Askable | undefined; problems: Problem[]}> {
	const both = await Promise.all([
		askable(analytics, 'kvStorageAdaptiveGroups', account, signal),
		askable(analytics, 'kvOperationsAdaptiveGroups', account, signal),
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
		if (absent.length > 0) problems.push(lacking(absent));
		return absent.length > 0 ? undefined : found;
	});
	if (operations && kindDimension(operations).length === 0) problems.push(lacking(['actionType']));
	return {storage, operations, problems};
}

/** Turns problems of parts into problems of the whole when nothing was read, without duplicates. */
export function ofAll(problems: readonly Problem[]): readonly Problem[] {
	const whole = problems.map(problem =>
		problem.kind === 'unknown field' ? problem : {...problem, path: []},
	);
	return whole.filter(
		({kind, message, path}, at) =>
			path.length > 0 || whole.findIndex(other => other.kind === kind && other.message === message) === at,
	);
}

export const kindDimension = ({hasDimension}: Askable): readonly string[] =>
	hasDimension('actionType') ? ['actionType'] : [];

export const kindAt = (row: Data): string => dimensionAt(row, 'actionType') || anyKind;

export const sampling = ({hasField}: Askable): string => (hasField('avg') ? ' avg { sampleInterval }' : '');

/** Builds queries for keys and bytes by day and namespace, latest first. */
export const storageSelections = (
	{limits, page}: Askable,
	time: {readonly since: number; readonly until: number},
	namespace: string | undefined,
): readonly Selection[] =>
	daysOf(time, limits, time.until).map(({from, to}) => ({
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
export const operationTimes = (
	{hasDimension, limits}: Askable,
	time: {readonly since: number; readonly until: number},
	now: number,
): readonly OperationsTime[] =>
	hasDimension('datetime')
		? windowsOf(time, limits, now).windows.map(({since, until}) => ({
				since,
				filter: {datetime_geq: timestamp(since), datetime_leq: timestamp(until)},
			}))
		: daysOf(time, limits, now).map(({from, to}) => ({
				since: Date.parse(from),
				filter: {date_geq: from, date_leq: to},
			}));

type Sizes = {readonly keys: number | undefined; readonly bytes: number | undefined};

/** Collects each namespace's sizes on its last day. */
function latestSizes(rows: readonly Data[] = []): ReadonlyMap<string, Sizes> {
	const latest = new Map<string, Sizes & {readonly date: string}>();
	for (const row of rows) {
		const namespace = dimensionAt(row, 'namespaceId');
		const date = dimensionAt(row, 'date');
		const before = latest.get(namespace);
		if (before && before.date >= date) continue;
		latest.set(namespace, {...sizesAt(row), date});
	}
	return latest;
}

export const sizesAt = (row: Data): Sizes => ({
	keys: figureAt(row, 'max', 'keyCount'),
	bytes: figureAt(row, 'max', 'byteCount'),
});

type Totals = ReadonlyMap<
	string,
	{readonly operations: Record<string, number>; readonly isEstimate: boolean}
>;

function totals(rows: readonly Data[]): Totals {
	const found = new Map<string, {operations: Record<string, number>; isEstimate: boolean}>();
	for (const row of rows) {
		const namespace = dimensionAt(row, 'namespaceId');
		const of = found.get(namespace) ?? {operations: {}, isEstimate: false};
		const kind = kindAt(row);
		const before = Object.hasOwn(of.operations, kind) ? of.operations[kind] : undefined;
		of.operations[kind] = (before ?? 0) + (figureAt(row, 'sum', 'requests') ?? 0);
		of.isEstimate ||= isSampled(row);
		found.set(namespace, of);
	}
	return found;
}

export const isSampled = (row: Data): boolean => (figureAt(row, 'avg', 'sampleInterval') ?? 1) > 1;

/** A namespace without a row had no operations, unless rows were cut off. */
const summaryOf =
	(sizes: ReadonlyMap<string, Sizes>, counted: Totals | undefined, isCut = false): StoreSummaries['of'] =>
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
export function operationsOf(operations: Operations | undefined, kind: string): number | undefined {
	if (!operations) return undefined;
	return operations[kind] ?? (anyKind in operations ? undefined : 0);
}

const subjects: readonly (readonly [RegExp, string])[] = [
	[/^(storage|max)/, 'Keys and bytes of namespaces'],
	[/^(operations|sum|actionType)/, 'Operations of namespaces'],
	[/^(latency|quantiles)/, 'Latencies of namespaces'],
];

/** Returns what a problem is about: all store metrics, or the part in its path. */
export function storeSubject({path}: Problem): Subject {
	const found = subjects.find(([pattern]) => path.some(part => pattern.test(part)));
	return found ? {...storeMetrics, what: found[1]} : storeMetrics;
}
