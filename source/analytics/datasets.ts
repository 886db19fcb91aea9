import {isRecord} from '../service/envelope.ts';
import {literal} from './literal.ts';
import type {Ask, Data, Problem} from './problem.ts';

/** Datasets that ledge reads, with their owner type. */
const datasets = {
	kvStorageAdaptiveGroups: 'accounts',
	kvOperationsAdaptiveGroups: 'accounts',
	firewallEventsAdaptive: 'zones',
	firewallEventsAdaptiveGroups: 'zones',
} as const;

export type Dataset = keyof typeof datasets;

/** Fields and dimensions of a dataset, from the schema. */
export type DatasetFields = {
	/** Fields of a row, without dimensions. */
	readonly fields: ReadonlySet<string>;
	/** Dimensions for grouping; empty if rows are not grouped. */
	readonly dimensions: ReadonlySet<string>;
};

/** Plan limits of a dataset; undefined means unknown. */
export type DatasetLimits = {
	readonly isEnabled: boolean | undefined;
	/** Oldest readable time, in milliseconds before now. */
	readonly notOlderThan: number | undefined;
	/** Longest time span of one query, in milliseconds. */
	readonly maxDuration: number | undefined;
	readonly maxNumberOfFields: number | undefined;
	/** Rows of one answer. */
	readonly maxPageSize: number | undefined;
};

export type Datasets = {
	/**
	 * Reads a dataset's fields; undefined if the schema is unreadable, `'missing'` if it lacks the dataset.
	 * Asks for the schema once.
	 */
	fields(dataset: Dataset, signal: AbortSignal): Promise<DatasetFields | 'missing' | undefined>;
	/** Reads the plan limits of an account or zone, once per id; undefined if unreadable. */
	limits(dataset: Dataset, id: string, signal: AbortSignal): Promise<DatasetLimits | undefined>;
};

type Schema = Readonly<Partial<Record<Dataset, DatasetFields>>>;

/** Creates the cache of datasets. Failures are not cached, except an answer that forbids the query. */
export function createDatasets(ask: Ask): Datasets {
	const schema = kept<Schema>();
	const limits = kept<DatasetLimits>();

	return {
		async fields(dataset, signal) {
			const found = await schema('', () => readSchema(ask, signal));
			return found && (found[dataset] ?? 'missing');
		},
		limits: (dataset, id, signal) => limits(`${dataset} ${id}`, () => readLimits(ask, dataset, id, signal)),
	};
}

/** A cacheable answer, or the problems instead. */
type Kept<T> = {readonly value: T | undefined; readonly problems: readonly Problem[]};

/**
 * Creates a cache that reads each name once, even for concurrent callers. Permanent refusals are cached too.
 */
function kept<T>(): (name: string, read: () => Promise<Kept<T>>) => Promise<T | undefined> {
	const known = new Map<string, T | undefined>();
	const underWay = new Map<string, Promise<T | undefined>>();

	async function asked(name: string, read: () => Promise<Kept<T>>): Promise<T | undefined> {
		const {value, problems} = await read();
		const isFinal = problems.every(({kind}) => kind !== 'no budget' && kind !== 'busy' && kind !== 'failed');
		if (value !== undefined || isFinal) known.set(name, value);
		return value;
	}

	return async (name, read) => {
		for (;;) {
			if (known.has(name)) return known.get(name);
			const other = underWay.get(name);
			if (!other) break;
			// Another caller's interruption must not affect this one.
			const found = await other.then(
				value => ({value}),
				() => undefined,
			);
			if (found) return found.value;
		}
		const own = asked(name, read).finally(() => underWay.delete(name));
		underWay.set(name, own);
		return own;
	};
}

/** Query for a type's name inside up to three list or non-null wrappers. */
const named = 'name ofType { name ofType { name ofType { name } } }';

