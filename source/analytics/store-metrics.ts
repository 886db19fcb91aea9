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

/** Operations on keys by their kind: read, write, delete, list, and what else the service counts. */
type Operations = Readonly<Record<string, number>>;

/** Where the service does not tell kinds apart, all of them are of this one. */
const anyKind = 'all';

/** The kinds of operations, in their order; others follow. */
export const operationKinds = ['read', 'write', 'delete', 'list'] as const;

/** A namespace in numbers. What is `undefined` is not known. */
export type StoreSummary = {
	/** Keys at their highest number of the last day that was measured. */
	readonly keys: number | undefined;
	readonly bytes: number | undefined;
	readonly operations: Operations | undefined;
	/** Whether the operations are an estimate. */
	readonly isEstimate: boolean;
};

export type StoreSummaries = {
	/** Milliseconds since the epoch: the first moment whose operations count. */
	readonly since: number;
	readonly until: number;
	/** Also of a namespace that no number is of. */
	of(namespace: string): StoreSummary;
};

/** Fails with `limit` for days that the service does not keep. */
export function checkDays(days: number): number {
	if (days >= 1 && days <= keptDays && Number.isInteger(days)) return days;
	throw new Failure('limit', `Store metrics are kept for ${keptDays} days; ${days} were asked for.`, {
		next: `Ask for 1 to ${keptDays} days.`,
	});
}

/**
 * Keys, bytes and operations of all namespaces of an account, in one query where the plan allows the time at once. Keys and
 * bytes are of the last two days, operations of so many days up to now.
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

/** The two datasets of stores as far as they can be asked and have namespaces, and why one cannot. */
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

/** Problems of the parts as those of the whole, where nothing was read: each once. */
export function ofAll(problems: readonly Problem[]): readonly Problem[] {
	const whole = problems.map(problem =>
		problem.kind === 'unknown field' ? problem : {...problem, path: []},
	);
	return whole.filter(
		({kind, message, path}, at) =>
			path.length > 0 || whole.findIndex(other => other.kind === kind && other.message === message) === at,
	);
}

/** The dimension of the kind of an operation, where there is one. */
export const kindDimension = ({hasDimension}: Askable): readonly string[] =>
	hasDimension('actionType') ? ['actionType'] : [];

export const kindAt = (row: Data): string => dimensionAt(row, 'actionType') || anyKind;

export const sampling = ({hasField}: Askable): string => (hasField('avg') ? ' avg { sampleInterval }' : '');

/** Keys and bytes by day and namespace, the latest first. */
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

/** A part of a time, and the filter for its operations. */
type OperationsTime = {readonly since: number; readonly filter: Readonly<Record<string, string>>};

/** The parts of a time, the latest first: to the second where the service has moments of operations, else whole days. */
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

/** Of each namespace those of its last day. */
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

/** Whether a row is an estimate. */
export const isSampled = (row: Data): boolean => (figureAt(row, 'avg', 'sampleInterval') ?? 1) > 1;

/** A namespace without a row had no operation, unless rows were cut off. */
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

/** How many operations of a kind there were; `undefined` where that is not known. */
export function operationsOf(operations: Operations | undefined, kind: string): number | undefined {
	if (!operations) return undefined;
	return operations[kind] ?? (anyKind in operations ? undefined : 0);
}

const subjects: readonly (readonly [RegExp, string])[] = [
	[/^(storage|max)/, 'Keys and bytes of namespaces'],
	[/^(operations|sum|actionType)/, 'Operations of namespaces'],
	[/^(latency|quantiles)/, 'Latencies of namespaces'],
];

/** What of the store metrics a problem is about: all of them, or the part in its path. */
export function storeSubject({path}: Problem): Subject {
	const found = subjects.find(([pattern]) => path.some(part => pattern.test(part)));
	return found ? {...storeMetrics, what: found[1]} : storeMetrics;
}
