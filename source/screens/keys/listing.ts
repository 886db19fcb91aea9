import {setImmediate as turn} from 'node:timers/promises';
import {isFailure, toFailure} from '../../failure.ts';
import type {PrefixKeys} from '../../kv/key-index/prefix-keys.ts';
import type {KeyRows} from '../../kv/key-index/rows.ts';
import {limits} from '../../kv/limits.ts';
import {collectGarbageIfNeeded} from '../../kv/memory.ts';
import type {KeyEntry, KeyPage} from '../../kv/store.ts';
import type {Clock} from '../../service/clock.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import type {KeysState} from './state.ts';

/** Rows to load ahead of the cursor. */
const prefetchRows = 500;
/** Maximum pages to read per cursor move; otherwise a tree with few rows would list the whole namespace. */
const maxPagesPerMove = 10;
/** Milliseconds of work on rows between two checks of the keyboard. */
export const sliceMs = 4;
/** Milliseconds without a change after which a prefix being typed is listed. */
const typingRestMs = 250;
/** Milliseconds between two updates of the screen while pages arrive faster. */
const showIntervalMs = 100;

/** One listing at the service, of the whole namespace or of the keys with a prefix. */
type Walk = {
	readonly prefixKeys?: PrefixKeys | undefined;
	/** Aborted when another walk takes over. */
	readonly controller: AbortController;
	/** Cursor of the next page; undefined before the first one. */
	pageCursor?: string | undefined;
};

/** Reads the keys of the open namespace page by page, as far as needed. */
type KeysListing = {
	/** Starts over for another namespace or a refresh. `readsToEnd` lists all keys. */
	begin(readsToEnd: boolean): void;
	/**
	 * Lists the keys with a prefix instead. With `isTyping` the first call waits for 250 ms without another
	 * prefix, or for `endTyping`.
	 */
	beginPrefix(prefixKeys: PrefixKeys, isTyping: boolean): void;
	/** Ends the wait for more typing. */
	endTyping(): void;
	/** Goes back to listing the whole namespace where it stopped; begins if nothing was listed yet. */
	endPrefix(): void;
	/** Allows more pages to be read. `goesToEnd` reads all of them and keeps the cursor on the last row. */
	onCursorMove(goesToEnd: boolean): void;
	/** Leaves the cursor on its row while keys are listed; the reading goes on. */
	stopFollowing(): void;
	/** Reads to the end. */
	listAll(): void;
	/** True if reading to the end was requested. */
	isListingAll(): boolean;
	/** Reads pages until `endSeek` is called. */
	seek(): void;
	/** Stops the reading that `seek` started, unless `listAll` was called. */
	endSeek(): void;
	/** Moves the cursor to `name` when its row loads; undefined keeps it. */
	focusWhenLoaded(name: string | undefined): void;
	/** Stops reading until the next cursor move. */
	stop(): void;
	/** Reads the page again that failed. */
	resume(): void;
	/** Continues the loop of `run`, to compute rows or read pages. */
	schedule(): void;
	/** Aborts reading because the namespace is closed. */
	end(): void;
	/**
	 * Runs until the namespace is closed or the signal aborts. Reports the failure of a page, and waits for
	 * `resume` or another walk.
	 */
	run(signal: AbortSignal): Promise<void>;
};

