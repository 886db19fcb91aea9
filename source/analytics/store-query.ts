import type {Analytics} from './analytics.ts';
import {
	type Dataset,
	type DatasetFields,
	type DatasetLimits,
	getDataRecord,
	getDatasetRows,
	getFirstHolder,
} from './datasets.ts';
import {missingDatasetProblem, notInPlanProblem} from './event-groups.ts';
import {formatLiteral, type QueryArgument} from './literal.ts';
import {type AnalyticsProblem, type Data, type ReadResult, unspecifiedProblem} from './problem.ts';

/** Retention of store metrics at the service, in days. */
export const maxStoreDays = 31;

export const dayMs = 86_400_000;

/** Rows to request, if the plan allows. */
const pageSize = 10_000;

/** A dataset that can be queried. */
export type QueryableDataset = {
	readonly limits: DatasetLimits | undefined;
	/** Maximum number of rows in one response. */
	readonly maxRows: number;
	/** True if rows have this field. If the schema cannot be read, the documentation decides. */
	hasField(name: string): boolean;
	/** Like `hasField`, for dimensions. */
	hasDimension(name: string): boolean;
};

const documentedFields = {
	kvStorageAdaptiveGroups: {fields: ['max'], dimensions: ['date', 'namespaceId']},
	kvOperationsAdaptiveGroups: {
		fields: ['sum', 'quantiles'],
		dimensions: ['date', 'datetime', 'actionType', 'namespaceId'],
	},
} as const;

type StoreDataset = keyof typeof documentedFields;

/** Loads what an account can query of a dataset. Returns a problem if it cannot query the dataset at all. */
export async function loadQueryableDataset(
	{datasets}: Analytics,
	dataset: StoreDataset,
	accountId: string,
	signal: AbortSignal,
): Promise<QueryableDataset | AnalyticsProblem> {
	const fields = await datasets.fields(dataset, signal);
	if (fields === 'missing') return {...missingDatasetProblem, path: problemPathByDataset[dataset]};
	const limits = await datasets.limits(dataset, accountId, signal);
	if (limits?.isEnabled === false) return {...notInPlanProblem, path: problemPathByDataset[dataset]};
	const hasName = (kind: keyof DatasetFields, name: string): boolean => {
		const names: readonly string[] = documentedFields[dataset][kind];
		return fields ? fields[kind].has(name) : names.includes(name);
	};
	return {
		limits,
		maxRows: Math.min(pageSize, limits?.maxPageSize ?? pageSize),
		hasField: name => hasName('fields', name),
		hasDimension: name => hasName('dimensions', name),
	};
}

export const isProblem = (candidate: QueryableDataset | AnalyticsProblem): candidate is AnalyticsProblem =>
	'kind' in candidate;

/** The paths of problems that concern a whole dataset. */
const problemPathByDataset: Readonly<Record<StoreDataset, readonly string[]>> = {
	kvStorageAdaptiveGroups: ['storage'],
	kvOperationsAdaptiveGroups: ['operations', 'latency'],
};

/** Selects the rows of one dataset in one window of time. */
export type QuerySelection = {
	readonly dataset: Dataset;
	readonly filter: QueryArgument;
	readonly limit: number;
	readonly orderBy: string;
	readonly fields: string;
};

export type SelectedRows = {
	readonly rows: readonly Data[];
	/** Number of selections, and so of windows, that were read. */
	readonly readSelectionCount: number;
	/** True if the response was full, so that the last rows in the order are missing. */
	readonly isCut: boolean;
};

/**
 * Reads the rows of each name. The selections of a name cover consecutive windows, latest first; each query
 * has one selection per name. A name that could not be read has no entry. After a selection that failed or
 * was cut off, earlier windows of that name are not read.
 */
