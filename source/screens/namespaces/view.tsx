import {type ReactElement, useEffect, useMemo} from 'react';
import {describeMissing} from '../../analytics/problem.ts';
import {getStoreSubject} from '../../analytics/store-metrics.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {formatJurisdiction} from '../../kv/jurisdiction.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {formatInteger, formatShortSize} from '../../text/figures.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';
import {type Column, ListBody} from '../list/table.tsx';
import type {MetricsSlice} from '../metrics/slice.ts';
import {useApp, useLedge} from '../shell/use-ledge.ts';
import {readFigures} from './actions.ts';
import {formatNamespaceSort, getNamespaceFigures} from './figures.ts';
import {getSelectedNamespace, getVisibleNamespaces, type NamespacesState} from './slice.ts';

type FigureSources = StateWith<'namespaces', 'keyCounts' | 'writtenRows'> &
	StateWith<'metrics', 'storeFigures'>;

/** Minimum columns to show measured figures, and to show them in wider columns. */
const [minMeasuredColumns, minRoomyColumns] = [76, 110];

/**
 * Builds the columns. On narrow terminals, the pair is left out first, then ids are cut and left out; below
 * 76 columns, `KEYS` is the only figure. Figures are in full: their columns are as wide as the longest one.
 */
const buildNamespaceColumns = (
	sources: FigureSources,
	{shownStorage, rows}: Pick<NamespacesState, 'shownStorage' | 'rows'>,
	columns: number,
): readonly Column<NamespaceRow>[] => [
	{
		title: 'TITLE',
		cut: 'middle',
		getText: ({title, isMissing}) => (isMissing ? 'not in this account' : title),
		getLook: ({isMissing}, {warning}) => (isMissing ? warning : {}),
	},
	{
		title: 'BINDING',
		getWidth: totalColumns =>
			Math.min(24, Math.max(12, Math.floor(totalColumns / (shownStorage === 'remote' ? 7 : 6)))),
		getText({bindings: [firstBinding, ...others]}, {marks}) {
			if (!firstBinding) return marks.none;
			const othersText = others.length > 0 ? ` +${others.length}` : '';
			return `${firstBinding.binding}${firstBinding.preview ? ' (p)' : ''}${othersText}`;
		},
	},
	{
		title: 'ID',
		getWidth: totalColumns => (totalColumns >= (shownStorage === 'remote' ? 130 : minRoomyColumns) ? 32 : 11),
		cut: 'middle',
		getText: ({id = 'unknown'}) => id,
		getLook: () => 'dim',
	},
	{
		title: 'KEYS',
		isEssential: true,
		getWidth: () =>
			Math.max(9, ...rows.map(row => formatKeyCount(getNamespaceFigures(row, sources), '').length)),
		align: 'right',
		getText: (row, {marks}) => formatKeyCount(getNamespaceFigures(row, sources), marks.dot),
	},
	...(rows.some(({jurisdiction}) => jurisdiction !== undefined) ? [jurisdictionColumn] : []),
	...(shownStorage === 'remote' ? buildMeasuredColumns(sources, rows, columns >= minRoomyColumns) : []),
	{
		title: 'PREVIEW',
		gap: 2,
		getWidth: totalColumns => (totalColumns >= (shownStorage === 'remote' ? 150 : 76) ? 18 : 0),
		getText: ({pair}, {marks}) => (pair ? (pair.preview ? pair.title : `of ${pair.title}`) : marks.none),
	},
];

/** Shown only if a namespace has a jurisdiction. */
const jurisdictionColumn: Column<NamespaceRow> = {
	title: 'JURISDICTION',
	getWidth: totalColumns => (totalColumns >= minMeasuredColumns ? 12 : 0),
	gap: 2,
	getText: ({jurisdiction}, {marks}) => jurisdiction ?? marks.none,
};

const buildMeasuredColumns = (
	sources: FigureSources,
	rows: readonly NamespaceRow[],
	isRoomy: boolean,
): readonly Column<NamespaceRow>[] => [
	{
		title: 'SIZE',
		isEssential: true,
		getWidth: totalColumns => (totalColumns >= minMeasuredColumns ? 7 : 0),
		align: 'right',
		getText(row, {marks}) {
			const {size} = getNamespaceFigures(row, sources);
			return size === undefined ? marks.dot : formatShortSize(size);
		},
	},
	...(['reads', 'writes'] as const).map((kind): Column<NamespaceRow> => {
		const formatCount = (row: NamespaceRow, unknownMark: string) => {
			const {[kind]: count, isEstimate} = getNamespaceFigures(row, sources);
			return count === undefined
				? unknownMark
				: `${isEstimate && count > 0 ? '~' : ''}${formatInteger(count)}`;
		};
		const width = Math.max(isRoomy ? 12 : 8, ...rows.map(row => formatCount(row, '').length));
		return {
			title: `${kind.toUpperCase()}${isRoomy ? ' 24 h' : ''}`,
			isEssential: true,
			gap: isRoomy ? 2 : 1,
			getWidth: totalColumns => (totalColumns >= minMeasuredColumns ? width : 0),
			align: 'right',
			getText: (row, {marks}) => formatCount(row, marks.dot),
		};
	}),
];

