import {isJsonObject} from '../text/json.ts';
import {formatLiteral} from './literal.ts';
import type {AnalyticsProblem, Data, QueryRunner} from './problem.ts';

/** Datasets that ledge reads, and the field of `viewer` that contains each. */
const holderByDataset = {
	kvStorageAdaptiveGroups: 'accounts',
	kvOperationsAdaptiveGroups: 'accounts',
	firewallEventsAdaptive: 'zones',
	firewallEventsAdaptiveGroups: 'zones',
} as const;

export type Dataset = keyof typeof holderByDataset;

/** Fields and dimensions of a dataset, from the schema. */
export type DatasetFields = {
	/** Fields of a row that are not dimensions. */
	readonly fields: ReadonlySet<string>;
	/** Dimensions for grouping; empty if rows are not grouped. */
	readonly dimensions: ReadonlySet<string>;
};

/** Plan limits of a dataset; undefined means unknown. */
export type DatasetLimits = {
	readonly isEnabled: boolean | undefined;
	/** Oldest readable time, in milliseconds before now. */
	readonly retentionMs: number | undefined;
	/** Longest time span of one query, in milliseconds. */
	readonly maxDuration: number | undefined;
	readonly maxNumberOfFields: number | undefined;
	/** Maximum number of rows in one response. */
	readonly maxPageSize: number | undefined;
};

export type Datasets = {
	/**
	 * Reads a dataset's fields; undefined if the schema is unreadable, `'missing'` if the service lacks the
	 * dataset. Requests the schema only once.
	 */
	fields(dataset: Dataset, signal: AbortSignal): Promise<DatasetFields | 'missing' | undefined>;
	/** Reads the plan limits of an account or zone, once per id; undefined if unreadable. */
	limits(dataset: Dataset, id: string, signal: AbortSignal): Promise<DatasetLimits | undefined>;
};

type Schema = Readonly<Partial<Record<Dataset, DatasetFields>>>;

/**
 * Creates the cache of datasets. Permanent failures are cached, such as a missing permission; others are
 * tried again.
 */
export function createDatasets(runQuery: QueryRunner): Datasets {
	const schema = createReadCache<Schema>();
	const limits = createReadCache<DatasetLimits>();

	return {
		async fields(dataset, signal) {
			const entry = await schema('', () => readSchema(runQuery, signal));
			return entry && (entry[dataset] ?? 'missing');
		},
		limits: (dataset, id, signal) =>
			limits(`${dataset} ${id}`, () => readLimits(runQuery, dataset, id, signal)),
	};
}

/** A value to cache; undefined if it could not be read, for the reasons in `problems`. */
type CacheEntry<T> = {readonly value: T | undefined; readonly problems: readonly AnalyticsProblem[]};

/**
 * Creates a cache that reads each name once, even for concurrent callers. Caches missing values too, unless a
 * later read may succeed.
 */
function createReadCache<T>(): (name: string, read: () => Promise<CacheEntry<T>>) => Promise<T | undefined> {
	const cache = new Map<string, T | undefined>();
	const pending = new Map<string, Promise<T | undefined>>();

	async function readAndStore(name: string, read: () => Promise<CacheEntry<T>>): Promise<T | undefined> {
		const {value, problems} = await read();
		const isFinal = problems.every(({kind}) => kind !== 'no budget' && kind !== 'busy' && kind !== 'failed');
		if (value !== undefined || isFinal) cache.set(name, value);
		return value;
	}

	return async (name, read) => {
		for (;;) {
			if (cache.has(name)) return cache.get(name);
			const pendingRead = pending.get(name);
			if (!pendingRead) break;
			// Another caller's interruption must not affect this one.
			const result = await pendingRead.then(
				value => ({value}),
				() => undefined,
			);
			if (result) return result.value;
		}
		const ownRead = readAndStore(name, read).finally(() => pending.delete(name));
		pending.set(name, ownRead);
		return ownRead;
	};
}

/** Query fields for the name of a type inside up to three list or non-null wrappers. */
const typeNameFields = 'name ofType { name ofType { name ofType { name } } }';

/** Reads the schema in four queries: `viewer`, its accounts and zones, each dataset, and its dimensions. */
async function readSchema(runQuery: QueryRunner, signal: AbortSignal): Promise<CacheEntry<Schema>> {
	const root = await runQuery(
		`query { __schema { queryType { fields { name type { ${typeNameFields} } } } } }`,
		signal,
	);
	const queryType = getDataRecord(getDataRecord(root.value, '__schema'), 'queryType');
	const viewerTypeName = getFieldTypes(queryType).get('viewer');
	if (viewerTypeName === undefined) return {value: undefined, problems: root.problems};
	const [viewerEntry] = await readTypes(runQuery, [viewerTypeName], signal);
	if (viewerEntry?.value === undefined) return {value: undefined, problems: viewerEntry?.problems ?? []};
	const holders = [...new Set(Object.values(holderByDataset))];
	const holderTypes = await readTypes(
		runQuery,
		holders.map(holder => getFieldTypes(viewerEntry.value).get(holder)),
		signal,
	);
	const datasetTypes = Object.entries(holderByDataset).map(([dataset, holder]) => {
		const holderType = holderTypes[holders.indexOf(holder)]?.value;
		return [dataset as Dataset, getFieldTypes(holderType).get(dataset)] as const;
	});
	const problems = holderTypes.flatMap(one => one.problems);
	if (holderTypes.some(({value}) => value === undefined) && problems.length > 0)
		return {value: undefined, problems};
	const rowTypes = await readTypes(
		runQuery,
		datasetTypes.map(([, type]) => type),
		signal,
	);
	const dimensionTypes = await readTypes(
		runQuery,
		rowTypes.map(({value}) => getFieldTypes(value).get('dimensions')),
		signal,
	);
	const typeProblems = [...rowTypes, ...dimensionTypes].flatMap(one => one.problems);
	if (typeProblems.length > 0) return {value: undefined, problems: typeProblems};
	const schema: Partial<Record<Dataset, DatasetFields>> = {};
	for (const [index, [dataset, type]] of datasetTypes.entries()) {
		if (type === undefined) continue;
		schema[dataset] = {
			fields: new Set(getFieldTypes(rowTypes[index]?.value).keys()),
			dimensions: new Set(getFieldTypes(dimensionTypes[index]?.value).keys()),
		};
	}
	return {value: schema, problems: []};
}

