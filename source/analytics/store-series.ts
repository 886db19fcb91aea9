import type {Client} from '../service/client.ts';
import {getAnalytics} from './analytics.ts';
import {createLackingProblem} from './event-groups.ts';
import type {Data, Read} from './problem.ts';
import {
	buildSamplingField,
	buildStorageSelections,
	checkStoreDays,
	getKindDimension,
	getOperationKind,
	getStoreSizes,
	isSampledRow,
	loadStoreDatasets,
	mergeProblems,
	operationKinds,
	splitOperationTimes,
} from './store-metrics.ts';
import {
	dayMs,
	getDimension,
	getFigure,
	type QueryableDataset,
	type SelectedRows,
	type Selection,
	selectRows,
} from './store-query.ts';

/** Latency quantiles of the service, by common name. */
const quantiles = {
	p25: 'latencyMsP25',
	p50: 'latencyMsP50',
	p75: 'latencyMsP75',
	p90: 'latencyMsP90',
	p99: 'latencyMsP99',
	'p99.9': 'latencyMsP999',
} as const;

export type Quantile = keyof typeof quantiles;

/** One value per time bucket; undefined if missing. */
type Values = readonly (number | undefined)[];

type TimeAxis = {
	/** Start of the first bucket, in milliseconds since the epoch. */
	readonly starts: number;
	/** Length of a bucket in milliseconds. */
	readonly step: number;
};

export type StoreSeries = {
	/** Milliseconds since the epoch. */
	readonly until: number;
	readonly operations:
		| (TimeAxis & {
				/** The four kinds first. Buckets without a row have 0. */
				readonly kinds: ReadonlyMap<string, readonly number[]>;
				readonly isEstimate: boolean;
		  })
		| undefined;
	/** In milliseconds. */
	readonly latency: (TimeAxis & {readonly quantiles: ReadonlyMap<Quantile, Values>}) | undefined;
	/**
	 * Quantiles per kind over the whole time; undefined if it was read in parts, as quantiles cannot be
	 * added.
	 */
	readonly latencyOfKinds: ReadonlyMap<string, Readonly<Partial<Record<Quantile, number>>>> | undefined;
	/** Daily maximum of keys and bytes; of all namespaces, the sum. */
	readonly storage: (TimeAxis & {readonly keys: Values; readonly bytes: Values}) | undefined;
};

const hourMs = 3_600_000;
/** Up to this many days, operations are shown by the hour. */
const hourlyDays = 7;

type Span = {readonly days: number; readonly storageDays?: number};

/**
 * Reads operations and latencies over `days`, and keys and bytes over `storageDays`, of one namespace or of
 * all in an account. At most 31 days, less if the plan keeps less. Operations are hourly up to 7 days, else
 * daily.
 */
export async function readStoreSeries(
	client: Client,
	account: string,
	namespace: string | undefined,
	{days, storageDays = days}: Span,
	signal: AbortSignal,
): Promise<Read<StoreSeries>> {
	checkStoreDays(days);
	checkStoreDays(storageDays);
	const analytics = getAnalytics(client);
	const until = analytics.now();
	const {storage, operations, problems} = await loadStoreDatasets(analytics, account, signal);
	const wanted = new Map<string, readonly Selection[]>();
	const bucket = operations && chooseStoreBucket(operations, days);
	if (operations && !bucket) problems.push({...createLackingProblem(['date']), path: ['date']});
	const since = computeStart(until, bucket?.step ?? dayMs, days);
	const times = operations && bucket ? splitOperationTimes(operations, {since, until}, until) : [];
	if (operations && bucket) {
		const selections = buildOperationSelections(operations, bucket.name, times, namespace);
		for (const [name, own] of selections) wanted.set(name, own);
		if (!operations.hasField('quantiles')) problems.push(createLackingProblem(['quantiles']));
	}
	const storageTime = {since: computeStart(until, dayMs, storageDays), until};
	if (storage) wanted.set('storage', buildStorageSelections(storage, storageTime, namespace));
	const {found, problems: own} = await selectRows(analytics, account, wanted, signal);
	problems.push(...own);
	if (found.size === 0) return {value: undefined, problems: mergeProblems(problems)};
	const toTimedRows = (selected: SelectedRows) => {
		const step = bucket?.step ?? dayMs;
		const first = times[selected.read - 1]?.since ?? since;
		return groupRowsByTime(selected, {name: bucket?.name ?? 'date', step}, first, until);
	};
	const kinds = found.get('latencyByKind');
	const value = {
		until,
		operations: applyIfDefined(found.get('operations'), selected => buildOperations(toTimedRows(selected))),
		latency: applyIfDefined(found.get('latency'), selected => buildLatency(toTimedRows(selected))),
		latencyOfKinds:
			kinds && new Map(kinds.rows.map(row => [getOperationKind(row), getQuantiles(row)] as const)),
		storage: applyIfDefined(found.get('storage'), selected =>
			buildStorage(groupRowsByTime(selected, {name: 'date', step: dayMs}, undefined, until)),
		),
	};
	return {value, problems};
}

const applyIfDefined = <From, To>(from: From | undefined, to: (from: From) => To): To | undefined =>
	from === undefined ? undefined : to(from);

/** Computes the start of the first of `days` days (or of their hours), including the current one. */
const computeStart = (until: number, step: number, days: number): number =>
	(Math.floor(until / step) + 1) * step - days * dayMs;

type Bucket = {readonly name: string; readonly step: number};