const listEmptyStates = () => ({
	local: {
		title: 'No local data yet.',
		next: 'A dev server creates it, or the first key written to a binding.',
	},
	remote: {
		title: 'This account has no namespaces yet.',
		next: `press ${nameKey('namespaces.new', 'a')} to create one`,
	},
});

/** Lists the namespaces. Their figures are read when the list is shown, however it was reached. */
export function Namespaces(): ReactElement {
	const app = useApp();
	const namespaces = useLedge(state => state.namespaces.data);
	const keyCounts = useLedge(state => state.namespaces.keyCounts);
	const writtenRows = useLedge(state => state.namespaces.writtenRows);
	const storeFigures = useLedge(state => state.metrics.storeFigures);
	const {columns} = useLedge(state => state.navigation.viewport);
	const {shownStorage, rows, reading} = namespaces;
	// A namespace that is written to while the list is shown, as by a job, gets new figures.
	// biome-ignore lint/correctness/useExhaustiveDependencies: writtenRows only triggers the read
	useEffect(() => {
		if (reading === 'read') readFigures(app, shownStorage);
	}, [app, reading, shownStorage, writtenRows]);
	const columnDefinitions = useMemo(
		() =>
			buildNamespaceColumns(
				{namespaces: {keyCounts, writtenRows}, metrics: {storeFigures}},
				{shownStorage, rows},
				columns,
			),
		[keyCounts, writtenRows, storeFigures, shownStorage, rows, columns],
	);
	return (
		<ListBody
			list={namespaces}
			visibleRows={getVisibleNamespaces(namespaces)}
			columns={columnDefinitions}
			noMatchTitle={`No matches for "${namespaces.filter}".`}
			emptyMessage={listEmptyStates()[namespaces.shownStorage]}
		/>
	);
}

/** Formats a count; `1,000+` if there may be more, `~9` if keys were written since. */
const formatKeyCount = (
	{keys, isLowerBound, isOutdated}: ReturnType<typeof getNamespaceFigures>,
	unknownMark: string,
): string =>
	keys === undefined
		? unknownMark
		: `${isOutdated ? '~' : ''}${formatInteger(keys)}${isLowerBound ? '+' : ''}`;

/**
 * Status line: full id, bindings, sort order, why figures are missing, and their period if the titles omit
 * it.
 */
export function formatNamespaceStatus({
	namespaces: {data: namespaces},
	metrics: {storeFigures},
	navigation: {
		viewport: {columns},
	},
}: StateWith<'namespaces'> &
	StateWith<'metrics', 'storeFigures'> &
	StateWith<'navigation', 'viewport'>): string {
	const row = getSelectedNamespace(namespaces);
	if (!row) return '';
	const bindingTexts = row.bindings.map(
		({binding, preview, declaredAt}) => `bound as ${binding}${preview ? ' (preview)' : ''} in ${declaredAt}`,
	);
	const {sort, shownStorage} = namespaces;
	return [
		row.id ?? row.title,
		...(row.jurisdiction === undefined ? [] : [`kept in ${formatJurisdiction(row.jurisdiction)}`]),
		...bindingTexts,
		...(sort === 'name' ? [] : [formatNamespaceSort(sort)]),
		...(shownStorage === 'remote' ? formatMissingFigures(storeFigures) : []),
		...(shownStorage === 'remote' &&
		storeFigures?.value &&
		columns >= minMeasuredColumns &&
		columns < minRoomyColumns
			? ['reads and writes: 24 h']
			: []),
	].join('   ');
}

/** Formats why figures are missing, briefly if a permission is missing. */
function formatMissingFigures(figures: MetricsSlice['storeFigures']): readonly string[] {
	const [problem] = figures?.problems ?? [];
	if (!problem) return [];
	const {what, permission} = getStoreSubject(problem);
	return [
		problem.kind === 'not allowed'
			? `metrics need ${permission}`
			: describeMissing({what, permission}, problem).what,
	];
}
