import {createInterruptedFailure, type Failure, toFailure} from '../../failure.ts';
import {KeyIndex} from '../../kv/key-index/key-index.ts';
import type {KeyRows} from '../../kv/key-index/rows.ts';
import {TreeRows} from '../../kv/key-index/tree-rows.ts';
import type {KeyEntry} from '../../kv/store.ts';
import type {OpenedNamespace} from '../../session/namespaces.ts';
import type {Slice} from '../../store/slice.ts';
import {formatPlainQuantity} from '../../text/figures.ts';
import {type Arrangement, buildKeyRows, type Sort} from './arranged-rows.ts';
import {getCurrentKeyRow} from './cursor-row.ts';
import {createKeyPages} from './key-pages.ts';
import {createKeysListing, sliceMs} from './listing.ts';
import type {NamespaceRow} from './namespace-rows.ts';
import {openNamespaceRow} from './open-row.ts';
import {getShownRanges, listSelectedShownNames} from './shown-keys.ts';
import {KnownSizes} from './sizes.ts';
import type {KeysState} from './state.ts';

/** A namespace that is being opened, or that could not be opened. */
type OpeningKeys = {readonly namespace: NamespaceRow; readonly failure?: Failure | undefined};

/** Saved state of a list: its filter, and the key or prefix under the cursor. */
export type SavedKeysView = {readonly filter: string; readonly cursorName: string | undefined};

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly keys: KeysSlice;
	}
}

type KeysSlice = {
	readonly data: KeysState | undefined;
	/** The namespace that will replace `data`. A namespace that is refreshed stays in `data` meanwhile. */
	readonly opening: OpeningKeys | undefined;
	/**
	 * Opens a namespace without listing its keys. `providedNamespace` is used if it is open already;
	 * `savedView` restores the filter and the cursor.
	 */
	open(
		namespace: NamespaceRow,
		signal: AbortSignal,
		providedNamespace?: OpenedNamespace,
		savedView?: SavedKeysView,
	): Promise<void>;
	/**
	 * Lists keys page by page as the cursor moves, or all of them on request. Resolves when all keys are
	 * listed, the namespace is closed or the signal aborts.
	 */
	list(signal: AbortSignal): Promise<void>;
	/** Marks the list stale after keys were written. */
	markStale(): void;
	/**
	 * Lists a stale namespace again. Keeps selection, filter and cursor; `focusName` moves the cursor to that
	 * key.
	 */
	refresh(focusName?: string): Promise<void>;
	/** Resumes a failed listing where it stopped. */
	resumeListing(): void;
	close(): void;
	move(by: number): void;
	/**
	 * Opens or closes the group under the cursor; toggles it by default. Returns false if nothing changed.
	 */
	toggleGroup(shouldOpen?: boolean): boolean;
	/** Closes the group at or around the cursor and moves the cursor to it. */
	closeGroup(): void;
	/** Switches between tree and list. The tree is always sorted by name. */
	arrange(arrangement: Arrangement): void;
	/** Sorts listed keys, and later ones as they arrive. */
	sort(sort: Sort): void;
	filter(filter: string): void;
	/** Toggles the selection of the row under the cursor, then moves down. */
	toggleRowSelection(): void;
	/** Selects all shown keys, or deselects them if all of them are selected. */
	toggleShownSelection(): void;
	/** Deselects what the filter hides. */
	selectOnlyShown(): void;
	/** Lists all keys. */
	listAll(): void;
	/**
	 * Esc: stops listing, else clears the filter, else the selection. Returns true if it did one of these.
	 */
	clearFilters(): boolean;
	/**
	 * Adds or updates a key written in this session. The cursor moves to it unless `cursorMode` is `stays`.
	 */
	noticeChange(entry: KeyEntry, cursorMode?: 'goes' | 'stays'): void;
	noticeDeletion(names: Iterable<string>): void;
	/** Records the size of a value that was read or written, in bytes. */
	noticeSize(name: string, bytes: number): void;
};

