import {createInterruptedFailure, toFailure} from '../../failure.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {getFilterPrefix, parseKeyFilter} from '../../kv/key-index/key-filter.ts';
import {KeyIndex} from '../../kv/key-index/key-index.ts';
import {PrefixKeys} from '../../kv/key-index/prefix-keys.ts';
import {listPrefixes} from '../../kv/key-index/prefixes.ts';
import type {KeyRows} from '../../kv/key-index/rows.ts';
import {TreeRows} from '../../kv/key-index/tree-rows.ts';
import type {KeyEntry} from '../../kv/store.ts';
import {createEnvironmentClock} from '../../service/clock.ts';
import type {OpenedNamespace} from '../../session/namespaces.ts';
import {isSameTarget} from '../../state/job-record.ts';
import type {Slice} from '../../store/slice.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {type Arrangement, buildKeyRows, dropPrefixKeys, minKeysPerTreeRow} from './arranged-rows.ts';
import {
	findCursorTarget,
	findNearestRow,
	getCurrentKeyRow,
	getNameUnderCursor,
	listCursorTargets,
	listNamesFromCursor,
} from './cursor-row.ts';
import {createKeyPages} from './key-pages.ts';
import {createKeysListing, sliceMs} from './listing.ts';
import type {NamespaceRow} from './namespace-rows.ts';
import {openNamespaceRow} from './open-row.ts';
import {createKeySelection, endKeyExtension} from './selection.ts';
import {KnownSizes} from './sizes.ts';
import type {KeysSlice, KeysState} from './state.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly keys: KeysSlice;
	}
}

