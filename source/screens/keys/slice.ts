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

/** A namespace that is being opened, or could not be. */
type OpeningKeys = {readonly namespace: NamespaceRow; readonly failure?: Failure | undefined};

/** How a list of keys was left: its filter, and the key or prefix under the cursor. */
export type LeftKeys = {readonly filter: string; readonly on: string | undefined};

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly keys: KeysSlice;
	}
}

type KeysSlice = {
	readonly data: KeysState | undefined;
	/** What will be in `keys`; keys of a namespace that is refreshed stay there until then. */
	readonly opening: OpeningKeys | undefined;
	/** Opens a namespace, or takes what is `open` of it, with its list as it was `left`; `keys.list` lists its keys. */
	open(namespace: NamespaceRow, signal: AbortSignal, open?: OpenedNamespace, left?: LeftKeys): Promise<void>;
	/**
	 * Lists the keys page by page: ahead of the cursor, to the end when that was asked for, and then rests until it
	 * is needed. Ends when everything is listed, the namespace is closed or the signal is aborted.
	 */
	list(signal: AbortSignal): Promise<void>;
	/** Keys of the namespace that is open were written since it was listed. */
	markOutdated(): void;
	/** Lists a namespace again whose list is stale; selection and filter stay, and the cursor, unless it goes to a key. */
	refresh(goesTo?: string): Promise<void>;
	/** Continues a listing that failed where it stopped. */
	listMore(): void;
	close(): void;
	move(by: number): void;
	/** Opens or closes the group under the cursor; returns whether there is one. */
	toggleGroup(open?: boolean): boolean;
	/** Closes the open group that the cursor is in, and is on it. */
	closeGroup(): void;
	/** As a tree they are sorted by name. */
	arrange(arrangement: Arrangement): void;
	/** Sorts what is listed, and what will be. */
	sort(sort: Sort): void;
	filter(filter: string): void;
	/** Selects what is under the cursor, or takes it back, and goes on to the next row. */
	toggleSelected(): void;
	/** Selects all rows that are shown, or nothing when all of them are selected. */
	selectAll(): void;
	/** Of what is selected, only what is shown stays selected. */
	selectOnlyShown(): void;
	/** Reads on until everything is listed. */
	listAll(): void;
	/** Esc: takes back what narrows the list, the latest first. Returns whether there was anything. */
	stopNarrowing(): boolean;
	/** Takes in what was written or deleted here; the cursor goes to what was written, unless it stays. */
	noticeChange(entry: KeyEntry, cursor?: 'goes' | 'stays'): void;
	noticeDeletion(names: Iterable<string>): void;
	/** The value of a key of the namespace that is open was read or written, and is so large. */
	noticeSize(name: string, bytes: number): void;
};

/** How many keys a row of the tree must represent, on average. */
const worthATree = 4;

export const createKeysSlice: Slice<KeysSlice> = (set, get, {session}) => {
	const pages = keyPages(session, text => get().messages.warn(text));
	let tree = new TreeRows(new KeyIndex(pages));

	const change = (part: Partial<KeysState>) =>
		set(({data: keys}) => (keys ? {data: {...keys, ...part, revision: keys.revision + 1}} : {}));

	/** Where the cursor was before everything was refreshed, until that has been listed or someone moves. */
	let sought: string | undefined;
	/** Names that were selected then and have not been listed again. */
	let selectedBefore = new Set<string>();
	/** Whether the namespace was opened for the first time, and not refreshed. */
	let isNew = true;
	/** The screen in front asks for it, and what has changed the keys. */
	let refreshing: Promise<void> | undefined;

	/** The name under the cursor, to find it again when the rows are arranged again. */
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

	/**
	 * Puts the cursor where it was before everything was refreshed, once the listing has come there: until then it is
	 * read on.
	 */
	const findSought = (more: boolean) => {
		const keys = get().keys.data;
		if (!keys || sought === undefined) return;
		const {position, found} = keys.index.find(sought);
		if (!found && position === keys.index.count && more) return;
		goTo(sought);
		sought = undefined;
		if (keys.filter === '') listing.enough();
	};

	/** Selects again what was selected before everything was refreshed. */
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
		// It lists until the namespace is closed: nobody waits for that.
		if (await run(`refreshing ${title}`, 'background', open))
			void run(`listing ${title}`, 'background', signal => get().keys.list(signal));
	}

	/** Rows of the keys as they are to be shown. The tree is kept, with what is open in it. */
	function rowsFor(as: Parameters<typeof arrangedRows>[0]): KeyRows {
		const rows = arrangedRows(as, tree);
		rows.advance(slice);
		return rows;
	}

	/**
	 * After the first page: where everything lies below one prefix, its closed row would hide it, so it is opened; and
	 * a tree that is hardly shorter than the list, all of which is there, helps nobody, so the list is shown.
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
			// What a filter found is a list in either arrangement, and is not searched for again.
			const isSame = keys.filter !== '' && sort === keys.sort;
			change({arrangement, sort, rows: isSame ? keys.rows : rowsFor({...keys, arrangement, sort})});
			listing.aim(name);
		},
		sort(sort) {
			const keys = get().keys.data;
			if (!keys || keys.sort === sort) return;
			// The first of the new order is what is looked for.
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
			// The cursor stays on its key; what follows takes the place of what is gone.
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
