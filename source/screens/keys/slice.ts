import {asFailure, type Failure, interrupted} from '../../failure.ts';
import {KeyIndex} from '../../kv/key-index/key-index.ts';
import type {KeyRows} from '../../kv/key-index/rows.ts';
import {TreeRows} from '../../kv/key-index/tree-rows.ts';
import type {KeyEntry} from '../../kv/store.ts';
import type {OpenedNamespace} from '../../session/namespaces.ts';
import type {Slice} from '../../store/slice.ts';
import {quantity} from '../../text/figures.ts';
import {type Arrangement, arrangedRows, type Sort} from './arranged-rows.ts';
import {keyRowHere} from './here.ts';
import {keyPages} from './key-pages.ts';
import {createKeysListing, slice} from './listing.ts';
import type {NamespaceRow} from './namespace-rows.ts';
import {openRow} from './open-row.ts';
import {selectedShownNames, shownRanges} from './shown.ts';
import {KnownSizes} from './sizes.ts';
import type {KeysState} from './state.ts';

/** A namespace that is being opened, or failed to open. */
type OpeningKeys = {readonly namespace: NamespaceRow; readonly failure?: Failure | undefined};

/** Saved state of a list: its filter, and the key or prefix under the cursor. */
export type LeftKeys = {readonly filter: string; readonly on: string | undefined};

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly keys: KeysSlice;
	}
}

type KeysSlice = {
	readonly data: KeysState | undefined;
	/** The namespace that replaces `data` when open; a refreshed namespace stays in `data` until then. */
	readonly opening: OpeningKeys | undefined;
	/**
	 * Opens a namespace, or uses `open` if given; `savedView` restores its filter and cursor. `list` lists
	 * its keys.
	 */
	open(namespace: NamespaceRow, signal: AbortSignal, open?: OpenedNamespace, left?: LeftKeys): Promise<void>;
	/**
	 * Lists keys page by page: ahead of the cursor, or to the end if requested; then waits. Resolves when
	 * everything is listed, the namespace is closed or the signal aborts.
	 */
	list(signal: AbortSignal): Promise<void>;
	/** Marks the list stale after keys were written. */
	markOutdated(): void;
	/**
	 * Lists a stale namespace again. Keeps selection, filter and cursor; `focusName` moves the cursor to that
	 * key.
	 */
	refresh(goesTo?: string): Promise<void>;
	/** Resumes a failed listing where it stopped. */
	listMore(): void;
	close(): void;
	move(by: number): void;
	/** Opens or closes the group under the cursor. Returns false if nothing changed. */
	toggleGroup(open?: boolean): boolean;
	/** Closes the group at or around the cursor and moves the cursor to it. */
	closeGroup(): void;
	/** `tree` also sorts by name. */
	arrange(arrangement: Arrangement): void;
	/** Sorts listed keys, and later ones as they arrive. */
	sort(sort: Sort): void;
	filter(filter: string): void;
	/** Toggles the selection of the row under the cursor, then moves down. */
	toggleSelected(): void;
	/** Selects all shown rows, or none if all are selected. */
	selectAll(): void;
	/** Deselects what the filter hides. */
	selectOnlyShown(): void;
	/** Lists all keys. */
	listAll(): void;
	/**
	 * Esc: stops listing, else clears the filter, else the selection. Returns true if it did one of these.
	 */
	stopNarrowing(): boolean;
	/** Adds or updates an entry written in this session; moves the cursor to it, unless it `stays`. */
	noticeChange(entry: KeyEntry, cursor?: 'goes' | 'stays'): void;
	noticeDeletion(names: Iterable<string>): void;
	/** Records the size of a value that was read or written, in bytes. */
	noticeSize(name: string, bytes: number): void;
};

/** Minimum keys per row, on average, for the tree to be shown. */
const worthATree = 4;