/**
 * Reads the types with these names in one query. An entry has no value if its name is undefined or the
 * service has no such type.
 */
async function readTypes(
	runQuery: QueryRunner,
	names: readonly (string | undefined)[],
	signal: AbortSignal,
): Promise<readonly CacheEntry<Data>[]> {
	const distinctNames = [...new Set(names.filter(name => name !== undefined))];
	if (distinctNames.length === 0) return names.map(() => ({value: undefined, problems: []}));
	const parts = distinctNames.map(
		(name, index) =>
			`t${index}: __type(name: ${formatLiteral(name)}) { fields { name type { ${typeNameFields} } } }`,
	);
	const {value, problems} = await runQuery(`query { ${parts.join(' ')} }`, signal);
	return names.map(name => ({
		value: name === undefined ? undefined : getDataRecord(value, `t${distinctNames.indexOf(name)}`),
		problems,
	}));
}

/** Returns the type name of each field. */
function getFieldTypes(type: Data | undefined): ReadonlyMap<string, string | undefined> {
	const fields = Array.isArray(type?.fields) ? type.fields.filter(isJsonObject) : [];
	return new Map(
		fields
			.filter(({name}) => typeof name === 'string')
			.map(field => [String(field.name), getTypeName(field.type)]),
	);
}

function getTypeName(type: unknown): string | undefined {
	for (let current = type; isJsonObject(current); current = current.ofType)
		if (typeof current.name === 'string') return current.name;
	return undefined;
}

async function readLimits(
	runQuery: QueryRunner,
	dataset: Dataset,
	id: string,
	signal: AbortSignal,
): Promise<CacheEntry<DatasetLimits>> {
	const {value, problems} = await runQuery(buildLimitsQuery(dataset, id), signal);
	const settings = getPlanSettings(value, dataset);
	if (!settings) return {value: undefined, problems};
	return {
		value: {
			isEnabled: typeof settings.enabled === 'boolean' ? settings.enabled : undefined,
			retentionMs: scaleValue(toPositiveNumber(settings.notOlderThan), 1000),
			maxDuration: scaleValue(toPositiveNumber(settings.maxDuration), 1000),
			maxNumberOfFields: toPositiveNumber(settings.maxNumberOfFields),
			maxPageSize: toPositiveNumber(settings.maxPageSize),
		},
		problems,
	};
}

/** Builds the query for a dataset's plan limits of an account or zone: the cheapest query that needs access. */
export function buildLimitsQuery(dataset: Dataset, id: string): string {
	const holder = holderByDataset[dataset];
	const filter = holder === 'zones' ? 'zoneTag' : 'accountTag';
	return `query { viewer { ${holder}(filter: ${formatLiteral({[filter]: id})}) { settings { ${dataset} { enabled maxDuration maxNumberOfFields maxPageSize notOlderThan } } } } }`;
}

/** Returns the plan limits in the response to `buildLimitsQuery`, unchecked. */
export const getPlanSettings = (data: Data | undefined, dataset: Dataset): Data | undefined =>
	getDataRecord(getDataRecord(getFirstHolder(data, holderByDataset[dataset]), 'settings'), dataset);

const toPositiveNumber = (value: unknown): number | undefined =>
	typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined;

const scaleValue = (value: number | undefined, factor: number): number | undefined =>
	value === undefined ? undefined : value * factor;

/** Returns a part of a response if it is an object. */
export function getDataRecord(data: Data | undefined, name: string): Data | undefined {
	const part = data?.[name];
	return isJsonObject(part) ? part : undefined;
}

/** Returns the single account or zone of a response. */
export function getFirstHolder(data: Data | undefined, holder: 'accounts' | 'zones'): Data | undefined {
	const items = getDataRecord(data, 'viewer')?.[holder];
	return Array.isArray(items) ? items.find(isJsonObject) : undefined;
}

/** Returns the rows of a dataset; undefined if the response lacks it. */
export function getDatasetRows(data: Data | undefined, name: string): readonly Data[] | undefined {
	const rows = data?.[name];
	return Array.isArray(rows) ? rows.filter(isJsonObject) : undefined;
}
