import type {Client} from '../service/client.ts';
import {getAnalytics} from './analytics.ts';
import {createMissingFieldsProblem} from './event-groups.ts';
import type {Data, ReadResult} from './problem.ts';
import {
	buildSamplingField,
	buildStorageSelections,
	checkStoreDays,
	getOperationKind,
	getStoreSizes,
	isSampledRow,
	listKindDimensions,
	loadStoreDatasets,
	mergeProblems,
	operationKinds,
	splitOperationWindows,
} from './store-metrics.ts';
import {
	dayMs,
	getDimension,
	getFigure,
	type QueryableDataset,
	type QuerySelection,
	type SelectedRows,
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
	readonly firstStart: number;
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
	readonly latencyByKind: ReadonlyMap<string, Readonly<Partial<Record<Quantile, number>>>> | undefined;
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
	accountId: string,
	namespaceId: string | undefined,
	{days, storageDays = days}: Span,
	signal: AbortSignal,
): Promise<ReadResult<StoreSeries>> {
	checkStoreDays(days);
	checkStoreDays(storageDays);
	const analytics = getAnalytics(client);
	const until = analytics.now();
	const {storageDataset, operationsDataset, problems} = await loadStoreDatasets(analytics, accountId, signal);
	const selectionsByName = new Map<string, readonly QuerySelection[]>();
	const bucket = operationsDataset && chooseStoreBucket(operationsDataset, days);
	if (operationsDataset && !bucket) problems.push({...createMissingFieldsProblem(['date']), path: ['date']});
	const since = computeStart(until, bucket?.step ?? dayMs, days);
	const windows =
		operationsDataset && bucket ? splitOperationWindows(operationsDataset, {since, until}, until) : [];
	if (operationsDataset && bucket) {
		const selections = buildOperationSelections(operationsDataset, bucket.name, windows, namespaceId);
		for (const [name, queries] of selections) selectionsByName.set(name, queries);
		if (!operationsDataset.hasField('quantiles')) problems.push(createMissingFieldsProblem(['quantiles']));
	}
	const storageTime = {since: computeStart(until, dayMs, storageDays), until};
	if (storageDataset)
		selectionsByName.set('storage', buildStorageSelections(storageDataset, storageTime, namespaceId));
	const {rowsByName, problems: readProblems} = await selectRows(
		analytics,
		accountId,
		selectionsByName,
		signal,
	);
	problems.push(...readProblems);
	if (rowsByName.size === 0) return {value: undefined, problems: mergeProblems(problems)};
	const toTimedRows = (selectedRows: SelectedRows) => {
		const step = bucket?.step ?? dayMs;
		const firstMoment = windows[selectedRows.readSelectionCount - 1]?.since ?? since;
		return groupRowsByTime(selectedRows, {name: bucket?.name ?? 'date', step}, firstMoment, until);
	};
	const latencyRows = rowsByName.get('latencyByKind');
	const value = {
		until,
		operations: applyIfDefined(rowsByName.get('operations'), selectedRows =>
			buildOperations(toTimedRows(selectedRows)),
		),
		latency: applyIfDefined(rowsByName.get('latency'), selectedRows =>
			buildLatency(toTimedRows(selectedRows)),
		),
		latencyByKind:
			latencyRows &&
			new Map(latencyRows.rows.map(row => [getOperationKind(row), getQuantiles(row)] as const)),
		storage: applyIfDefined(rowsByName.get('storage'), selectedRows =>
			buildStorage(groupRowsByTime(selectedRows, {name: 'date', step: dayMs}, undefined, until)),
		),
	};
	return {value, problems};
}

const applyIfDefined = <From, To>(value: From | undefined, convert: (value: From) => To): To | undefined =>
	value === undefined ? undefined : convert(value);

/** Computes the start of the first of `days` days (or of their hours), including the current one. */
const computeStart = (until: number, step: number, days: number): number =>
	(Math.floor(until / step) + 1) * step - days * dayMs;

type Bucket = {readonly name: string; readonly step: number};

/**
 * Chooses hourly buckets for few days if a response can hold that many rows, else daily ones. Undefined if
 * the dataset has neither.
 */
function chooseStoreBucket({hasDimension, maxRows}: QueryableDataset, days: number): Bucket | undefined {
	const hourly = {name: 'datetimeHour', step: hourMs};
	const daily = {name: 'date', step: dayMs};
	const rows = days * 24 * operationKinds.length;
	if (days <= hourlyDays && rows < maxRows && hasDimension(hourly.name)) return hourly;
	return [daily, hourly].find(({name}) => hasDimension(name));
}

