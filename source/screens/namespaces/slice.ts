import {Failure} from '../../failure.ts';
import {formatJurisdiction, type Jurisdiction} from '../../kv/jurisdiction.ts';
import {createNamespace, deleteNamespace, listKvNamespaces, renameNamespace} from '../../kv/namespaces.ts';
import {cacheNamespaceTitles} from '../../session/listing-cache.ts';
import {getLocalDataRoot} from '../../session/namespaces.ts';
import {getSessionPlace, getSimulatedWorld} from '../../session/place.ts';
import {toAccountPlace} from '../../session/write-place.ts';
import {listLocalIds} from '../../settings/local-ids.ts';
import {isLocalPlace, isSameTarget, type JobTarget} from '../../state/job-record.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import type {Slice} from '../../store/slice.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';
import {buildLocalNamespaceRows, buildRemoteNamespaceRows} from '../keys/namespace-rows.ts';
import {declareList, type ListMembers} from '../list/declared.ts';
import {emptyList, type ListState} from '../list/list.ts';
import {hasLoaded} from '../list/reading.ts';
import {createList} from '../list/slice.ts';
import {type NamespaceSort, sortNamespaces} from './figures.ts';

/** Where namespaces keep their data. */
export type Where = 'remote' | 'local';

type ListedTarget = Pick<JobTarget, 'place' | 'world' | 'account'>;

export type NamespacesState = ListState<NamespaceRow> & {
	/** The data that is shown: initially that of the session's target, then the user's last choice. */
	readonly shownStorage: Where;
	readonly sort: NamespaceSort;
	/** Account whose namespaces were listed; undefined for local data. */
	readonly listedTarget?: ListedTarget | undefined;
	/** The rows in the order of `name`. */
	readonly rowsByName: readonly NamespaceRow[];
	/** Rows of the storage that is not shown, once `loadAll` has listed them. */
	readonly hiddenRows: readonly NamespaceRow[];
};

type KnownCount = {readonly keys: number; readonly isExact: boolean};

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly namespaces: NamespacesSlice;
	}
}

export type NamespacesSlice = ListMembers<NamespacesState> & {
	readonly data: NamespacesState;
	/** Counts of listed keys, by row name. */
	readonly keyCounts: ReadonlyMap<string, KnownCount>;
	/** Names of the rows that this session has written to since their keys were counted. */
	readonly writtenRows: ReadonlySet<string>;
	/** Selects the service or local data, without listing. */
	chooseTarget(where: Where): void;
	/** Lists the namespaces of the service or of local data, and selects it. */
	load(where: Where, signal: AbortSignal): Promise<void>;
	/**
	 * Lists the namespaces of both storages, those that are not listed yet. What can be listed is, before it
	 * rejects.
	 */
	loadAll(signal: AbortSignal): Promise<void>;
	sort(sort: NamespaceSort): void;
	/** Sorts again after figures have changed. The cursor stays on its row. */
	sortAgain(): void;
	/** Moves the cursor to the other namespace of a production and preview pair, if there is one. */
	goToPair(): void;
	create(title: string, signal: AbortSignal, jurisdiction?: Jurisdiction): Promise<void>;
	rename(row: NamespaceRow, title: string, signal: AbortSignal): Promise<void>;
	delete(row: NamespaceRow, signal: AbortSignal): Promise<void>;
	countKeys(row: string, count: KnownCount): void;
	/** Drops the key count of a namespace that was written to without being listed, and the measured figures. */
	forgetCount(target: Pick<JobTarget, 'place' | 'namespace'>): void;
	/** Marks the namespaces stale, so that they are read when next shown. */
	markStale(): void;
};

