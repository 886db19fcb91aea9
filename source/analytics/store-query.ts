import type {Analytics} from './analytics.ts';
import {type Dataset, type DatasetFields, type DatasetLimits, firstOf, recordAt, rowsAt} from './datasets.ts';
import {notHere, notInPlan} from './event-groups.ts';
import {type Argument, literal} from './literal.ts';
import type {Data, Problem, Read} from './problem.ts';

/** Retention of store metrics at the service, in days. */
export const keptDays = 31;

export const day = 86_400_000;

/** Rows to request, if the plan allows. */
const page = 10_000;

/** A dataset that can be queried. */
export type Askable = {
	readonly limits: DatasetLimits | undefined;
	/** Rows of one answer at most. */
	readonly page: number;
	/** True if rows have this field; if the schema is unreadable, if it is documented. */
	hasField(name: string): boolean;
	/** Like `hasField`, for dimensions. */
	hasDimension(name: string): boolean;
};

const documented = {
	kvStorageAdaptiveGroups: {fields: ['max'], dimensions: ['date', 'namespaceId']},
	kvOperationsAdaptiveGroups: {
		fields: ['sum', 'quantiles'],
		dimensions: ['date', 'datetime', 'actionType', 'namespaceId'],
	},
} as const;

type StoreDataset = keyof typeof documented;

/** Loads what an account may query of a dataset, or the problem. */
export async function askable(
	{datasets}: Analytics,
	dataset: StoreDataset,
	account: string,
	signal: AbortSignal,
): Promise<Askable | Problem> {
	const fields = await datasets.fields(dataset, signal);
	if (fields === 'missing') return {...notHere, path: partsOf[dataset]};
	const limits = await datasets.limits(dataset, account, signal);
	if (limits?.isEnabled === false) return {...notInPlan, path: partsOf[dataset]};
	const has = (kind: keyof DatasetFields, name: string): boolean => {
		const names: readonly string[] = documented[dataset][kind];
		return fields ? fields[kind].has(name) : names.includes(name);
	};
	return {
		limits,
		page: Math.min(page, limits?.maxPageSize ?? page),
		hasField: name => has('fields', name),
		hasDimension: name => has('dimensions', name),
	};
}

export const isProblem = (found: Askable | Problem): found is Problem => 'kind' in found;

/** Parts of an answer per dataset, as in problem paths. */
const partsOf: Readonly<Record<StoreDataset, readonly string[]>> = {
	kvStorageAdaptiveGroups: ['storage'],
	kvOperationsAdaptiveGroups: ['operations', 'latency'],
};

/** Selects rows of one part of the time. */
export type Selection = {
	readonly dataset: Dataset;
	readonly filter: Argument;
	readonly limit: number;
	readonly orderBy: string;
	readonly fields: string;
};

export type Selected = {
	readonly rows: readonly Data[];
	/** Number of parts of the time that were read. */
	readonly read: number;
	/** The answer was full: rows that come last in the order are missing. */
	readonly isCut: boolean;
};

/**
 * Reads the rows of each name. Its selections are parts of the time, latest first; each query has one
 * selection per name. Names that could not be read have no entry; after a failed part, earlier parts of that
 * name are not read.
 */
export async function select(
	{ask}: Analytics,
	account: string,
	wanted: ReadonlyMap<string, readonly Selection[]>,
	signal: AbortSignal,
): Promise<{readonly found: ReadonlyMap<string, Selected>; readonly problems: Problem[]}> {
	const found = new Map<string, Selected>();
	const problems: Problem[] = [];
	const ended = new Set<string>();
	const take = async (parts: Parts) => {
		const {value, problems: own} = await askOnce(ask, account, parts, signal);
		if (value === undefined && parts.length > 1 && own.some(({kind}) => kind === 'unknown field')) {
			// One unknown field fails the whole query: query the parts separately.
			for (const part of parts) await take([part]);
			return;
		}
		problems.push(...own);
		for (const [name, {limit}] of parts) {
			const rows = value?.get(name);
			const before = found.get(name);
			const isCut = rows !== undefined && rows.length >= limit;
			if (rows)
				found.set(name, {rows: [...(before?.rows ?? []), ...rows], read: (before?.read ?? 0) + 1, isCut});
			if (!rows || isCut) ended.add(name);
			if (isCut) problems.push({kind: 'too much', message: '', path: [name]});
		}
	};
	for (let at = 0; ; at++) {
		const parts = [...wanted].flatMap(([name, selections]) => {
			const selection = ended.has(name) ? undefined : selections[at];
			return selection ? [[name, selection] as const] : [];
		});
		if (parts.length === 0) return {found, problems};
		await take(parts);
	}
}

type Parts = readonly (readonly [string, Selection])[];

async function askOnce(
	ask: Analytics['ask'],
	account: string,
	parts: Parts,
	signal: AbortSignal,
): Promise<Read<ReadonlyMap<string, readonly Data[]>>> {
	const selections = parts.map(
		([name, {dataset, filter, limit, orderBy, fields}]) =>
			`${name}: ${dataset}(filter: ${literal(filter)}, limit: ${limit}, orderBy: [${orderBy}]) { ${fields} }`,
	);
	const {value, problems} = await ask(
		`query { viewer { accounts(filter: ${literal({accountTag: account})}) { ${selections.join(' ')} } } }`,
		signal,
	);
	const answered = firstOf(value, 'accounts');
	if (!answered) return {value: undefined, problems: problems.length > 0 ? problems : [nothing]};
	const rows = parts.flatMap(([name]) => {
		const found = rowsAt(answered, name);
		return found ? [[name, found] as const] : [];
	});
	return {value: new Map(rows), problems};
}

/** An answer without the account or a reason. */
const nothing: Problem = {kind: 'failed', message: '', path: []};

/** First and last day, inclusive. */
type Days = {readonly from: string; readonly to: string};

/** Splits a time into days, latest first, within the plan's limits like `splitIntoWindows`. */
export function daysOf(
	{since, until}: {readonly since: number; readonly until: number},
	limits: Pick<DatasetLimits, 'notOlderThan' | 'maxDuration'> | undefined,
	now: number,
): readonly Days[] {
	const last = Math.floor(until / day);
	const kept = limits?.notOlderThan;
	const oldest = kept === undefined ? Number.NEGATIVE_INFINITY : Math.ceil((now - kept) / day);
	const first = Math.min(last, Math.max(Math.floor(since / day), oldest));
	const most = Math.max(1, Math.floor((limits?.maxDuration ?? Number.POSITIVE_INFINITY) / day));
	const days: Days[] = [];
	for (let to = last; to >= first; to -= most)
		days.push({from: dateOf(Math.max(first, to - most + 1) * day), to: dateOf(to * day)});
	return days;
}

/** Formats the UTC day of a moment. */
const dateOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);

/** Returns a non-negative number of a row. */
export function figureAt(row: Data, group: string, name: string): number | undefined {
	const value = recordAt(row, group)?.[name];
	return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** Returns a dimension of a row; empty if missing. */
export function dimensionAt(row: Data, name: string): string {
	const {dimensions} = row;
	const value =
		typeof dimensions === 'object' && dimensions !== null ? (dimensions as Data)[name] : undefined;
	return typeof value === 'string' ? value : '';
}