function buildOperationSelections(
	operations: QueryableDataset,
	bucket: string,
	windows: ReturnType<typeof splitOperationWindows>,
	namespaceId: string | undefined,
): readonly (readonly [string, readonly QuerySelection[]])[] {
	const {hasField, limits, maxRows} = operations;
	const buildSelections = (fields: string, by: readonly string[], orderBy: string) =>
		windows.map(({filter}) => ({
			dataset: 'kvOperationsAdaptiveGroups' as const,
			filter: {...filter, namespaceId},
			limit: maxRows,
			orderBy,
			fields: `${fields} dimensions { ${by.join(' ')} }`,
		}));
	const kindDimensions = listKindDimensions(operations);
	const timeOrder = `${bucket}_DESC`;
	const baseSelections = buildSelections(
		`sum { requests }${buildSamplingField(operations)}`,
		[bucket, ...kindDimensions],
		timeOrder,
	);
	if (!hasField('quantiles')) return [['operations', baseSelections]];
	const maxFields = Math.max(1, (limits?.maxNumberOfFields ?? Number.POSITIVE_INFINITY) - 1);
	const latencies = `quantiles { ${Object.values(quantiles).slice(0, maxFields).join(' ')} }`;
	const timeSelections = buildSelections(latencies, [bucket], timeOrder);
	const hasWholeQuantiles = windows.length === 1 && kindDimensions.length > 0;
	const kindSelections: readonly QuerySelection[] = hasWholeQuantiles
		? buildSelections(latencies, kindDimensions, 'actionType_ASC')
		: [];
	return [
		['operations', baseSelections],
		['latency', timeSelections],
		['latencyByKind', kindSelections],
	];
}

type TimedRows = TimeAxis & {
	readonly bucketCount: number;
	readonly rows: ReadonlyMap<number, readonly Data[]>;
};

/** Groups rows by bucket. If rows were cut off, omits the first bucket, which may be incomplete. */
function groupRowsByTime(
	{rows, isCut}: SelectedRows,
	{name, step}: Bucket,
	since: number | undefined,
	until: number,
): TimedRows {
	const rowsByTime = new Map<number, Data[]>();
	for (const row of rows) {
		const time = Date.parse(getDimension(row, name));
		if (Number.isNaN(time)) continue;
		const bucketRows = rowsByTime.get(time);
		if (bucketRows) bucketRows.push(row);
		else rowsByTime.set(time, [row]);
	}
	const firstBucket = Math.min(...rowsByTime.keys());
	if (isCut) rowsByTime.delete(firstBucket);
	const start = isCut ? firstBucket + step : (since ?? (rowsByTime.size > 0 ? firstBucket : until));
	const firstStart = Math.floor(start / step) * step;
	const bucketCount = Math.floor((until - firstStart) / step) + 1;
	const rowsByIndex = new Map(
		[...rowsByTime].map(([time, bucketRows]) => [Math.floor((time - firstStart) / step), bucketRows]),
	);
	return {firstStart, step, bucketCount, rows: rowsByIndex};
}

function buildOperations({firstStart, step, bucketCount, rows}: TimedRows): StoreSeries['operations'] {
	const kinds = new Map<string, number[]>();
	const getValues = (kind: string): number[] => {
		const values = kinds.get(kind) ?? new Array<number>(bucketCount).fill(0);
		kinds.set(kind, values);
		return values;
	};
	const allRows = [...rows.values()].flat();
	if (allRows.length === 0 || allRows.some(row => getDimension(row, 'actionType') !== ''))
		for (const kind of operationKinds) getValues(kind);
	for (const [index, bucketRows] of rows) {
		for (const row of bucketRows) {
			const values = getValues(getOperationKind(row));
			if (index >= 0 && index < bucketCount)
				values[index] = (values[index] ?? 0) + (getFigure(row, 'sum', 'requests') ?? 0);
		}
	}
	return {firstStart, step, kinds, isEstimate: allRows.some(isSampledRow)};
}

function buildLatency({firstStart, step, bucketCount, rows}: TimedRows): StoreSeries['latency'] {
	const names = Object.keys(quantiles) as Quantile[];
	const series = names.map(name => {
		const values = Array.from({length: bucketCount}, (_, index) => {
			const [row] = rows.get(index) ?? [];
			return row && getQuantiles(row)[name];
		});
		return [name, values] as const;
	});
	return {
		firstStart,
		step,
		quantiles: new Map(series.filter(([, values]) => values.some(value => value !== undefined))),
	};
}

function getQuantiles(row: Data): Readonly<Partial<Record<Quantile, number>>> {
	const rowQuantiles: Partial<Record<Quantile, number>> = {};
	for (const [name, field] of Object.entries(quantiles)) {
		const value = getFigure(row, 'quantiles', field);
		if (value !== undefined) rowQuantiles[name as Quantile] = value;
	}
	return rowQuantiles;
}

/**
 * Sums all namespaces per day. Omits the last day if it lacks a namespace of the day before: it is not fully
 * measured yet.
 */
function buildStorage({firstStart, step, bucketCount, rows}: TimedRows): StoreSeries['storage'] {
	const sumDay = (index: number, name: 'keys' | 'bytes') => {
		const sizes = (rows.get(index) ?? []).flatMap(row => getStoreSizes(row)[name] ?? []);
		return sizes.length > 0 ? sizes.reduce((sum, size) => sum + size, 0) : undefined;
	};
	const listNamespaces = (index: number) =>
		new Set((rows.get(index) ?? []).map(row => getDimension(row, 'namespaceId')));
	const lastIndex = Math.max(0, ...rows.keys());
	const isLastMeasured = listNamespaces(lastIndex - 1).isSubsetOf(listNamespaces(lastIndex));
	const isMeasured = (index: number) => index !== lastIndex || isLastMeasured;
	const buildValues = (name: 'keys' | 'bytes') =>
		Array.from({length: bucketCount}, (_, index) => (isMeasured(index) ? sumDay(index, name) : undefined));
	return {firstStart, step, keys: buildValues('keys'), bytes: buildValues('bytes')};
}