/** Reads the schema in four queries: `viewer`, its accounts and zones, each dataset, and its dimensions. */
async function readSchema(ask: Ask, signal: AbortSignal): Promise<Kept<Schema>> {
	const root = await ask(`query { __schema { queryType { fields { name type { ${named} } } } } }`, signal);
	const queryType = recordAt(recordAt(root.value, '__schema'), 'queryType');
	const viewer = typeNames(queryType).get('viewer');
	if (viewer === undefined) return {value: undefined, problems: root.problems};
	const [owners] = await typesOf(ask, [viewer], signal);
	if (owners?.value === undefined) return {value: undefined, problems: owners?.problems ?? []};
	const holders = [...new Set(Object.values(datasets))];
	const ofHolders = await typesOf(
		ask,
		holders.map(holder => typeNames(owners.value).get(holder)),
		signal,
	);
	const types = Object.entries(datasets).map(([dataset, holder]) => {
		const found = ofHolders[holders.indexOf(holder)]?.value;
		return [dataset as Dataset, typeNames(found).get(dataset)] as const;
	});
	const problems = ofHolders.flatMap(one => one.problems);
	if (ofHolders.some(({value}) => value === undefined) && problems.length > 0)
		return {value: undefined, problems};
	const rows = await typesOf(
		ask,
		types.map(([, type]) => type),
		signal,
	);
	const dimensions = await typesOf(
		ask,
		rows.map(({value}) => typeNames(value).get('dimensions')),
		signal,
	);
	const failed = [...rows, ...dimensions].flatMap(one => one.problems);
	if (failed.length > 0) return {value: undefined, problems: failed};
	const schema: Partial<Record<Dataset, DatasetFields>> = {};
	for (const [index, [dataset, type]] of types.entries()) {
		if (type === undefined) continue;
		schema[dataset] = {
			fields: new Set(typeNames(rows[index]?.value).keys()),
			dimensions: new Set(typeNames(dimensions[index]?.value).keys()),
		};
	}
	return {value: schema, problems: []};
}

/** Reads these types in one query; no value for a missing name or type. */
async function typesOf(
	ask: Ask,
	names: readonly (string | undefined)[],
	signal: AbortSignal,
): Promise<readonly Kept<Data>[]> {
	const wanted = [...new Set(names.filter(name => name !== undefined))];
	if (wanted.length === 0) return names.map(() => ({value: undefined, problems: []}));
	const parts = wanted.map(
		(name, index) => `t${index}: __type(name: ${literal(name)}) { fields { name type { ${named} } } }`,
	);
	const {value, problems} = await ask(`query { ${parts.join(' ')} }`, signal);
	return names.map(name => ({
		value: name === undefined ? undefined : recordAt(value, `t${wanted.indexOf(name)}`),
		problems,
	}));
}

/** Returns the type name of each field. */
function typeNames(type: Data | undefined): ReadonlyMap<string, string | undefined> {
	const fields = Array.isArray(type?.fields) ? type.fields.filter(isRecord) : [];
	return new Map(
		fields
			.filter(({name}) => typeof name === 'string')
			.map(field => [String(field.name), nameIn(field.type)]),
	);
}

function nameIn(type: unknown): string | undefined {
	for (let inner = type; isRecord(inner); inner = inner.ofType)
		if (typeof inner.name === 'string') return inner.name;
	return undefined;
}

async function readLimits(
	ask: Ask,
	dataset: Dataset,
	id: string,
	signal: AbortSignal,
): Promise<Kept<DatasetLimits>> {
	const holder = datasets[dataset];
	const filter = holder === 'zones' ? 'zoneTag' : 'accountTag';
	const {value, problems} = await ask(
		`query { viewer { ${holder}(filter: ${literal({[filter]: id})}) { settings { ${dataset} { enabled maxDuration maxNumberOfFields maxPageSize notOlderThan } } } } }`,
		signal,
	);
	const settings = recordAt(recordAt(firstOf(value, holder), 'settings'), dataset);
	if (!settings) return {value: undefined, problems};
	return {
		value: {
			isEnabled: typeof settings.enabled === 'boolean' ? settings.enabled : undefined,
			notOlderThan: times(figure(settings.notOlderThan), 1000),
			maxDuration: times(figure(settings.maxDuration), 1000),
			maxNumberOfFields: figure(settings.maxNumberOfFields),
			maxPageSize: figure(settings.maxPageSize),
		},
		problems,
	};
}

const figure = (value: unknown): number | undefined =>
	typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined;

const times = (value: number | undefined, factor: number): number | undefined =>
	value === undefined ? undefined : value * factor;

/** Returns a part of an answer if it is an object. */
export function recordAt(data: Data | undefined, name: string): Data | undefined {
	const part = data?.[name];
	return isRecord(part) ? part : undefined;
}

/** Returns the single account or zone of an answer. */
export function firstOf(data: Data | undefined, holder: 'accounts' | 'zones'): Data | undefined {
	const found = recordAt(data, 'viewer')?.[holder];
	return Array.isArray(found) ? found.find(isRecord) : undefined;
}

/** Returns the rows of a dataset; undefined if the answer lacks it. */
export function rowsAt(data: Data | undefined, name: string): readonly Data[] | undefined {
	const rows = data?.[name];
	return Array.isArray(rows) ? rows.filter(isRecord) : undefined;
}
