import {asFailure, Failure} from '../../failure.ts';
import {
	createNamespace,
	deleteNamespace,
	namespaces as listNamespaces,
	type Namespace,
	renameNamespace,
} from '../../kv/namespaces.ts';
import {localDataRoot} from '../../session/namespaces.ts';
import {localIds} from '../../settings/local-ids.ts';
import type {Slice} from '../../store/slice.ts';
import type {ListedNamespace, NamespaceRow} from '../keys/namespace-rows.ts';
import {localRows, remoteRows} from '../keys/namespace-rows.ts';

/** Where the namespaces that are listed have their data. */
export type Where = 'remote' | 'local';

export type NamespacesState = {
	/** What the screens act on: at first the target of the session, then what the person chose last. */
	readonly where: Where;
	readonly reading: 'unread' | 'reading' | 'read' | 'failed';
	readonly failure?: Failure | undefined;
	readonly rows: readonly NamespaceRow[];
	readonly cursor: number;
	readonly filter: string;
};

export type KnownCount = {readonly keys: number; readonly exact: boolean};

export type NamespacesSlice = {
	readonly namespaces: NamespacesState;
	/** How many keys of a namespace were seen, by the name of its row (decision 42: nothing that was not listed). */
	readonly keyCounts: ReadonlyMap<string, KnownCount>;
	/** Makes the service or the local data what is acted on, before anything is listed. */
	chooseTarget(where: Where): void;
	/** Lists the namespaces of the service, or those of the local data, and makes that what is acted on. */
	loadNamespaces(where: Where, signal: AbortSignal): Promise<void>;
	moveInNamespaces(by: number): void;
	filterNamespaces(filter: string): void;
	/** Puts the cursor on the other one of a production and preview pair, if there is one. */
	toPair(): void;
	createNamespace(title: string, signal: AbortSignal): Promise<void>;
	renameNamespace(row: NamespaceRow, title: string, signal: AbortSignal): Promise<void>;
	deleteNamespace(row: NamespaceRow, signal: AbortSignal): Promise<void>;
	countKeys(row: string, count: KnownCount): void;
};