export const createNamespacesSlice: Slice<NamespacesSlice> = (set, get, {session}) => {
	const {change, read, forget, move, filter} = createList(namespaceList, () => get().namespaces.data, set);

	const sortRows = (rows: readonly NamespaceRow[]) => sortNamespaces(rows, get().namespaces.data.sort, get());

	const load = (where: Where, signal: AbortSignal, wantedKey?: string) =>
		read(
			signal,
			() => fetchRows(where, signal),
			({rows, target}) => {
				const {data: namespaces} = get().namespaces;
				const changes = namespaceList.applyChange(namespaces, {rows: sortRows(rows)}, wantedKey);
				change({
					...changes,
					...(wantedKey !== undefined && namespaceList.applyRowFocus({...namespaces, ...changes}, wantedKey)),
					reading: 'read',
					failure: undefined,
					rowsByName: rows,
					listedTarget: target,
				});
			},
		);

	async function fetchRows(
		where: Where,
		signal: AbortSignal,
	): Promise<{readonly rows: readonly NamespaceRow[]; readonly target?: ListedTarget}> {
		const configuration = session.simulated ? undefined : await session.configuration();
		if (where === 'local') {
			const {listLocalNamespaces} = await import('../../kv/local/namespaces.ts');
			const ids = configuration ? listLocalIds(configuration) : [];
			return {
				rows: buildLocalNamespaceRows(listLocalNamespaces(getLocalDataRoot(session), ids), configuration),
			};
		}
		const client = await session.client();
		const account = await session.account(signal);
		const world = session.simulated ? getSimulatedWorld(session) : undefined;
		const listedNamespaces = await Array.fromAsync(listKvNamespaces(client, account.id, signal));
		cacheNamespaceTitles(session, client, account.id, listedNamespaces);
		return {
			rows: buildRemoteNamespaceRows(listedNamespaces, configuration, true),
			target: {
				place: getSessionPlace(session, client),
				...(world !== undefined && {world}),
				account: account.id,
			},
		};
	}

	/** Runs a write to the namespaces. Checks the permission and records the write in the audit log. */
	async function runAuditedWrite<T>(
		description: string,
		/** How to take it back without `u`, in a sentence. */
		undoAdvice: string,
		write: (client: Awaited<ReturnType<typeof session.client>>, account: string) => Promise<T>,
		signal: AbortSignal,
	): Promise<T> {
		session.refuseWhenReadOnly(description);
		const client = await session.client();
		const account = await session.account(signal);
		const place = await session.permit(toAccountPlace(account), description);
		const result = await session.auditWrite(description, place, () => write(client, account.id));
		get().review.noticeWrite({
			what: `u can't undo the last write: ${description}.`,
			why: undoAdvice,
		});
		return result;
	}

	async function reload(signal: AbortSignal, wantedKey?: string): Promise<void> {
		if (get().namespaces.data.shownStorage === 'remote') await load('remote', signal, wantedKey);
	}

	return {
		data: {...emptyList, shownStorage: 'remote', sort: 'name', rowsByName: [], hiddenRows: []},
		keyCounts: new Map(),
		writtenRows: new Set(),
		chooseTarget(shownStorage) {
			if (get().namespaces.data.shownStorage === shownStorage) return;
			forget();
			change({
				...emptyList,
				shownStorage,
				sort: 'name',
				rowsByName: [],
				hiddenRows: [],
				failure: undefined,
				lastKey: undefined,
			});
		},
		async load(where, signal) {
			get().namespaces.chooseTarget(where);
			await load(where, signal);
		},
		async loadAll(signal) {
			const {shownStorage} = get().namespaces.data;
			const hiddenStorage = shownStorage === 'remote' ? 'local' : 'remote';
			const outcomes = await Promise.allSettled([
				hasLoaded(get().namespaces.data) ? undefined : load(shownStorage, signal),
				fetchRows(hiddenStorage, signal).then(({rows: hiddenRows}) => {
					if (get().namespaces.data.shownStorage === shownStorage) change({hiddenRows});
				}),
			]);
			for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
		},
		move,
		filter,
		sort(sort) {
			change({sort});
			get().namespaces.sortAgain();
		},
		sortAgain() {
			const namespaces = get().namespaces.data;
			if (namespaces.rows.length > 0)
				change(namespaceList.applyChange(namespaces, {rows: sortRows(namespaces.rowsByName)}));
		},
		goToPair() {
			const namespaces = get().namespaces.data;
			const pair = getSelectedNamespace(namespaces)?.pair;
			if (pair && namespaces.rows.some(({name}) => name === pair.name))
				change(namespaceList.applyRowFocus(namespaces, pair.name));
		},
		async create(title, signal, jurisdiction) {
			const createdNamespace = await runAuditedWrite(
				`create namespace ${title}`,
				'd in the list of namespaces deletes it.',
				(client, account) => createNamespace(client, account, {title, jurisdiction}, signal),
				signal,
			);
			await reload(signal, formatNamespaceRowName('remote', createdNamespace.id));
			const keptNote =
				createdNamespace.jurisdiction === undefined
					? ''
					: `, kept in ${formatJurisdiction(createdNamespace.jurisdiction)}`;
			get().messages.say(`Created "${title}" (${createdNamespace.id})${keptNote}.`);
		},
		async rename(row, title, signal) {
			const {id} = requireNamespaceId(row);
			await runAuditedWrite(
				`rename namespace ${id} to ${title}`,
				'R in the list of namespaces renames it back.',
				(client, account) => renameNamespace(client, account, id, title, signal),
				signal,
			);
			await reload(signal, row.name);
			get().messages.say(`Renamed "${row.title}" to "${title}".`);
		},
		async delete(row, signal) {
			const {id} = requireNamespaceId(row);
			await runAuditedWrite(
				`delete namespace ${id}`,
				'A deleted namespace cannot be restored.',
				(client, account) => deleteNamespace(client, account, id, signal),
				signal,
			);
			await reload(signal);
			get().messages.say(`Deleted "${row.title}" and every key in it.`);
		},
		forgetCount({place, namespace}) {
			if (namespace === undefined) return;
			const where = isLocalPlace(place) ? 'local' : 'remote';
			const {keyCounts, writtenRows, data: namespaces} = get().namespaces;
			const {run} = get().work;
			const counts = new Map(keyCounts);
			const name = formatNamespaceRowName(where, namespace);
			counts.delete(name);
			if (where === 'remote') get().metrics.expireStoreFigures();
			set({keyCounts: counts, writtenRows: new Set(writtenRows).add(name)});
			// Listing local data counts its keys.
			if (where === 'local' && namespaces.shownStorage === 'local' && namespaces.reading === 'read')
				void run('counting keys', 'background', async signal => void (await load('local', signal)));
		},
		markStale() {
			if (hasLoaded(get().namespaces.data)) change({reading: 'stale'});
		},
		countKeys: (row, count) =>
			set(({keyCounts, writtenRows}) => ({
				keyCounts: new Map(keyCounts).set(row, count),
				writtenRows: count.isExact ? writtenRows.difference(new Set([row])) : writtenRows,
			})),
	};
};

