import {getOperationCount} from '../../analytics/store-metrics.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';

/** Sort orders. `name` sorts bound namespaces in the order of the configuration, then the others by title. */
const namespaceSorts = ['name', 'keys', 'size', 'reads', 'writes'] as const;

export type NamespaceSort = (typeof namespaceSorts)[number];

/** Figures of a namespace; undefined if unknown. */
type Figures = {
	readonly keys: number | undefined;
	/** True if `keys` is a lower bound. */
	readonly isLowerBound: boolean;
	/** True if this session has written to the namespace since; the measured number lags by minutes. */
	readonly isOutdated: boolean;
	readonly size: number | undefined;
	readonly reads: number | undefined;
	readonly writes: number | undefined;
	/** True if reads and writes are estimates. */
	readonly isEstimate: boolean;
};

type FigureSources = StateWith<'namespaces', 'keyCounts' | 'writtenRows'> &
	StateWith<'metrics', 'storeFigures'>;

/** Combines what is known of a namespace: listed keys and measured figures. */
export function getNamespaceFigures(
	{name, id, where, keyCount}: NamespaceRow,
	{namespaces: {keyCounts, writtenRows}, metrics: {storeFigures}}: FigureSources,
): Figures {
	const listedCount = keyCounts.get(name);
	const measuredFigures = where === 'remote' && id !== undefined ? storeFigures?.value?.get(id) : undefined;
	return {
		keys: listedCount?.isExact ? listedCount.keys : (keyCount ?? measuredFigures?.keys ?? listedCount?.keys),
		isLowerBound:
			listedCount?.isExact === false && keyCount === undefined && measuredFigures?.keys === undefined,
		isOutdated: writtenRows.has(name) && keyCount === undefined,
		size: measuredFigures?.bytes,
		reads: getOperationCount(measuredFigures?.operations, 'read'),
		writes: getOperationCount(measuredFigures?.operations, 'write'),
		isEstimate: measuredFigures?.isEstimate ?? false,
	};
}

/** Sorts rows by a figure, largest first and unknown last. `name` keeps the order. */
export function sortNamespaces(
	rows: readonly NamespaceRow[],
	sort: NamespaceSort,
	sources: FigureSources,
): readonly NamespaceRow[] {
	if (sort === 'name') return rows;
	const values = new Map(rows.map(row => [row, getNamespaceFigures(row, sources)[sort] ?? -1]));
	return rows.toSorted((one, other) => (values.get(other) ?? -1) - (values.get(one) ?? -1));
}

const sortNames: Readonly<Record<NamespaceSort, string>> = {
	name: 'by name',
	keys: 'by keys, most first',
	size: 'by size, largest first',
	reads: 'by reads in 24 hours, most first',
	writes: 'by writes in 24 hours, most first',
};

export const formatNamespaceSort = (sort: NamespaceSort): string => sortNames[sort];

/** Returns the sort orders whose figures are known, in cycling order. */
export const listAvailableSorts = ({
	namespaces: {data: namespaces},
	metrics: {storeFigures},
}: StateWith<'namespaces'> & StateWith<'metrics', 'storeFigures'>): readonly NamespaceSort[] =>
	namespaces.shownStorage === 'remote' && storeFigures?.value ? namespaceSorts : ['name', 'keys'];
