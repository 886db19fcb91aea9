import {setImmediate as turn} from 'node:timers/promises';
import {isFailure, toFailure} from '../../failure.ts';
import type {KeyRows} from '../../kv/key-index/rows.ts';
import {limitMemory} from '../../kv/memory.ts';
import type {KeyEntry} from '../../kv/store.ts';
import type {Has} from '../../store/ledge-store.ts';
import type {KeysState} from './state.ts';

/** Rows to load ahead of the cursor. */
const rowsAhead = 500;
/** Pages to read per cursor move, so that a tree with few rows does not list a whole namespace. */
const pagesPerMove = 10;
/** Milliseconds of work on rows between two checks of the keyboard. */
export const sliceMs = 4;

/** Reads the keys of the open namespace page by page, as far as needed. */
type KeysListing = {
	/** Starts over, for another namespace or a refresh; `all` reads to the end. */
	begin(all: boolean): void;
	/** Allows some more pages; `toTheEnd` reads everything and keeps the cursor on the last row. */
	onCursorMove(toTheEnd: boolean): void;
	/** Reads to the end. */
	listAll(): void;
	/** True if reading to the end was requested. */
	isListingAll(): boolean;
	/** Reads on until `endSeek`. */
	seek(): void;
	/** Ends `seek`: stops reading to the end, unless that was requested. */
	endSeek(): void;
	/** Moves the cursor to `name` when its row loads; undefined keeps it. */
	focusWhenLoaded(name: string | undefined): void;
	/** Stops reading until the next cursor move. */
	stop(): void;
	/** Continues the loop of `run`, to compute rows or read pages. */
	schedule(): void;
	/** Aborts reading: the namespace is closed. */
	end(): void;
	/**
	 * Runs until the namespace is closed, the signal aborts or a page fails. Rejects with the failure of the
	 * page.
	 */
	run(signal: AbortSignal): Promise<void>;
};