export async function selectRows(
	{runQuery}: Analytics,
	accountId: string,
	selectionsByName: ReadonlyMap<string, readonly QuerySelection[]>,
	signal: AbortSignal,
): Promise<{readonly rowsByName: ReadonlyMap<string, SelectedRows>; readonly problems: AnalyticsProblem[]}> {
	const rowsByName = new Map<string, SelectedRows>();
	const problems: AnalyticsProblem[] = [];
	const finishedNames = new Set<string>();
	const readSelections = async (namedSelections: NamedSelections) => {
		const {value, problems: partProblems} = await querySelections(
			runQuery,
			accountId,
			namedSelections,
			signal,
		);
		if (
			value === undefined &&
			namedSelections.length > 1 &&
			partProblems.some(({kind}) => kind === 'unknown field')
		) {
			// One unknown field makes the whole query fail, so the parts are queried separately.
			for (const namedSelection of namedSelections) await readSelections([namedSelection]);
			return;
		}
		problems.push(...partProblems);
		for (const [name, {limit}] of namedSelections) {
			const rows = value?.get(name);
			const earlierRows = rowsByName.get(name);
			const isCut = rows !== undefined && rows.length >= limit;
			if (rows)
				rowsByName.set(name, {
					rows: [...(earlierRows?.rows ?? []), ...rows],
					readSelectionCount: (earlierRows?.readSelectionCount ?? 0) + 1,
					isCut,
				});
			if (!rows || isCut) finishedNames.add(name);
			if (isCut) problems.push({kind: 'too much', message: '', path: [name]});
		}
	};
	for (let index = 0; ; index++) {
		const namedSelections = [...selectionsByName].flatMap(([name, selections]) => {
			const selection = finishedNames.has(name) ? undefined : selections[index];
			return selection ? [[name, selection] as const] : [];
		});
		if (namedSelections.length === 0) return {rowsByName, problems};
		await readSelections(namedSelections);
	}
}

type NamedSelections = readonly (readonly [string, QuerySelection])[];

async function querySelections(
	runQuery: Analytics['runQuery'],
	accountId: string,
	namedSelections: NamedSelections,
	signal: AbortSignal,
): Promise<ReadResult<ReadonlyMap<string, readonly Data[]>>> {
	const selections = namedSelections.map(
		([name, {dataset, filter, limit, orderBy, fields}]) =>
			`${name}: ${dataset}(filter: ${formatLiteral(filter)}, limit: ${limit}, orderBy: [${orderBy}]) { ${fields} }`,
	);
	const {value, problems} = await runQuery(
		`query { viewer { accounts(filter: ${formatLiteral({accountTag: accountId})}) { ${selections.join(' ')} } } }`,
		signal,
	);
	const accountData = getFirstHolder(value, 'accounts');
	if (!accountData)
		return {value: undefined, problems: problems.length > 0 ? problems : [unspecifiedProblem]};
	const rows = namedSelections.flatMap(([name]) => {
		const datasetRows = getDatasetRows(accountData, name);
		return datasetRows ? [[name, datasetRows] as const] : [];
	});
	return {value: new Map(rows), problems};
}

/** First and last day, inclusive. */
type DayRange = {readonly firstDay: string; readonly lastDay: string};

/** Splits a time into days, latest first, within the plan's limits like `splitIntoWindows`. */
export function splitIntoDays(
	{since, until}: {readonly since: number; readonly until: number},
	limits: Pick<DatasetLimits, 'retentionMs' | 'maxDuration'> | undefined,
	now: number,
): readonly DayRange[] {
	const lastDay = Math.floor(until / dayMs);
	const retentionMs = limits?.retentionMs;
	const oldestDay =
		retentionMs === undefined ? Number.NEGATIVE_INFINITY : Math.ceil((now - retentionMs) / dayMs);
	const firstDay = Math.min(lastDay, Math.max(Math.floor(since / dayMs), oldestDay));
	const maxDays = Math.max(1, Math.floor((limits?.maxDuration ?? Number.POSITIVE_INFINITY) / dayMs));
	const days: DayRange[] = [];
	for (let to = lastDay; to >= firstDay; to -= maxDays)
		days.push({
			firstDay: formatDate(Math.max(firstDay, to - maxDays + 1) * dayMs),
			lastDay: formatDate(to * dayMs),
		});
	return days;
}

/** Formats the UTC day of a moment. */
const formatDate = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);

/** Returns a non-negative number of a row; undefined if it is missing or invalid. */
export function getFigure(row: Data, group: string, name: string): number | undefined {
	const value = getDataRecord(row, group)?.[name];
	return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** Returns a dimension of a row; empty if missing. */
export function getDimension(row: Data, name: string): string {
	const {dimensions} = row;
	const value =
		typeof dimensions === 'object' && dimensions !== null ? (dimensions as Data)[name] : undefined;
	return typeof value === 'string' ? value : '';
}