/** Minimum keys per row, on average, for the tree to be shown. */
const minKeysPerTreeRow = 4;

export const createKeysSlice: Slice<KeysSlice> = (set, get, {session}) => {
	const pages = createKeyPages(session, text => get().messages.warn(text));
	let tree = new TreeRows(new KeyIndex(pages));

	const change = (part: Partial<KeysState>) =>
		set(({data: keys}) => (keys ? {data: {...keys, ...part, revision: keys.revision + 1}} : {}));

	/** Key that the cursor returns to after a refresh, until that key is listed or the cursor is moved. */
	let pendingCursorName: string | undefined;
	/** Names selected before a refresh and not listed again yet. */
	let pendingSelection = new Set<string>();
	/** True if the namespace was opened; false if it was refreshed. */
	let isFirstListing = true;
	/** The refresh under way; all callers wait for the same one. */
	let pendingRefresh: Promise<void> | undefined;

	/** Returns the name or prefix under the cursor, to find it after rows change. */
	const getNameUnderCursor = ({rows, cursor, index}: KeysState): string | undefined => {
		const row = rows.at(cursor);
		return row?.kind === 'group' ? row.prefix : row && index.getName(row.position);
	};

	const moveCursorTo = (name: string | undefined) => {
		const keys = get().keys.data;
		if (!keys || name === undefined) return;
		const groupRow = keys.rows === tree ? tree.findPrefixRow(name) : undefined;
		const row =
			groupRow ??
			keys.rows.findRow(Math.min(keys.index.find(name).position, Math.max(0, keys.index.count - 1)));
		change({cursor: Math.max(0, Math.min(keys.rows.count - 1, row))});
	};

	/** Moves the cursor back to its key after a refresh, once that key is listed. */
	const restoreCursor = (hasMore: boolean) => {
		const keys = get().keys.data;
		if (!keys || pendingCursorName === undefined) return;
		const {position, isFound} = keys.index.find(pendingCursorName);
		if (!isFound && position === keys.index.count && hasMore) return;
		moveCursorTo(pendingCursorName);
		pendingCursorName = undefined;
		if (keys.filter === '') listing.endSeek();
	};

	/** Selects listed keys that were selected before a refresh. */
	const restoreSelection = ({index}: KeysState, entries: readonly KeyEntry[]) => {
		if (pendingSelection.size === 0) return;
		for (const {name} of entries)
			if (pendingSelection.delete(name)) index.select(index.find(name).position, true);
	};

	async function openWritableNamespace(
		namespace: NamespaceRow,
		signal: AbortSignal,
	): Promise<OpenedNamespace> {
		try {
			const openedNamespace = await openNamespaceRow(session, namespace, {write: true}, signal);
			if (!signal.aborted) return openedNamespace;
			openedNamespace.store[Symbol.dispose]();
			throw createInterruptedFailure();
		} catch (error) {
			set({opening: {namespace, failure: toFailure(error)}});
			throw error;
		}
	}

	async function refreshStaleKeys(): Promise<void> {
		const keys = get().keys.data;
		const {run} = get().work;
		if (!keys?.isStale) return;
		const {title} = keys.namespace;
		const open = (signal: AbortSignal) => get().keys.open(keys.namespace, signal);
		// This is not awaited because the listing runs until the namespace is closed.
		if (await run(`refreshing ${title}`, 'background', open))
			void run(`listing ${title}`, 'background', signal => get().keys.list(signal));
	}

	/** Builds the rows for the given options. The tree keeps its open groups. */
	function buildShownRows(options: Parameters<typeof buildKeyRows>[0]): KeyRows {
		const rows = buildKeyRows(options, tree);
		rows.advance(sliceMs);
		return rows;
	}

	/**
	 * Adapts the tree to the first page. If one group holds all keys, it is opened. If all keys are listed
	 * and the tree is hardly shorter than the list, the list is shown.
	 */
	function adaptInitialTree(index: KeyIndex, hasMore: boolean): void {
		if (tree.count === 1 && tree.at(0)?.kind === 'group') {
			tree.open(0);
			tree.advance(sliceMs);
		}
		if (!hasMore && tree.count * minKeysPerTreeRow > index.count) get().keys.arrange('flat');
	}

	const updateNamespaceCount = ({index, namespace, listing}: KeysState): void =>
		get().namespaces.countKeys(namespace.name, {keys: index.count, isExact: listing.state === 'complete'});

	const listing = createKeysListing({
		get,
		change,
		moveCursorTo: name => moveCursorTo(name),
		onPage(keys, {isFirst, hasMore, entries}) {
			if (isFirst && isFirstListing && keys.rows === tree) adaptInitialTree(keys.index, hasMore);
			restoreSelection(keys, entries);
			restoreCursor(hasMore);
		},
	});

	return {
		data: undefined,
		opening: undefined,
		async open(namespace, signal, providedNamespace, savedView) {
			set({opening: {namespace}});
			const openedNamespace = providedNamespace ?? (await openWritableNamespace(namespace, signal));
			const currentKeys = get().keys.data;
			const previousKeys = currentKeys?.namespace.name === namespace.name ? currentKeys : undefined;
			pendingCursorName = previousKeys ? getNameUnderCursor(previousKeys) : savedView?.cursorName;
			get().keys.close();
			pendingSelection = new Set(previousKeys?.index.listSelectedNames());
			const {arrangement = 'tree', filter = savedView?.filter ?? '', sort = 'name'} = previousKeys ?? {};
			listing.begin(pendingCursorName !== undefined || filter !== '');
			const index = new KeyIndex(pages);
			tree = new TreeRows(index, previousKeys ? tree.openPrefixes : []);
			isFirstListing = !previousKeys;
			set({
				data: {
					namespace,
					opened: openedNamespace,
					quota: openedNamespace.store.quota?.(),
					index,
					rows: buildShownRows({index, arrangement, filter, sort}),
					arrangement,
					sort,
					filter,
					sizes: new KnownSizes(openedNamespace.store),
					revision: 0,
					cursor: 0,
					listing: {state: 'reading', readsToEnd: false},
					isStale: false,
				},
			});
		},
		markStale: () => change({isStale: true}),
		async refresh(focusName) {
			pendingRefresh ??= refreshStaleKeys();
			await pendingRefresh;
			pendingRefresh = undefined;
			if (focusName === undefined) return;
			pendingCursorName = focusName;
			listing.seek();
			restoreCursor(get().keys.data?.listing.state !== 'complete');
		},
		list: signal => listing.run(signal),
		resumeListing: () => change({listing: {state: 'resting'}}),
		close() {
			get().keys.data?.opened.store[Symbol.dispose]();
			set({data: undefined, opening: undefined});
			listing.end();
		},
		move(by) {
			const keys = get().keys.data;
			if (!keys) return;
			pendingCursorName = undefined;
			listing.onCursorMove(by === Number.POSITIVE_INFINITY);
			change({cursor: Math.max(0, Math.min(keys.rows.count - 1, keys.cursor + by))});
			listing.schedule();
		},
		toggleGroup(shouldOpen) {
			const keys = get().keys.data;
			const row = keys && getCurrentKeyRow(keys);
			if (!keys || row?.kind !== 'group' || row.open === shouldOpen) return false;
			tree.toggle(keys.cursor);
			tree.advance(sliceMs);
			change({});
			listing.focusWhenLoaded(undefined);
			return true;
		},
		closeGroup() {
			const keys = get().keys.data;
			if (!keys || keys.rows !== tree || get().keys.toggleGroup(false)) return;
			const parent = tree.findParentRow(keys.cursor);
			if (parent === undefined) return;
			tree.close(parent);
			change({cursor: parent});
		},
		arrange(arrangement) {
			const keys = get().keys.data;
			if (!keys) return;
			const name = getNameUnderCursor(keys);
			const sort = arrangement === 'tree' ? 'name' : keys.sort;
			// Filtered rows look the same in both arrangements, so the search does not start again.
			const keepsRows = keys.filter !== '' && sort === keys.sort;
			change({arrangement, sort, rows: keepsRows ? keys.rows : buildShownRows({...keys, arrangement, sort})});
			listing.focusWhenLoaded(name);
		},
		sort(sort) {
			const keys = get().keys.data;
			if (!keys || keys.sort === sort) return;
			// A new order starts at its first key.
			change({sort, rows: buildShownRows({...keys, sort}), cursor: 0});
			listing.schedule();
		},
		filter(filter) {
			const keys = get().keys.data;
			if (!keys || keys.filter === filter) return;
			const name = getNameUnderCursor(keys);
			change({filter, rows: buildShownRows({...keys, filter}), cursor: 0});
			if (filter === '') moveCursorTo(name);
			else listing.listAll();
			listing.schedule();
		},
		toggleRowSelection() {
			const keys = get().keys.data;
			if (!keys || keys.rows.count === 0) return;
			const {from, to} = keys.rows.getPositions(keys.cursor);
			const shouldSelect = keys.index.countSelected(from, to) < to - from;
			keys.index.selectRange(from, to, shouldSelect);
			get().keys.move(1);
		},
		toggleShownSelection() {
			const keys = get().keys.data;
			if (!keys) return;
			const {index} = keys;
			const ranges = getShownRanges(keys);
			const areAllSelected = ranges.every(({from, to}) => index.countSelected(from, to) === to - from);
			for (const {from, to} of ranges) index.selectRange(from, to, !areAllSelected);
			change({});
		},
		selectOnlyShown() {
			const keys = get().keys.data;
			if (!keys) return;
			const names = [...listSelectedShownNames(keys)];
			keys.index.clearSelection();
			for (const name of names) keys.index.select(keys.index.find(name).position, true);
			change({});
		},
		listAll() {
			listing.listAll();
			change({});
		},
		clearFilters() {
			const keys = get().keys.data;
			if (!keys) return false;
			if (listing.isListingAll() && keys.listing.state !== 'complete') {
				listing.stop();
				get().messages.say(
					`Stopped: ${formatPlainQuantity(keys.index.count, 'key')} listed, and there are more.`,
				);
				return true;
			}
			if (keys.filter !== '') {
				get().keys.filter('');
				return true;
			}
			if (keys.index.selectedCount > 0) {
				keys.index.clearSelection();
				change({});
				return true;
			}
			return false;
		},
		noticeChange(entry, cursorMode = 'goes') {
			const keys = get().keys.data;
			if (!keys) return;
			const name = cursorMode === 'goes' ? entry.name : getNameUnderCursor(keys);
			keys.index.put(entry);
			keys.sizes.forget(entry.name);
			keys.rows.advance(sliceMs);
			change({});
			updateNamespaceCount(keys);
			listing.focusWhenLoaded(name);
			get().peek.forget();
		},
		noticeDeletion(names) {
			const keys = get().keys.data;
			if (!keys) return;
			const name = getNameUnderCursor(keys);
			const deletedNames = [...names];
			keys.index.removeAll(deletedNames);
			for (const deletedName of deletedNames) keys.sizes.forget(deletedName);
			updateNamespaceCount(keys);
			get().peek.forget();
			keys.rows.advance(sliceMs);
			change({});
			// The cursor stays on its key. If that key was deleted, the cursor stays on its row.
			listing.onCursorMove(false);
			listing.focusWhenLoaded(name);
		},
		noticeSize(name, bytes) {
			const keys = get().keys.data;
			if (!keys || keys.sizes.getSize(name) === bytes) return;
			keys.sizes.set(name, bytes);
			change({});
		},
	};
};