export const createKeysSlice: Slice<KeysSlice> = (set, get, {session, elapsed}) => {
	const pages = createKeyPages(session, text => get().messages.warn(text));
	let wholeTree = new TreeRows(new KeyIndex(pages));
	/** The tree that is shown: `wholeTree`, or that of a prefix filter. */
	let tree = wholeTree;
	/** The last choice of the user between tree and list, for all namespaces. */
	/** By name of the namespace. */
	const chosenArrangements = new Map<string, Arrangement>();
	/** The last closed namespace, if it was listed to the end. */
	let keptListing: {readonly keys: KeysState; readonly tree: TreeRows} | undefined;
	/** Key under the cursor before a prefix filter. */
	let nameBeforePrefix: string | undefined;

	const change = (part: Partial<KeysState>) =>
		set(({data: keys}) => (keys ? {data: {...keys, ...part, revision: keys.revision + 1}} : {}));

	/** Names for the cursor after a refresh, best first, until one is listed or the cursor is moved. */
	let pendingCursorNames: readonly string[] = [];
	/** Names selected before a refresh and not listed again yet. */
	let pendingSelection = new Set<string>();
	/** True if the namespace was opened; false if it was refreshed. */
	let isFirstListing = true;
	/** The refresh under way; all callers wait for the same one. */
	let pendingRefresh: Promise<void> | undefined;

	const moveCursorTo = (name: string | undefined) => {
		const keys = get().keys.data;
		if (keys && name !== undefined) change({cursor: findNearestRow(keys, name)});
	};

	/** Moves the cursor back to its key after a refresh, once that key is listed. */
	const restoreCursor = (hasMore: boolean) => {
		const keys = get().keys.data;
		if (!keys || pendingCursorNames.length === 0) return;
		const target = findCursorTarget(keys, pendingCursorNames, hasMore);
		if (target?.isAwaited) return;
		moveCursorTo(target?.name ?? pendingCursorNames[0]);
		pendingCursorNames = [];
		if (parseKeyFilter(keys.filter).kind !== 'text') listing.endSeek();
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

	/** Opens the group that contains all keys, if one does. */
	function openOnlyGroup(): void {
		if (tree.count !== 1 || tree.at(0)?.kind !== 'group') return;
		tree.open(0);
		tree.advance(sliceMs);
	}

	/**
	 * Adapts the tree to the first page: if all keys are listed and the tree is hardly shorter than the list,
	 * the list is shown, unless the user chose the tree.
	 */
	function adaptInitialTree(index: KeyIndex, hasMore: boolean): void {
		openOnlyGroup();
		const isChosen = chosenArrangements.has(get().keys.data?.namespace.name ?? '');
		if (!hasMore && !isChosen && tree.count * minKeysPerTreeRow > index.count) get().keys.arrange('flat');
	}

	const updateNamespaceCount = ({index, namespace}: KeysState): void =>
		get().namespaces.countKeys(namespace.name, {keys: index.count, isExact: index.complete});

	/** Creates the keys of a prefix filter and their tree. Its groups are open down to the prefix. */
	function createPrefixKeys(index: KeyIndex, prefix: string, openPrefixes: readonly string[]): PrefixKeys {
		const prefixKeys = new PrefixKeys(index, prefix);
		tree = new TreeRows(index, [...openPrefixes, ...listPrefixes(prefix, 0)], prefixKeys);
		return prefixKeys;
	}

	const listing = createKeysListing({
		get,
		clock: {...(session.clock.client ?? createEnvironmentClock(session.env)), elapsed},
		change,
		moveCursorTo: name => moveCursorTo(name),
		onPage(keys, {isFirst, hasMore, entries}) {
			if (isFirst && keys.rows === tree) {
				if (keys.prefixKeys) openOnlyGroup();
				else if (isFirstListing) adaptInitialTree(keys.index, hasMore);
			}
			restoreSelection(keys, entries);
			restoreCursor(hasMore);
		},
	});

	const selection = createKeySelection(
		() => get().keys,
		change,
		() => {
			pendingCursorNames = [];
		},
	);

	return {
		data: undefined,
		opening: undefined,
		async open(namespace, signal, providedNamespace, savedView) {
			set({opening: {namespace}});
			const openedNamespace = providedNamespace ?? (await openWritableNamespace(namespace, signal));
			const currentKeys = get().keys.data;
			const previousKeys = currentKeys?.namespace.name === namespace.name ? currentKeys : undefined;
			const openPrefixes = previousKeys ? tree.openPrefixes : [];
			pendingCursorNames = previousKeys
				? listCursorTargets(previousKeys)
				: [savedView?.cursorName ?? []].flat();
			pendingSelection = new Set(previousKeys?.index.listSelectedNames());
			get().keys.close();
			const keptKeys =
				!previousKeys && keptListing?.keys.namespace.name === namespace.name ? keptListing : undefined;
			keptListing = undefined;
			const {sort: previousSort = 'name'} = previousKeys ?? keptKeys?.keys ?? {};
			const arrangement =
				previousKeys?.arrangement ??
				chosenArrangements.get(namespace.name) ??
				keptKeys?.keys.arrangement ??
				'tree';
			const {filter = savedView?.filter ?? ''} = previousKeys ?? {};
			const sizes = new KnownSizes(openedNamespace.store);
			const sort = previousSort === 'size' && !sizes.hasAny ? 'name' : previousSort;
			listing.begin(pendingCursorNames.length > 0 || parseKeyFilter(filter).kind === 'text');
			const index = keptKeys?.keys.index ?? new KeyIndex(pages);
			index.clearSelection();
			wholeTree = keptKeys?.tree ?? new TreeRows(index, openPrefixes);
			tree = wholeTree;
			isFirstListing = !previousKeys;
			nameBeforePrefix = undefined;
			const prefix = getFilterPrefix(filter);
			const prefixKeys = prefix === undefined ? undefined : createPrefixKeys(index, prefix, openPrefixes);
			set({
				data: {
					namespace,
					opened: openedNamespace,
					quota: openedNamespace.store.quota?.(),
					index,
					rows: buildShownRows({index, arrangement, filter, prefixKeys, sort, sizes}),
					arrangement,
					sort,
					filter,
					prefixKeys,
					sizes,
					revision: 0,
					cursor: 0,
					listing: keptKeys && !prefixKeys ? {state: 'complete'} : {state: 'reading', readsToEnd: false},
					isStale: false,
				},
			});
			if (prefixKeys) listing.beginPrefix(prefixKeys, false);
			else if (keptKeys) restoreCursor(false);
		},
		markStale: () => change({isStale: true}),
		async refresh(focusName) {
			pendingRefresh ??= refreshStaleKeys();
			await pendingRefresh;
			pendingRefresh = undefined;
			if (focusName === undefined) return;
			pendingCursorNames = [focusName];
			listing.seek();
			restoreCursor(get().keys.data?.listing.state !== 'complete');
		},
		list: signal => listing.run(signal),
		resumeListing: () => listing.resume(),
		close() {
			const keys = get().keys.data;
			keys?.opened.store[Symbol.dispose]();
			if (keys) {
				// Local data is listed without calls, and another process may have changed it.
				const isKept = keys.index.complete && !keys.isStale && keys.namespace.where === 'remote';
				keptListing = isKept ? {keys, tree: wholeTree} : undefined;
			}
			set({data: undefined, opening: undefined});
			listing.end();
		},
		forgetListing(target) {
			if (keptListing && isSameTarget(keptListing.keys.opened.target, target)) keptListing = undefined;
		},
		move(by) {
			const keys = get().keys.data;
			if (!keys) return;
			pendingCursorNames = [];
			listing.onCursorMove(by === Number.POSITIVE_INFINITY);
			change({
				cursor: Math.max(0, Math.min(keys.rows.count - 1, keys.cursor + by)),
				...endKeyExtension(keys),
			});
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
		stopFollowing: () => listing.stopFollowing(),
		arrange(arrangement) {
			const keys = get().keys.data;
			if (!keys) return;
			const name = getNameUnderCursor(keys);
			const sort = arrangement === 'tree' ? 'name' : keys.sort;
			// Rows of a text look the same in both arrangements, so the search does not start again.
			const keepsRows = parseKeyFilter(keys.filter).kind === 'text' && sort === keys.sort;
			change({arrangement, sort, rows: keepsRows ? keys.rows : buildShownRows({...keys, arrangement, sort})});
			listing.focusWhenLoaded(name);
		},
		chooseArrangement(arrangement) {
			const keys = get().keys.data;
			if (!keys) return;
			chosenArrangements.set(keys.namespace.name, arrangement);
			get().keys.arrange(arrangement);
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
			const {index} = keys;
			const name = getNameUnderCursor(keys);
			const prefix = getFilterPrefix(filter);
			if (!keys.prefixKeys) nameBeforePrefix = name;
			const prefixKeys =
				prefix === undefined ? undefined : createPrefixKeys(index, prefix, wholeTree.openPrefixes);
			dropPrefixKeys(keys, prefixKeys);
			if (!prefixKeys) tree = wholeTree;
			change({
				filter,
				prefixKeys,
				rows: buildShownRows({...keys, filter, prefixKeys}),
				cursor: 0,
			});
			if (prefixKeys) listing.beginPrefix(prefixKeys, get().dialog.isFiltering);
			else if (keys.prefixKeys) listing.endPrefix();
			if (parseKeyFilter(filter).kind === 'text') listing.listAll();
			// A key that was listed only by its prefix has no row any more.
			else if (!prefixKeys)
				moveCursorTo(
					name === undefined || index.mayGrow(index.find(name).position) ? nameBeforePrefix : name,
				);
			listing.schedule();
		},
		finishFilter: () => listing.endTyping(),
		...selection,
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
					`Stopped: ${formatQuantity((keys.prefixKeys ?? keys.index).count, 'key')} listed, and there are more; ${nameKey('keys.all', 'ctrl-l')} goes on.`,
				);
				return true;
			}
			if (keys.filter !== '') {
				get().keys.filter('');
				return true;
			}
			const {selectedCount} = keys.index;
			if (selectedCount > 0) {
				selection.clearSelection();
				get().messages.say(`${formatInteger(selectedCount)} deselected.`);
				return true;
			}
			return false;
		},
		noticeChanges(entries, cursorMode = 'goes') {
			const keys = get().keys.data;
			if (!keys) return;
			const name = cursorMode === 'goes' ? entries[0]?.name : getNameUnderCursor(keys);
			for (const entry of entries) {
				keys.index.put(entry);
				keys.sizes.forget(entry.name);
			}
			keys.rows.advance(sliceMs);
			change({});
			updateNamespaceCount(keys);
			listing.focusWhenLoaded(name);
			get().peek.forget();
		},
		noticeDeletion(names) {
			const keys = get().keys.data;
			if (!keys) return;
			const deletedNames = new Set(names);
			const name = listNamesFromCursor(keys).find(one => !deletedNames.has(one)) ?? getNameUnderCursor(keys);
			keys.index.removeAll(deletedNames);
			for (const deletedName of deletedNames) keys.sizes.forget(deletedName);
			updateNamespaceCount(keys);
			get().peek.forget();
			keys.rows.advance(sliceMs);
			change({});
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