export function createKeysListing(parts: {
	get(): StateWith<'keys'> &
		StateWith<'namespaces', 'countKeys'> &
		StateWith<'work', 'runPart'> &
		StateWith<'messages', 'fail'> &
		StateWith<'connection', 'preferences'>;
	clock: Pick<Clock, 'wait' | 'scale' | 'elapsed'>;
	change(part: Partial<KeysState>): void;
	/** Moves the cursor to a key or group, or to the closest row. */
	moveCursorTo(name: string | undefined): void;
	/** Called per page. `isFirst` marks page one; `hasMore` is true if another page follows. */
	onPage(
		keys: KeysState,
		page: {readonly isFirst: boolean; readonly hasMore: boolean; readonly entries: readonly KeyEntry[]},
	): void;
}): KeysListing {
	const {get, clock, change, moveCursorTo, onPage} = parts;
	let extent: 'ahead' | 'all' | 'all and follow' = 'ahead';
	let remainingPages = 0;
	/** True if only `seek` has asked to read to the end. */
	let isSeeking = false;
	let wholeWalk: Walk = {controller: new AbortController()};
	let walk = wholeWalk;
	let isAwaitingRest = false;
	/** Rows that were still incomplete when last checked. */
	let growingRows: KeyRows | undefined;
	/** Cursor target while these rows are computed. */
	let pendingFocus:
		| {readonly rows: KeyRows; readonly target: 'the end' | {readonly name: string}}
		| undefined;
	let wakeLoop: () => void = () => {};
	/** Aborted when the listed namespace is closed. */
	let namespaceController = new AbortController();

	const needsMorePages = ({listing, namespace, rows, cursor: row}: KeysState): boolean => {
		if (listing.state === 'complete' || listing.state === 'failed' || isAwaitingRest) return false;
		if (extent !== 'ahead' || namespace.where === 'local') return true;
		return remainingPages > 0 && (walk.pageCursor === undefined || rows.count - row < prefetchRows);
	};

	/** Replaces the walk; the page under way is dropped. */
	function switchWalk(nextWalk: Walk, pages: number): void {
		walk.controller.abort();
		walk = nextWalk;
		extent = 'ahead';
		isSeeking = false;
		remainingPages = pages;
		isAwaitingRest = false;
	}

	function awaitRest({controller}: Walk): void {
		isAwaitingRest = true;
		const endRest = () => {
			if (walk.controller === controller) endTyping();
		};
		void clock.wait(typingRestMs * clock.scale, controller.signal).then(endRest, () => {});
	}

	function endTyping(): void {
		isAwaitingRest = false;
		wakeLoop();
	}

	function stopFollowing(): void {
		if (extent === 'all and follow') extent = 'all';
		if (pendingFocus?.target === 'the end') pendingFocus = undefined;
	}

	function stop(): void {
		extent = 'ahead';
		remainingPages = 0;
		isAwaitingRest = false;
		change({listing: {state: 'resting'}});
	}

	/** Computes more rows and moves the cursor to its target. Returns true once all rows are computed. */
	function computeMoreRows({rows, cursor: row, index}: KeysState): boolean {
		// Sorted rows are inserted between others, so the cursor follows its key, except on the first row.
		const anchorRow = rows.arrangement === 'sorted' && row > 0 && !rows.isDone ? rows.at(row) : undefined;
		const anchor = anchorRow?.kind === 'key' ? {name: index.getName(anchorRow.position)} : undefined;
		const isDone = rows.advance(sliceMs);
		collectGarbageIfNeeded();
		const focusTarget = pendingFocus?.rows === rows ? pendingFocus.target : anchor;
		if (isDone) pendingFocus = undefined;
		if (isDone && growingRows !== rows && anchor === undefined) return true;
		growingRows = isDone ? undefined : rows;
		if (focusTarget === undefined) change({});
		else if (focusTarget === 'the end') change({cursor: Math.max(0, rows.count - 1)});
		else moveCursorTo(focusTarget.name);
		return isDone;
	}

	function waitForWork(signal: AbortSignal): Promise<void> {
		return new Promise(resolve => {
			const resumeLoop = () => {
				signal.removeEventListener('abort', resumeLoop);
				wakeLoop = () => {};
				resolve();
			};
			wakeLoop = resumeLoop;
			signal.addEventListener('abort', resumeLoop, {once: true});
		});
	}

	/**
	 * Reads the next page; while listing to the end, also those that arrive within `showIntervalMs`. Shows them
	 * together, because drawing takes longer than reading pages that arrive at once.
	 */
	async function readPages({index, namespace}: KeysState, outerSignal: AbortSignal): Promise<void> {
		change({listing: {state: 'reading', readsToEnd: extent !== 'ahead'}});
		const pageWalk = walk;
		const startedAt = clock.elapsed();
		const getCurrentKeys = () => {
			const {data} = get().keys;
			return data?.index === index && walk === pageWalk ? data : undefined;
		};
		const readThem = async (signal: AbortSignal) => {
			for (let keys = getCurrentKeys(); keys; keys = getCurrentKeys()) {
				const page = await requestPage(keys, pageWalk, signal);
				if (!getCurrentKeys()) break;
				const {hasMore, anchorName} = appendPage(keys, pageWalk, page);
				const canWait = hasMore && extent !== 'ahead' && anchorName === undefined && keys.rows.isDone;
				if (!canWait || clock.elapsed() - startedAt >= showIntervalMs) {
					showListed(keys, anchorName);
					return {hasMore};
				}
				// Local pages never wait, so this lets keystrokes through.
				await turn();
			}
			return undefined;
		};
		const signal = AbortSignal.any([outerSignal, pageWalk.controller.signal]);
		// Local pages load too fast to announce.
		const listed =
			namespace.where === 'local'
				? await readThem(signal)
				: await get().work.runPart('loading keys', 'read', readThem, {outerSignal: signal});
		if (!listed || !getCurrentKeys()) return;
		const {hasMore} = listed;
		change({listing: {state: hasMore ? 'resting' : 'complete'}});
		if (!walk.prefixKeys && (!hasMore || extent === 'ahead'))
			get().namespaces.countKeys(namespace.name, {keys: index.count, isExact: !hasMore});
	}

	const requestPage = ({opened}: KeysState, {prefixKeys, pageCursor}: Walk, signal: AbortSignal) =>
		opened.store.list(
			{
				limit: get().connection.preferences?.defaults.pageSize?.value ?? limits.listPage.maxKeys,
				...(prefixKeys && {prefix: prefixKeys.prefix}),
				...(pageCursor !== undefined && {cursor: pageCursor}),
			},
			signal,
		);

	/** Adds a page to the listed keys. `anchorName`: the key that the cursor of sorted rows is on. */
	function appendPage(keys: KeysState, pageWalk: Walk, page: KeyPage) {
		collectGarbageIfNeeded();
		remainingPages--;
		const {index, rows} = keys;
		const {prefixKeys, pageCursor} = pageWalk;
		const isSorted = rows.arrangement === 'sorted' && get().keys.data?.rows === rows;
		const anchorRow = isSorted ? rows.at(get().keys.data?.cursor ?? 0) : undefined;
		const anchorName = anchorRow?.kind === 'key' ? index.getName(anchorRow.position) : undefined;
		const listedKeys = prefixKeys ?? index;
		listedKeys.append(page.entries);
		const hasMore = page.cursor !== undefined && page.cursor !== pageCursor;
		pageWalk.pageCursor = page.cursor;
		if (!hasMore) listedKeys.finish();
		rows.advance(sliceMs);
		onPage(keys, {isFirst: pageCursor === undefined, hasMore, entries: page.entries});
		return {hasMore, anchorName};
	}

	/** Shows the keys listed so far, with the cursor on its key: new ones are inserted between sorted ones. */
	function showListed({rows, index}: KeysState, anchorName: string | undefined): void {
		const currentKeys = get().keys.data;
		const cursorRow =
			anchorName === undefined || currentKeys?.rows !== rows
				? currentKeys?.cursor
				: rows.findRow(index.find(anchorName).position);
		const targetRow = extent === 'all and follow' ? (currentKeys?.rows.count ?? 0) - 1 : (cursorRow ?? 0);
		change({cursor: Math.max(0, targetRow)});
	}

	return {
		begin(readsToEnd) {
			namespaceController = new AbortController();
			wholeWalk = {controller: new AbortController()};
			switchWalk(wholeWalk, 1);
			extent = readsToEnd ? 'all' : 'ahead';
			isSeeking = readsToEnd;
		},
		beginPrefix(prefixKeys, isTyping) {
			switchWalk({prefixKeys, controller: new AbortController()}, 1);
			change({listing: {state: 'reading', readsToEnd: false}});
			if (isTyping) awaitRest(walk);
			wakeLoop();
		},
		endTyping,
		endPrefix() {
			wholeWalk = {...wholeWalk, controller: new AbortController()};
			const isUnread = wholeWalk.pageCursor === undefined && !get().keys.data?.index.complete;
			switchWalk(wholeWalk, isUnread ? 1 : 0);
			change({
				listing: isUnread
					? {state: 'reading', readsToEnd: false}
					: {state: get().keys.data?.index.complete ? 'complete' : 'resting'},
			});
			wakeLoop();
		},
		onCursorMove(goesToEnd) {
			remainingPages = maxPagesPerMove;
			stopFollowing();
			const rows = get().keys.data?.rows;
			pendingFocus = goesToEnd && rows && !rows.isDone ? {rows, target: 'the end'} : undefined;
			if (goesToEnd && get().keys.data?.listing.state !== 'complete') extent = 'all and follow';
		},
		stopFollowing,
		listAll() {
			if (extent === 'ahead') extent = 'all';
			isSeeking = false;
			wakeLoop();
		},
		seek() {
			isSeeking ||= extent === 'ahead';
			if (extent === 'ahead') extent = 'all';
			wakeLoop();
		},
		isListingAll: () => extent !== 'ahead',
		endSeek() {
			if (isSeeking) extent = 'ahead';
		},
		focusWhenLoaded(name) {
			const rows = get().keys.data?.rows;
			pendingFocus = rows && name !== undefined ? {rows, target: {name}} : undefined;
			moveCursorTo(name);
			wakeLoop();
		},
		stop,
		resume() {
			change({listing: {state: 'resting'}});
			remainingPages ||= 1;
			wakeLoop();
		},
		schedule: () => wakeLoop(),
		end() {
			walk.controller.abort();
			namespaceController.abort();
		},
		async run(outerSignal) {
			const listedIndex = get().keys.data?.index;
			const signal = AbortSignal.any([outerSignal, namespaceController.signal]);
			for (;;) {
				const keys = get().keys.data;
				if (!keys || keys.index !== listedIndex || signal.aborted) return;
				const currentWalk = walk;
				try {
					if (computeMoreRows(keys))
						await (needsMorePages(keys) ? readPages(keys, signal) : waitForWork(signal));
				} catch (error) {
					if (signal.aborted) return;
					if (walk !== currentWalk) continue;
					if (isFailure(error, 'interrupted')) {
						stop();
						continue;
					}
					change({listing: {state: 'failed', failure: toFailure(error)}});
					get().messages.fail(toFailure(error));
				}
				// Lets keystrokes through between slices of rows.
				await turn();
			}
		},
	};
}