/** Chooses hourly buckets for few days if an answer can hold that many rows, else daily. */
function chooseStoreBucket({hasDimension, page}: QueryableDataset, days: number): Bucket | undefined {
	const hourly = {name: 'datetimeHour', step: hourMs};
	const daily = {name: 'date', step: dayMs};
	const rows = days * 24 * operationKinds.length;
	if (days <= hourlyDays && rows < page && hasDimension(hourly.name)) return hourly;
	return [daily, hourly].find(({name}) => hasDimension(name));
}

function buildOperationSelections(
	operations: QueryableDataset,
	bucket: string,
	times: ReturnType<typeof splitOperationTimes>,
	namespace: string | undefined,
): readonly (readonly [string, readonly Selection[]])[] {
	const {hasField, limits, page} = operations;
	const buildSelections = (fields: string, by: readonly string[], orderBy: string) =>
		times.map(({filter}) => ({
			dataset: 'kvOperationsAdaptiveGroups' as const,
			filter: {...filter, namespaceId: namespace},
			limit: page,
			orderBy,
			fields: `${fields} dimensions { ${by.join(' ')} }`,
		}));
	const kind = getKindDimension(operations);
	const timeOrder = `${bucket}_DESC`;
	const all = buildSelections(
		`sum { requests }${buildSamplingField(operations)}`,
		[bucket, ...kind],
		timeOrder,
	);
	if (!hasField('quantiles')) return [['operations', all]];
	const most = Math.max(1, (limits?.maxNumberOfFields ?? Number.POSITIVE_INFINITY) - 1);
	const latencies = `quantiles { ${Object.values(quantiles).slice(0, most).join(' ')} }`;
	const byTime = buildSelections(latencies, [bucket], timeOrder);
	const isWhole = times.length === 1 && kind.length > 0;
	const byKind: readonly Selection[] = isWhole ? buildSelections(latencies, kind, 'actionType_ASC') : [];
	return [
		['operations', all],
		['latency', byTime],
		['latencyByKind', byKind],
	];
}

type TimedRows = TimeAxis & {readonly count: number; readonly rows: ReadonlyMap<number, readonly Data[]>};

/** Groups rows by bucket. If rows were cut off, omits the first bucket, which may be incomplete. */
function groupRowsByTime(
	{rows, isCut}: SelectedRows,
	{name, step}: Bucket,
	since: number | undefined,
	until: number,
): TimedRows {
	const byTime = new Map<number, Data[]>();
	for (const row of rows) {
		const at = Date.parse(getDimension(row, name));
		if (Number.isNaN(at)) continue;
		const bucketRows = byTime.get(at);
		if (bucketRows) bucketRows.push(row);
		else byTime.set(at, [row]);
	}
	const first = Math.min(...byTime.keys());
	if (isCut) byTime.delete(first);
	const from = isCut ? first + step : (since ?? (byTime.size > 0 ? first : until));
	const starts = Math.floor(from / step) * step;
	const count = Math.floor((until - starts) / step) + 1;
	const placed = new Map([...byTime].map(([at, of]) => [Math.floor((at - starts) / step), of]));
	return {starts, step, count, rows: placed};
}

function buildOperations({starts, step, count, rows}: TimedRows): StoreSeries['operations'] {
	const kinds = new Map<string, number[]>();
	const getValues = (kind: string): number[] => {
		const values = kinds.get(kind) ?? new Array<number>(count).fill(0);
		kinds.set(kind, values);
		return values;
	};
	const all = [...rows.values()].flat();
	if (all.length === 0 || all.some(row => getDimension(row, 'actionType') !== ''))
		for (const kind of operationKinds) getValues(kind);
	for (const [at, own] of rows) {
		for (const row of own) {
			const values = getValues(getOperationKind(row));
			if (at >= 0 && at < count) values[at] = (values[at] ?? 0) + (getFigure(row, 'sum', 'requests') ?? 0);
		}
	}
	return {starts, step, kinds, isEstimate: all.some(isSampledRow)};
}

function buildLatency({starts, step, count, rows}: TimedRows): StoreSeries['latency'] {
	const names = Object.keys(quantiles) as Quantile[];
	const found = names.map(name => {
		const values = Array.from({length: count}, (_, at) => {
			const [row] = rows.get(at) ?? [];
			return row && getQuantiles(row)[name];
		});
		return [name, values] as const;
	});
	return {
		starts,
		step,
		quantiles: new Map(found.filter(([, values]) => values.some(value => value !== undefined))),
	};
}

function getQuantiles(row: Data): Readonly<Partial<Record<Quantile, number>>> {
	const found: Partial<Record<Quantile, number>> = {};
	for (const [name, field] of Object.entries(quantiles)) {
		const value = getFigure(row, 'quantiles', field);
		if (value !== undefined) found[name as Quantile] = value;
	}
	return found;
}

/**
 * Sums all namespaces per day. Omits the last day if it lacks a namespace of the day before: it is not fully
 * measured yet.
 */
function buildStorage({starts, step, count, rows}: TimedRows): StoreSeries['storage'] {
	const sumDay = (at: number, name: 'keys' | 'bytes') => {
		const found = (rows.get(at) ?? []).flatMap(row => getStoreSizes(row)[name] ?? []);
		return found.length > 0 ? found.reduce((all, one) => all + one, 0) : undefined;
	};
	const listNamespaces = (at: number) =>
		new Set((rows.get(at) ?? []).map(row => getDimension(row, 'namespaceId')));
	const last = Math.max(0, ...rows.keys());
	const isWhole = listNamespaces(last - 1).isSubsetOf(listNamespaces(last));
	const isMeasured = (at: number) => at !== last || isWhole;
	const buildValues = (name: 'keys' | 'bytes') =>
		Array.from({length: count}, (_, at) => (isMeasured(at) ? sumDay(at, name) : undefined));
	return {starts, step, keys: buildValues('keys'), bytes: buildValues('bytes')};
}
