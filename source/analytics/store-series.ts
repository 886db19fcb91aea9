import type {Client} from '../service/client.ts';
import {analyticsOf} from './analytics.ts';
import {lacking} from './event-groups.ts';
import type {Data, Read} from './problem.ts';
import {
	checkDays,
	isSampled,
	kindAt,
	kindDimension,
	ofAll,
	operationKinds,
	operationTimes,
	sampling,
	sizesAt,
	storageSelections,
	storeDatasets,
} from './store-metrics.ts';
import {
	type Askable,
	day,
	dimensionAt,
	figureAt,
	type Selected,
	type Selection,
	select,
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

type Timed = {
	/** Start of the first bucket, in milliseconds since the epoch. */
	readonly starts: number;
	/** Length of a bucket in milliseconds. */
	readonly step: number;
};

export type StoreSeries = {
	/** Milliseconds since the epoch. */
	readonly until: number;
	readonly operations:
		| (Timed & {
				/** The four kinds first. Buckets without a row have 0. */
				readonly kinds: ReadonlyMap<string, readonly number[]>;
				readonly isEstimate: boolean;
		  })
		| undefined;
	/** In milliseconds. */
	readonly latency: (Timed & {readonly quantiles: ReadonlyMap<Quantile, Values>}) | undefined;
	/**
	 * Quantiles per kind over the whole time; undefined if it was read in parts, as quantiles cannot be
	 * added.
	 */
	readonly latencyOfKinds: ReadonlyMap<string, Readonly<Partial<Record<Quantile, number>>>> | undefined;
	/** Daily maximum of keys and bytes; of all namespaces, the sum. */
	readonly storage: (Timed & {readonly keys: Values; readonly bytes: Values}) | undefined;
};

const hour = 3_600_000;
/** Up to this many days, operations are shown by the hour. */
const hourlyDays = 7;

type Span = {readonly days: number; readonly storageDays?: number};

/**
 * Reads operations and latencies over `days`, and keys and bytes over `storageDays`, of one namespace or of
 * all in an account. At most 31 days, less if the plan keeps less. Operations are hourly up to 7 days, else
 * daily.
 */
export async function storeSeries(
	client: Client,
	account: string,
	namespace: string | undefined,
	{days, storageDays = days}: Span,
	signal: AbortSignal,
): Promise<Read<StoreSeries>> {
	checkDays(days);
	checkDays(storageDays);
	const analytics = analyticsOf(client);
	const until = analytics.now();
	const {storage, operations, problems} = await storeDatasets(analytics, account, signal);
	const wanted = new Map<string, readonly Selection[]>();
	const bucket = operations && bucketOf(operations, days);
	if (operations && !bucket) problems.push({...lacking(['date']), path: ['date']});
	const since = startOf(until, bucket?.step ?? day, days);
	const times = operations && bucket ? operationTimes(operations, {since, until}, until) : [];
	if (operations && bucket) {
		const selections = operationSelections(operations, bucket.name, times, namespace);
		for (const [name, own] of selections) wanted.set(name, own);
		if (!operations.hasField('quantiles')) problems.push(lacking(['quantiles']));
	}
	const ofStorage = {since: startOf(until, day, storageDays), until};
	if (storage) wanted.set('storage', storageSelections(storage, ofStorage, namespace));
	const {found, problems: own} = await select(analytics, account, wanted, signal);
	problems.push(...own);
	if (found.size === 0) return {value: undefined, problems: ofAll(problems)};
	const timed = (selected: Selected) => {
		const step = bucket?.step ?? day;
		const first = times[selected.read - 1]?.since ?? since;
		return timedRows(selected, {name: bucket?.name ?? 'date', step}, first, until);
	};
	const kinds = found.get('latencyByKind');
	const value = {
		until,
		operations: mapped(found.get('operations'), selected => operationsIn(timed(selected))),
		latency: mapped(found.get('latency'), selected => latencyIn(timed(selected))),
		latencyOfKinds: kinds && new Map(kinds.rows.map(row => [kindAt(row), quantilesAt(row)] as const)),
		storage: mapped(found.get('storage'), selected =>
			storageIn(timedRows(selected, {name: 'date', step: day}, undefined, until)),
		),
	};
	return {value, problems};
}

const mapped = <From, To>(from: From | undefined, to: (from: From) => To): To | undefined =>
	from === undefined ? undefined : to(from);

/** Computes the start of the first of `days` days (or of their hours), including the current one. */
const startOf = (until: number, step: number, days: number): number =>
	(Math.floor(until / step) + 1) * step - days * day;

type Bucket = {readonly name: string; readonly step: number};

/** Chooses hourly buckets for few days if an answer can hold that many rows, else daily. */
function bucketOf({hasDimension, page}: Askable, days: number): Bucket | undefined {
	const hourly = {name: 'datetimeHour', step: hour};
	const daily = {name: 'date', step: day};
	const rows = days * 24 * operationKinds.length;
	if (days <= hourlyDays && rows < page && hasDimension(hourly.name)) return hourly;
	return [daily, hourly].find(({name}) => hasDimension(name));
}

function operationSelections(
	operations: Askable,
	bucket: string,
	times: ReturnType<typeof operationTimes>,
	namespace: string | undefined,
): readonly (readonly [string, readonly Selection[]])[] {
	const {hasField, limits, page} = operations;
	const selection = (fields: string, by: readonly string[], orderBy: string) =>
		times.map(({filter}) => ({
			dataset: 'kvOperationsAdaptiveGroups' as const,
			filter: {...filter, namespaceId: namespace},
			limit: page,
			orderBy,
			fields: `${fields} dimensions { ${by.join(' ')} }`,
		}));
	const kind = kindDimension(operations);
	const inOrder = `${bucket}_DESC`;
	const all = selection(`sum { requests }${sampling(operations)}`, [bucket, ...kind], inOrder);
	if (!hasField('quantiles')) return [['operations', all]];
	const most = Math.max(1, (limits?.maxNumberOfFields ?? Number.POSITIVE_INFINITY) - 1);
	const latencies = `quantiles { ${Object.values(quantiles).slice(0, most).join(' ')} }`;
	const byTime = selection(latencies, [bucket], inOrder);
	const isWhole = times.length === 1 && kind.length > 0;
	const byKind: readonly Selection[] = isWhole ? selection(latencies, kind, 'actionType_ASC') : [];
	return [
		['operations', all],
		['latency', byTime],
		['latencyByKind', byKind],
	];
}

type TimedRows = Timed & {readonly count: number; readonly rows: ReadonlyMap<number, readonly Data[]>};

/** Groups rows by bucket. If rows were cut off, omits the first bucket, which may be incomplete. */
function timedRows(
	{rows, isCut}: Selected,
	{name, step}: Bucket,
	since: number | undefined,
	until: number,
): TimedRows {
	const byTime = new Map<number, Data[]>();
	for (const row of rows) {
		const at = Date.parse(dimensionAt(row, name));
		if (Number.isNaN(at)) continue;
		const of = byTime.get(at);
		if (of) of.push(row);
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

function operationsIn({starts, step, count, rows}: TimedRows): StoreSeries['operations'] {
	const kinds = new Map<string, number[]>();
	const valuesOf = (kind: string): number[] => {
		const values = kinds.get(kind) ?? new Array<number>(count).fill(0);
		kinds.set(kind, values);
		return values;
	};
	const all = [...rows.values()].flat();
	if (all.length === 0 || all.some(row => dimensionAt(row, 'actionType') !== ''))
		for (const kind of operationKinds) valuesOf(kind);
	for (const [at, own] of rows) {
		for (const row of own) {
			const values = valuesOf(kindAt(row));
			if (at >= 0 && at < count) values[at] = (values[at] ?? 0) + (figureAt(row, 'sum', 'requests') ?? 0);
		}
	}
	return {starts, step, kinds, isEstimate: all.some(isSampled)};
}

function latencyIn({starts, step, count, rows}: TimedRows): StoreSeries['latency'] {
	const names = Object.keys(quantiles) as Quantile[];
	const found = names.map(name => {
		const values = Array.from({length: count}, (_, at) => {
			const [row] = rows.get(at) ?? [];
			return row && quantilesAt(row)[name];
		});
		return [name, values] as const;
	});
	return {
		starts,
		step,
		quantiles: new Map(found.filter(([, values]) => values.some(value => value !== undefined))),
	};
}

function quantilesAt(row: Data): Readonly<Partial<Record<Quantile, number>>> {
	const found: Partial<Record<Quantile, number>> = {};
	for (const [name, field] of Object.entries(quantiles)) {
		const value = figureAt(row, 'quantiles', field);
		if (value !== undefined) found[name as Quantile] = value;
	}
	return found;
}

/**
 * Sums all namespaces per day. Omits the last day if it lacks a namespace of the day before: it is not fully
 * measured yet.
 */
function storageIn({starts, step, count, rows}: TimedRows): StoreSeries['storage'] {
	const sum = (at: number, name: 'keys' | 'bytes') => {
		const found = (rows.get(at) ?? []).flatMap(row => sizesAt(row)[name] ?? []);
		return found.length > 0 ? found.reduce((all, one) => all + one, 0) : undefined;
	};
	const namespaces = (at: number) =>
		new Set((rows.get(at) ?? []).map(row => dimensionAt(row, 'namespaceId')));
	const last = Math.max(0, ...rows.keys());
	const isWhole = namespaces(last - 1).isSubsetOf(namespaces(last));
	const isMeasured = (at: number) => at !== last || isWhole;
	const values = (name: 'keys' | 'bytes') =>
		Array.from({length: count}, (_, at) => (isMeasured(at) ? sum(at, name) : undefined));
	return {starts, step, keys: values('keys'), bytes: values('bytes')};
}