export const createNamespacesSlice: Slice<NamespacesSlice> = (set, get, {session}) => {
	const change = (part: Partial<NamespacesState>) =>
		set(({namespaces}) => ({namespaces: {...namespaces, ...part}}));

	/** Shows these rows, the cursor on the row that it was on before. */
	const show = (rows: readonly NamespaceRow[], wanted?: string) => {
		const {cursor} = get().namespaces;
		const before = wanted ?? visibleNamespaces(get().namespaces)[cursor]?.name;
		change({rows, reading: 'read', failure: undefined});
		const index = visibleNamespaces(get().namespaces).findIndex(({name}) => name === before);
		change({cursor: index === -1 ? 0 : index});
	};

	/** Counts the readings: what an earlier one brings is not shown over a later one. */
	let latest = 0;

	async function found(where: Where, signal: AbortSignal): Promise<readonly NamespaceRow[]> {
		const configuration = session.simulated ? undefined : await session.configuration();
		if (where === 'local') {
			const {localNamespaces} = await import('../../kv/local/namespaces.ts');
			const ids = configuration ? localIds(configuration) : [];
			return localRows(localNamespaces(localDataRoot(session), ids), configuration);
		}
		const client = await session.client();
		const account = await session.account(signal);
		const listed: Namespace[] = [];
		for await (const namespace of listNamespaces(client, account.id, signal)) listed.push(namespace);
		return remoteRows(listed, configuration);
	}

	/** A write that changes the list: checked, kept in the audit log, and taken into the rows. */
	async function changed<T>(
		what: string,
		signal: AbortSignal,
		write: (client: Awaited<ReturnType<typeof session.client>>, account: string) => Promise<T>,
	): Promise<T> {
		session.refuseWhenReadOnly(what);
		const client = await session.client();
		const account = await session.account(signal);
		return session.audited(what, account.label, () => write(client, account.id));
	}

	async function reload(signal: AbortSignal, wanted?: string): Promise<void> {
		const reading = ++latest;
		const rows = await found('remote', signal);
		if (reading === latest && get().namespaces.where === 'remote') show(rows, wanted);
	}

	return {
		namespaces: {where: 'remote', reading: 'unread', rows: [], cursor: 0, filter: ''},
		keyCounts: new Map(),
		chooseTarget(where) {
			if (get().namespaces.where === where) return;
			latest++;
			change({where, reading: 'unread', failure: undefined, rows: [], cursor: 0, filter: ''});
		},
		async loadNamespaces(where, signal) {
			get().chooseTarget(where);
			const reading = ++latest;
			change({reading: 'reading'});
			try {
				const rows = await found(where, signal);
				if (reading === latest) show(rows);
			} catch (error) {
				const failure = asFailure(error);
				if (reading !== latest) throw failure;
				const left = get().namespaces.rows.length > 0 ? 'read' : signal.aborted ? 'unread' : 'failed';
				change({reading: left, failure});
				throw failure;
			}
		},
		moveInNamespaces(by) {
			const {namespaces} = get();
			const last = visibleNamespaces(namespaces).length - 1;
			change({cursor: Math.max(0, Math.min(last, namespaces.cursor + by))});
		},
		filterNamespaces(filter) {
			const {namespaces} = get();
			const name = selectedNamespace(namespaces)?.name;
			const index = visibleNamespaces({...namespaces, filter}).findIndex(row => row.name === name);
			change({filter, cursor: Math.max(0, index)});
		},
		toPair() {
			const {namespaces} = get();
			const pair = selectedNamespace(namespaces)?.pair;
			const isPair = ({name}: NamespaceRow) => name === pair?.name;
			// A filter that hides the other one goes.
			const filter = visibleNamespaces(namespaces).some(isPair) ? namespaces.filter : '';
			const index = visibleNamespaces({...namespaces, filter}).findIndex(isPair);
			if (index !== -1) change({filter, cursor: index});
		},
		async createNamespace(title, signal) {
			const made = await changed(`create namespace ${title}`, signal, (client, account) =>
				createNamespace(client, account, title, signal),
			);
			await reload(signal, rowName('remote', made.id));
			get().say(`Created "${title}" (${made.id}).`);
		},
		async renameNamespace(row, title, signal) {
			const {id} = addressed(row);
			await changed(`rename namespace ${id} to ${title}`, signal, (client, account) =>
				renameNamespace(client, account, id, title, signal),
			);
			await reload(signal, row.name);
			get().say(`Renamed "${row.title}" to "${title}".`);
		},
		async deleteNamespace(row, signal) {
			const {id} = addressed(row);
			await changed(`delete namespace ${id}`, signal, (client, account) =>
				deleteNamespace(client, account, id, signal),
			);
			await reload(signal);
			get().say(`Deleted "${row.title}" with every key in it.`);
		},
		countKeys: (row, count) => set(({keyCounts}) => ({keyCounts: new Map(keyCounts).set(row, count)})),
	};
};

const rowName = (where: Where, id: string): string => `${where}:${id}`;

function addressed(row: NamespaceRow): ListedNamespace {
	if (row.id !== undefined) return {id: row.id, title: row.title};
	throw new Failure('namespace_not_found', 'The id of this namespace is not known.', {
		why: 'The name of its file does not tell it, and no binding of the configuration leads there.',
		next: 'Add its binding to the configuration file.',
	});
}

/** The rows that the filter leaves: by title, binding or id, without regard to case. */
export function visibleNamespaces({rows, filter}: NamespacesState): readonly NamespaceRow[] {
	if (filter === '') return rows;
	const sought = filter.toLowerCase();
	return rows.filter(({title, id, bindings}) =>
		[title, id ?? '', ...bindings.map(({binding}) => binding)].some(text =>
			text.toLowerCase().includes(sought),
		),
	);
}

export const selectedNamespace = (state: NamespacesState): NamespaceRow | undefined =>
	visibleNamespaces(state)[state.cursor];