export const createKeysSlice: Slice<KeysSlice> = (set, get, {session}) => {
	const pages = keyPages(session, text => get().messages.warn(text));
	let tree = new TreeRows(new KeyIndex(pages));

	const change = (part: Partial<KeysState>) =>
		set(({data: keys}) => (keys ? {data: {...keys, ...part, revision: keys.revision + 1}} : {}));

	/** Cursor target after a refresh, until listed or moved. */
	let sought: string | undefined;
	/** Names selected before a refresh and not listed again yet. */
	let selectedBefore = new Set<string>();
	/** False after a refresh. */
	let isNew = true;
	/** The running refresh, which the screen and changes of keys share. */
	let refreshing: Promise<void> | undefined;

	/** Returns the name or prefix under the cursor, to find it after rows change. */
	const nameHere = ({rows, cursor, index}: KeysState): string | undefined => {
		const row = rows.at(cursor);
		return row?.kind === 'group' ? row.prefix : row && index.nameAt(row.position);
	};

	const goTo = (name: string | undefined) => {
		const keys = get().keys.data;
		if (!keys || name === undefined) return;
		const group = keys.rows === tree ? tree.rowOfPrefix(name) : undefined;
		const row =
			group ?? keys.rows.rowOf(Math.min(keys.index.find(name).position, Math.max(0, keys.index.count - 1)));
		change({cursor: Math.max(0, Math.min(keys.rows.count - 1, row))});
	};

	/** Moves the cursor back after a refresh when the listing has reached its key. */
	const findSought = (more: boolean) => {
		const keys = get().keys.data;
		if (!keys || sought === undefined) return;
		const {position, found} = keys.index.find(sought);
		if (!found && position === keys.index.count && more) return;
		goTo(sought);
		sought = undefined;
		if (keys.filter === '') listing.enough();
	};

	/** Selects listed keys that were selected before a refresh. */
	const reselect = ({index}: KeysState, entries: readonly KeyEntry[]) => {
		if (selectedBefore.size === 0) return;
		for (const {name} of entries)
			if (selectedBefore.delete(name)) index.select(index.find(name).position, true);
	};

	async function openedFor(namespace: NamespaceRow, signal: AbortSignal): Promise<OpenedNamespace> {
		try {
			const opened = await openRow(session, namespace, {write: true}, signal);
			if (!signal.aborted) return opened;
			opened.store[Symbol.dispose]();
			throw interrupted();
		} catch (error) {
			set({opening: {namespace, failure: asFailure(error)}});
			throw error;
		}
	}

	async function refresh(): Promise<void> {
		const keys = get().keys.data;
		const {run} = get().work;
		if (!keys?.isStale) return;
		const {title} = keys.namespace;
		const open = (signal: AbortSignal) => get().keys.open(keys.namespace, signal);
		// Not awaited: listing ends when the namespace is closed.
		if (await run(`refreshing ${title}`, 'background', open))
			void run(`listing ${title}`, 'background', signal => get().keys.list(signal));
	}

	/** Builds the rows; the tree keeps its open groups. */
	function rowsFor(as: Parameters<typeof arrangedRows>[0]): KeyRows {
		const rows = arrangedRows(as, tree);
		rows.advance(slice);
		return rows;
	}

	/**
	 * Adapts the tree to the first page: opens a single group, which would hide all keys, and switches to the
	 * list if the tree of a complete listing is hardly shorter.
	 */
	function beginTree(index: KeyIndex, more: boolean): void {
		if (tree.count === 1 && tree.at(0)?.kind === 'group') {
			tree.open(0);
			tree.advance(slice);
		}
		if (!more && tree.count * worthATree > index.count) get().keys.arrange('flat');
	}

	const recount = ({index, namespace, listing}: KeysState): void =>
		get().namespaces.countKeys(namespace.name, {keys: index.count, exact: listing.state === 'complete'});

	const listing = createKeysListing({
		get,
		change,
		goTo: name => goTo(name),
		onPage(keys, {first, more, entries}) {
			if (first && isNew && keys.rows === tree) beginTree(keys.index, more);
			reselect(keys, entries);
			findSought(more);
		},
	});

	return {
		data: undefined,
		opening: undefined,
		async open(namespace, signal, open, left) {
			set({opening: {namespace}});
			const opened = open ?? (await openedFor(namespace, signal));
			const before = get().keys.data;
			const again = before?.namespace.name === namespace.name ? before : undefined;
			sought = again ? nameHere(again) : left?.on;
			get().keys.close();
			selectedBefore = new Set(again?.index.selectedNames());
			const {arrangement = 'tree', filter = left?.filter ?? '', sort = 'name'} = again ?? {};
			listing.begin(sought !== undefined || filter !== '');
			const index = new KeyIndex(pages);
			tree = new TreeRows(index, again ? tree.openPrefixes : []);
			isNew = !again;
			set({
				data: {
					namespace,
					opened,
					quota: opened.store.quota?.(),
					index,
					rows: rowsFor({index, arrangement, filter, sort}),
					arrangement,
					sort,
					filter,
					sizes: new KnownSizes(opened.store),
					revision: 0,
					cursor: 0,
					listing: {state: 'reading', all: false},
					isStale: false,
				},
			});
		},
		markOutdated: () => change({isStale: true}),
		async refresh(goesTo) {
			refreshing ??= refresh();
			await refreshing;
			refreshing = undefined;
			if (goesTo === undefined) return;
			sought = goesTo;
			listing.seek();
			findSought(get().keys.data?.listing.state !== 'complete');
		},
		list: signal => listing.run(signal),
		listMore: () => change({listing: {state: 'resting'}}),
		close() {
			get().keys.data?.opened.store[Symbol.dispose]();
			set({data: undefined, opening: undefined});
			listing.end();
		},
		move(by) {
			const keys = get().keys.data;
			if (!keys) return;
			sought = undefined;
			listing.moved(by === Number.POSITIVE_INFINITY);
			change({cursor: Math.max(0, Math.min(keys.rows.count - 1, keys.cursor + by))});
			listing.wake();
		},
		toggleGroup(open) {
			const keys = get().keys.data;
			const row = keys && keyRowHere(keys);
			if (!keys || row?.kind !== 'group' || row.open === open) return false;
			tree.toggle(keys.cursor);
			tree.advance(slice);
			change({});
			listing.aim(undefined);
			return true;
		},
		closeGroup() {
			const keys = get().keys.data;
			if (!keys || keys.rows !== tree || get().keys.toggleGroup(false)) return;
			const parent = tree.parentOf(keys.cursor);
			if (parent === undefined) return;
			tree.close(parent);
			change({cursor: parent});
		},
		arrange(arrangement) {
			const keys = get().keys.data;
			if (!keys) return;
			const name = nameHere(keys);
			const sort = arrangement === 'tree' ? 'name' : keys.sort;
			// Filtered rows are a list in both arrangements: no new search.
			const isSame = keys.filter !== '' && sort === keys.sort;
			change({arrangement, sort, rows: isSame ? keys.rows : rowsFor({...keys, arrangement, sort})});
			listing.aim(name);
		},
		sort(sort) {
			const keys = get().keys.data;
			if (!keys || keys.sort === sort) return;
			// A new order starts at its first key.
			change({sort, rows: rowsFor({...keys, sort}), cursor: 0});
			listing.wake();
		},
		filter(filter) {
			const keys = get().keys.data;
			if (!keys || keys.filter === filter) return;
			const name = nameHere(keys);
			change({filter, rows: rowsFor({...keys, filter}), cursor: 0});
			if (filter === '') goTo(name);
			else listing.all();
			listing.wake();
		},
		toggleSelected() {
			const keys = get().keys.data;
			if (!keys || keys.rows.count === 0) return;
			const {from, to} = keys.rows.positionsOf(keys.cursor);
			const on = keys.index.selectedBetween(from, to) < to - from;
			keys.index.selectRange(from, to, on);
			get().keys.move(1);
		},
		selectAll() {
			const keys = get().keys.data;
			if (!keys) return;
			const {index} = keys;
			const ranges = shownRanges(keys);
			const all = ranges.every(({from, to}) => index.selectedBetween(from, to) === to - from);
			for (const {from, to} of ranges) index.selectRange(from, to, !all);
			change({});
		},
		selectOnlyShown() {
			const keys = get().keys.data;
			if (!keys) return;
			const names = [...selectedShownNames(keys)];
			keys.index.clearSelection();
			for (const name of names) keys.index.select(keys.index.find(name).position, true);
			change({});
		},
		listAll() {
			listing.all();
			change({});
		},
		stopNarrowing() {
			const keys = get().keys.data;
			if (!keys) return false;
			if (listing.isForAll() && keys.listing.state !== 'complete') {
				listing.stop();
				get().messages.say(`Stopped: ${quantity(keys.index.count, 'key')} listed, and there are more.`);
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
		noticeChange(entry, cursor = 'goes') {
			const keys = get().keys.data;
			if (!keys) return;
			const name = cursor === 'goes' ? entry.name : nameHere(keys);
			keys.index.put(entry);
			keys.sizes.forget(entry.name);
			keys.rows.advance(slice);
			change({});
			recount(keys);
			listing.aim(name);
			get().peek.forget();
		},
		noticeDeletion(names) {
			const keys = get().keys.data;
			if (!keys) return;
			const name = nameHere(keys);
			const gone = [...names];
			keys.index.removeAll(gone);
			for (const one of gone) keys.sizes.forget(one);
			recount(keys);
			get().peek.forget();
			keys.rows.advance(slice);
			change({});
			// The cursor stays on its key, or takes the row of a deleted one.
			listing.moved(false);
			listing.aim(name);
		},
		noticeSize(name, bytes) {
			const keys = get().keys.data;
			if (!keys || keys.sizes.of(name) === bytes) return;
			keys.sizes.note(name, bytes);
			change({});
		},
	};
};
