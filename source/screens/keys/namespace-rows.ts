import type {LocalNamespace} from '../../kv/local/namespaces.ts';
import type {Configuration} from '../../settings/configuration.ts';

/** A namespace as the service names it. */
export type ListedNamespace = {readonly id: string; readonly title: string};

/** A binding of a namespace, and where it is declared. */
type BoundTo = {readonly binding: string; readonly preview: boolean; readonly from: string};

/** A namespace in the list, of the service or of the local data. */
export type NamespaceRow = {
	/** Unique among remote and local rows. */
	readonly name: string;
	readonly where: 'remote' | 'local';
	/**
	 * Undefined for local data whose file name does not contain its id; such a namespace cannot be opened.
	 */
	readonly id: string | undefined;
	readonly title: string;
	readonly bindings: readonly BoundTo[];
	/** Its preview namespace, or the one it is the preview of. */
	readonly pair?: {readonly name: string; readonly title: string; readonly preview: boolean} | undefined;
	/** Known for local data only. */
	readonly keys?: number | undefined;
	/** A binding names this id, but the account has no such namespace. */
	readonly isMissing?: true;
};

/**
 * Builds the rows of the service's namespaces: bound ones in the order of the configuration, then the others
 * by title. If `listed` is the whole account (`isWhole`), bound ids that are not in it get a row, too.
 */
export function buildRemoteNamespaceRows(
	listed: readonly ListedNamespace[],
	configuration: Configuration | undefined,
	isWhole = false,
): NamespaceRow[] {
	const index = indexBindings(configuration);
	const rows = listed.map(({id, title}) => ({
		name: `remote:${id}`,
		where: 'remote' as const,
		id,
		title,
		bindings: index.get(id) ?? [],
	}));
	return sortAndPairNamespaces(
		[...rows, ...(isWhole ? buildMissingNamespaceRows(listed, configuration, index) : [])],
		configuration,
	);
}

function buildMissingNamespaceRows(
	listed: readonly ListedNamespace[],
	configuration: Configuration | undefined,
	index: BindingIndex,
): NamespaceRow[] {
	const known = new Set(listed.map(({id}) => id));
	const bound = (configuration?.namespaces ?? []).flatMap(({id, previewId}) => [id, previewId]);
	const missing = new Set(bound.filter(id => id !== undefined && !known.has(id)));
	return [...missing].flatMap((id): NamespaceRow[] => {
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

/** Builds the rows of local data, including bound namespaces without data. Titles are bindings, or ids. */
export function buildLocalNamespaceRows(
	found: readonly LocalNamespace[],
	configuration: Configuration | undefined,
): NamespaceRow[] {
	const dataByKey = new Map(found.map(one => [one.namespace ?? one.file, one]));
	const index = indexBindings(configuration);
	const ids = (configuration?.namespaces ?? []).flatMap(({binding, id, previewId}) => {
		const own = [id, previewId].filter(one => one !== undefined);
		return own.length > 0 ? own : [binding];
	});
	const rows = [...new Set([...ids, ...dataByKey.keys()])].map(key => {
		const data = dataByKey.get(key);
		const id = data && data.namespace === undefined ? undefined : key;
		const bindings = id === undefined ? [] : (index.get(id) ?? []);
		const [bound] = bindings;
		return {
			name: `local:${key}`,
			where: 'local' as const,
			id,
			title: bound ? `${bound.binding}${bound.preview ? ' (preview)' : ''}` : (id ?? key),
			bindings,
			keys: data?.keys ?? 0,
		};
	});
	return sortAndPairNamespaces(rows, configuration);
}

/** Bindings by namespace id, in the order of the configuration. */
type BindingIndex = ReadonlyMap<string, readonly BoundTo[]>;

function indexBindings(configuration: Configuration | undefined): BindingIndex {
	const index = new Map<string, BoundTo[]>();
	for (const one of configuration?.namespaces ?? []) {
		const add = (id: string | undefined, preview: boolean) => {
			if (id === undefined) return;
			const bound = {
				binding: one.binding,
				preview,
				// Computed on demand: few of many thousand bindings are shown.
				get from() {
					return `${configuration?.shownAs}:${one.line}`;
				},
			};
			const others = index.get(id);
			if (others) others.push(bound);
			else index.set(id, [bound]);
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
	const order = new Map((configuration?.namespaces ?? []).map(({binding}, index) => [binding, index]));
	const getSortRank = ({bindings: [bound]}: NamespaceRow) =>
		bound ? (order.get(bound.binding) ?? 0) * 2 + (bound.preview ? 1 : 0) : Number.POSITIVE_INFINITY;
	const sorted = rows
		.map(row => ({row, place: getSortRank(row)}))
		.sort((one, other) => {
			if (one.place !== other.place) return one.place - other.place;
			return one.row.title < other.row.title ? -1 : one.row.title > other.row.title ? 1 : 0;
		});
	const known: PairIndexes = {byTitle: new Map(), byBinding: new Map(), byPreview: new Map()};
	for (const {row} of sorted) {
		known.byTitle.set(row.title, row);
		for (const {binding, preview} of row.bindings)
			(preview ? known.byPreview : known.byBinding).set(binding, row);
	}
	return sorted.map(({row}) => {
		const pair = findPair(row, known);
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
		const other = (preview ? byBinding : byPreview).get(binding);
		if (other && other.name !== row.name) return {name: other.name, title: other.title, preview: !preview};
	}
	if (row.where === 'local') return undefined;
	const preview = byTitle.get(`${row.title}_preview`);
	if (preview) return {name: preview.name, title: preview.title, preview: true};
	const production = row.title.endsWith('_preview') ? byTitle.get(row.title.slice(0, -8)) : undefined;
	return production && {name: production.name, title: production.title, preview: false};
}