const formatNamespaceRowName = (where: Where, id: string): string => `${where}:${id}`;

function requireNamespaceId(row: NamespaceRow): {readonly id: string} {
	if (row.id !== undefined) return {id: row.id};
	throw new Failure('namespace_not_found', 'The id of this namespace is unknown.', {
		why: 'Its file name does not contain the id, and no binding in the configuration points to it.',
		next: 'Add its binding to the configuration file.',
	});
}

export const namespaceList = declareList({
	getSlice: state => state.namespaces,
	screen: 'namespaces',
	group: 'Namespaces',
	id: 'namespaces',
	rowLabel: 'namespace',
	getKey: ({name}: NamespaceRow) => name,
	getTitle: ({title}) => title,
	getTexts: ({title, bindings}) => [title, ...bindings.map(({binding}) => binding)],
	getIds: ({id}) => [id],
});

export const {listVisible: getVisibleNamespaces, getSelected: getSelectedNamespace} = namespaceList;

/** True if the namespace of a job is missing from the loaded list of its account. */
export function isTargetNamespaceGone(
	{namespaces: {data: namespaces}}: StateWith<'namespaces', 'data'>,
	target: JobTarget,
): boolean {
	const {listedTarget, reading, rows} = namespaces;
	const {namespace} = target;
	if (reading !== 'read' || !listedTarget || namespace === undefined) return false;
	return (
		isSameTarget(target, {...listedTarget, namespace}) &&
		!rows.some(({id, isMissing}) => id === namespace && !isMissing)
	);
}
