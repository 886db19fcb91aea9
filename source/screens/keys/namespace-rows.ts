import type {LocalNamespace} from '../../kv/local/namespaces.ts';
import type {Namespace} from '../../kv/namespaces.ts';
import type {Configuration} from '../../settings/configuration.ts';
import {measureColumns, toDrawable} from '../../text/columns.ts';

/** A binding of a namespace. `declaredAt` is the file and line that declare it. */
type NamespaceBinding = {readonly binding: string; readonly preview: boolean; readonly declaredAt: string};

/** A namespace in the list, of the service or of the local data. */
export type NamespaceRow = {
	/** Unique among remote and local rows. */
	readonly name: string;
	readonly where: 'remote' | 'local';
	/**
	 * Undefined if the file name of local data does not contain the id. Such a namespace cannot be opened.
	 */
	readonly id: string | undefined;
	readonly title: string;
	readonly bindings: readonly NamespaceBinding[];
	/** Its preview namespace, or its production namespace (`preview` is false). */
	readonly pair?: {readonly name: string; readonly title: string; readonly preview: boolean} | undefined;
	/** Known for local data only. */
	readonly keyCount?: number | undefined;
	/** Where the service keeps it; undefined for no restriction. */
	readonly jurisdiction?: string | undefined;
	/** False if the service does not decode keys in URLs of this namespace; undefined if unknown. */
	readonly decodesKeys?: boolean | undefined;
	/** A binding names this id, but the account has no such namespace. */
	readonly isMissing?: true;
};

/**
 * Builds the rows of the service's namespaces: bound ones in the order of the configuration, then the others
 * by title. With `isWholeAccount`, bound ids that are missing from `listedNamespaces` get a row, too.
 */
export function buildRemoteNamespaceRows(
	listedNamespaces: readonly Namespace[],
	configuration: Configuration | undefined,
	isWholeAccount = false,
): NamespaceRow[] {
	const index = indexBindings(configuration);
	const rows = listedNamespaces.map(({id, title, jurisdiction, supports_url_encoding: decodesKeys}) => ({
		name: `remote:${id}`,
		where: 'remote' as const,
		id,
		title,
		bindings: index.get(id) ?? [],
		...(jurisdiction !== undefined && {jurisdiction}),
		...(decodesKeys !== undefined && {decodesKeys}),
	}));
	return sortAndPairNamespaces(
		[...rows, ...(isWholeAccount ? buildMissingNamespaceRows(listedNamespaces, configuration, index) : [])],
		configuration,
	);
}

function buildMissingNamespaceRows(
	listedNamespaces: readonly Namespace[],
	configuration: Configuration | undefined,
	index: BindingIndex,
): NamespaceRow[] {
	const listedIds = new Set(listedNamespaces.map(({id}) => id));
	const boundIds = (configuration?.namespaces ?? []).flatMap(({id, previewId}) => [id, previewId]);
	const missingIds = new Set(boundIds.filter(id => id !== undefined && !listedIds.has(id)));
	return [...missingIds].flatMap((id): NamespaceRow[] => {
		if (id === undefined) return [];
		const bindings = index.get(id) ?? [];
		return [
			{
				name: `remote:${id}`,
				where: 'remote',
				id,
				title: bindings[0]?.binding ?? id,
				bindings,
				isMissing: true,
			},
		];
	});
}

/** Builds the rows of local data, including bound namespaces without data. A title is a binding or an id. */
export function buildLocalNamespaceRows(
	localNamespaces: readonly LocalNamespace[],
	configuration: Configuration | undefined,
): NamespaceRow[] {
	const dataByKey = new Map(localNamespaces.map(one => [one.namespace ?? one.file, one]));
	const index = indexBindings(configuration);
	const ids = (configuration?.namespaces ?? []).flatMap(({binding, id, previewId}) => {
		const boundIds = [id, previewId].filter(one => one !== undefined);
		return boundIds.length > 0 ? boundIds : [binding];
	});
	const rows = [...new Set([...ids, ...dataByKey.keys()])].map(key => {
		const data = dataByKey.get(key);
		const id = data && data.namespace === undefined ? undefined : key;
		const bindings = id === undefined ? [] : (index.get(id) ?? []);
		const [firstBinding] = bindings;
		return {
			name: `local:${key}`,
			where: 'local' as const,
			id,
			title: firstBinding
				? `${firstBinding.binding}${firstBinding.preview ? ' (preview)' : ''}`
				: (id ?? key),
			bindings,
			keyCount: data?.keys ?? 0,
		};
	});
	return sortAndPairNamespaces(rows, configuration);
}