export function createKeysListing(parts: {
	get(): Has<'keys'> & Has<'namespaces', 'countKeys'> & Has<'work', 'runPart'>;
	change(part: Partial<KeysState>): void;
	/** Moves the cursor to a key or group, or to the closest row. */
	moveCursorTo(name: string | undefined): void;
	/** Called per page; `first` marks page one, `more` that others follow. */
	onPage(
		keys: KeysState,
		page: {readonly first: boolean; readonly more: boolean; readonly entries: readonly KeyEntry[]},
	): void;
}): KeysListing {
	const {get, change, moveCursorTo, onPage} = parts;
	let extent: 'ahead' | 'all' | 'all and follow' = 'ahead';
	let pagesLeft = 0;
	/** True while reading to the end serves only a search (`seek`). */
	let isSeeking = false;
	let cursor: string | undefined;
	/** Rows that were still incomplete at the last look. */
	let growingRows: KeyRows | undefined;
	/** Cursor target while these rows are computed. */
	let pendingFocus: {readonly rows: KeyRows; readonly at: 'the end' | {readonly name: string}} | undefined;
	let wakeLoop: () => void = () => {};
	/** Aborted when the listed namespace is closed. */
	let open = new AbortController();

	const needsMorePages = ({listing, namespace, rows, cursor: row}: KeysState): boolean =>
		listing.state !== 'complete' &&
		(extent !== 'ahead' || namespace.where === 'local' || (pagesLeft > 0 && rows.count - row < rowsAhead));

	function stop(): void {
		extent = 'ahead';
		pagesLeft = 0;
		change({listing: {state: 'resting'}});
	}

	/** Computes more rows and moves the cursor to its target. Returns true when all rows are computed. */
	function findRows({rows, cursor: row, index}: KeysState): boolean {
		// Sorted rows are inserted between others: the cursor stays on its key, except on the first row.
		const anchorRow = rows.arrangement === 'sorted' && row > 0 && !rows.isDone ? rows.at(row) : undefined;
		const anchor = anchorRow?.kind === 'key' ? {name: index.getName(anchorRow.position)} : undefined;
		const isDone = rows.advance(sliceMs);
		limitMemory();
		const at = pendingFocus?.rows === rows ? pendingFocus.at : anchor;
		if (isDone) pendingFocus = undefined;
		if (isDone && growingRows !== rows && anchor === undefined) return true;
		growingRows = isDone ? undefined : rows;
		if (at === undefined) change({});
		else if (at === 'the end') change({cursor: Math.max(0, rows.count - 1)});
		else moveCursorTo(at.name);
		return isDone;
	}

	function waitForWork(signal: AbortSignal): Promise<void> {
		return new Promise(resolve => {
			const done = () => {
				signal.removeEventListener('abort', done);
				wakeLoop = () => {};
				resolve();
			};
			wakeLoop = done;
			signal.addEventListener('abort', done, {once: true});
		});
	}

	async function readPage(keys: KeysState, signal: AbortSignal): Promise<void> {
		change({listing: {state: 'reading', all: extent !== 'ahead'}});
		const {index, rows, namespace, opened} = keys;
		const query = {limit: 1000, ...(cursor !== undefined && {cursor})};
		const list = (during: AbortSignal) => opened.store.list(query, during);
		// Local pages load too fast to announce.
		const page =
			namespace.where === 'local'
				? await list(signal)
				: await get().work.runPart('reading keys', 'read', list, {outer: signal});
		if (get().keys.data?.index !== index) return;
		limitMemory();
		pagesLeft--;
		const first = index.count === 0;
		const sorted = rows.arrangement === 'sorted' && get().keys.data?.rows === rows;
		const anchorRow = sorted ? rows.at(get().keys.data?.cursor ?? 0) : undefined;
		const name = anchorRow?.kind === 'key' ? index.getName(anchorRow.position) : undefined;
		index.append(page.entries);
		const more = page.cursor !== undefined && page.cursor !== cursor;
		cursor = page.cursor;
		if (!more) index.finish();
		rows.advance(sliceMs);
		onPage(keys, {first, more, entries: page.entries});
		const current = get().keys.data;
		// New keys are inserted between sorted ones: the cursor stays on its key.
		const cursorRow =
			name === undefined || current?.rows !== rows
				? current?.cursor
				: rows.findRow(index.find(name).position);
		const row = extent === 'all and follow' ? (current?.rows.count ?? 0) - 1 : (cursorRow ?? 0);
		change({listing: {state: more ? 'resting' : 'complete'}, cursor: Math.max(0, row)});
		if (!more || extent === 'ahead')
			get().namespaces.countKeys(namespace.name, {keys: index.count, exact: !more});
	}

	return {
		begin(all) {
			open = new AbortController();
			extent = all ? 'all' : 'ahead';
			isSeeking = all;
			pagesLeft = 1;
			cursor = undefined;
		},
		onCursorMove(toTheEnd) {
			pagesLeft = pagesPerMove;
			const rows = get().keys.data?.rows;
			pendingFocus = toTheEnd && rows && !rows.isDone ? {rows, at: 'the end'} : undefined;
			if (toTheEnd && get().keys.data?.listing.state !== 'complete') extent = 'all and follow';
			else if (extent === 'all and follow') extent = 'all';
		},
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
			pendingFocus = rows && name !== undefined ? {rows, at: {name}} : undefined;
			moveCursorTo(name);
			wakeLoop();
		},
		stop,
		schedule: () => wakeLoop(),
		end: () => open.abort(),
		async run(outer) {
			const listedIndex = get().keys.data?.index;
			const signal = AbortSignal.any([outer, open.signal]);
			for (;;) {
				const keys = get().keys.data;
				if (!keys || keys.index !== listedIndex || signal.aborted || keys.listing.state === 'failed') return;
				try {
					if (findRows(keys)) await (needsMorePages(keys) ? readPage(keys, signal) : waitForWork(signal));
				} catch (error) {
					if (signal.aborted) return;
					if (isFailure(error, 'interrupted')) {
						stop();
						continue;
					}
					change({listing: {state: 'failed', failure: toFailure(error)}});
					throw error;
				}
				// Local pages never wait: give the keyboard a turn.
				await turn();
			}
		},
	};
}