/** Bindings by namespace id, in the order of the configuration. */
type BindingIndex = ReadonlyMap<string, readonly NamespaceBinding[]>;

function indexBindings(configuration: Configuration | undefined): BindingIndex {
	const index = new Map<string, NamespaceBinding[]>();
	for (const one of configuration?.namespaces ?? []) {
		const add = (id: string | undefined, preview: boolean) => {
			if (id === undefined) return;
			const newBinding = {
				binding: one.binding,
				preview,
				// Computed on demand: few of many thousand bindings are shown.
				get declaredAt() {
					return `${configuration?.shownAs}:${one.line}`;
				},
			};
			const idBindings = index.get(id);
			if (idBindings) idBindings.push(newBinding);
			else index.set(id, [newBinding]);
		};
		add(one.id ?? (one.previewId === undefined ? one.binding : undefined), false);
		add(one.previewId, true);
	}
	return index;
}

/** Sorts rows and adds their pairs: from the configuration, or by a title ending in `_preview`. */
function sortAndPairNamespaces(
	rows: readonly NamespaceRow[],
	configuration: Configuration | undefined,
): NamespaceRow[] {
	const bindingOrder = new Map((configuration?.namespaces ?? []).map(({binding}, index) => [binding, index]));
	const getSortRank = ({bindings: [firstBinding]}: NamespaceRow) =>
		firstBinding
			? (bindingOrder.get(firstBinding.binding) ?? 0) * 2 + (firstBinding.preview ? 1 : 0)
			: Number.POSITIVE_INFINITY;
	const sortedRows = rows
		.map(row => ({row, rank: getSortRank(row)}))
		.sort((one, other) => {
			if (one.rank !== other.rank) return one.rank - other.rank;
			return one.row.title < other.row.title ? -1 : one.row.title > other.row.title ? 1 : 0;
		});
	const pairIndexes: PairIndexes = {byTitle: new Map(), byBinding: new Map(), byPreview: new Map()};
	for (const {row} of sortedRows) {
		pairIndexes.byTitle.set(row.title, row);
		for (const {binding, preview} of row.bindings)
			(preview ? pairIndexes.byPreview : pairIndexes.byBinding).set(binding, row);
	}
	return sortedRows.map(({row}) => {
		const pair = findPair(row, pairIndexes);
		return pair ? {...row, pair} : row;
	});
}

type PairIndexes = {
	readonly byTitle: Map<string, NamespaceRow>;
	/** By binding. */
	readonly byBinding: Map<string, NamespaceRow>;
	/** By binding, for preview namespaces. */
	readonly byPreview: Map<string, NamespaceRow>;
};

function findPair(row: NamespaceRow, {byTitle, byBinding, byPreview}: PairIndexes): NamespaceRow['pair'] {
	for (const {binding, preview} of row.bindings) {
		const pairedRow = (preview ? byBinding : byPreview).get(binding);
		if (pairedRow && pairedRow.name !== row.name)
			return {name: pairedRow.name, title: pairedRow.title, preview: !preview};
	}
	if (row.where === 'local') return undefined;
	const preview = byTitle.get(`${row.title}_preview`);
	if (preview) return {name: preview.name, title: preview.title, preview: true};
	const production = row.title.endsWith('_preview') ? byTitle.get(row.title.slice(0, -8)) : undefined;
	return production && {name: production.name, title: production.title, preview: false};
}

/**
 * Returns the text to type before keys of a namespace are lost: its title, or its id if the title is hard to
 * type.
 */
export const getConfirmationText = ({
	title,
	id = '',
}: {
	readonly title: string;
	readonly id?: string | undefined;
}): string => ((title === toDrawable(title) && measureColumns(title) <= 36) || id === '' ? title : id);
