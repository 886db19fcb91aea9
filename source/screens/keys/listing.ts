import {setImmediate as turn} from 'node:timers/promises';
import {asFailure, isFailure} from '../../failure.ts';
import type {KeyRows} from '../../kv/key-index/rows.ts';
import {holdMemory} from '../../kv/memory.ts';
import type {KeyEntry} from '../../kv/store.ts';
import type {Has} from '../../store/ledge-store.ts';
import type {KeysState} from './state.ts';

/** Rows to load ahead of the cursor. */
const ahead = 500;
/** Pages to read per cursor move, so that a tree with few rows does not list a whole namespace. */
const pagesAMove = 10;
/** Milliseconds of work on rows between two checks of the keyboard. */
export const slice = 4;

/** Reads the keys of the open namespace page by page, as far as needed. */
type KeysListing = {
	/** Starts over, for another namespace or a refresh; `all` reads to the end. */
	begin(all: boolean): void;
	/** Allows some more pages; `toTheEnd` reads everything and keeps the cursor on the last row. */
	moved(toTheEnd: boolean): void;
	/** Reads to the end. */
	all(): void;
	/** True if reading to the end was requested. */
	isForAll(): boolean;
	/** Reads on until `endSeek`. */
	seek(): void;
	/** Ends `seek`: stops reading to the end, unless that was requested. */
	enough(): void;
	/** Moves the cursor to `name` when its row loads; undefined keeps it. */
	aim(name: string | undefined): void;
	/** Stops reading until the next cursor move. */
	stop(): void;
	/** Continues the loop of `run`, to compute rows or read pages. */
	wake(): void;
	/** Aborts reading: the namespace is closed. */
	end(): void;
	/**
	 * Runs until the namespace is closed, the signal aborts or a page fails. Rejects with the failure of the
	 * page.
	 */
	run(signal: AbortSignal): Promise<void>;
};

export function createKeysListing(parts: {
	get(): Has<'keys'> & Has<'namespaces', 'countKeys'> & Has<'work', 'during'>;
	change(part: Partial<KeysState>): void;
	/** Moves the cursor to a key or group, or to the closest row. */
	goTo(name: string | undefined): void;
	/** Called per page; `first` marks page one, `more` that others follow. */
	onPage(
		keys: KeysState,
		page: {readonly first: boolean; readonly more: boolean; readonly entries: readonly KeyEntry[]},
	): void;
}): KeysListing {
	const {get, change, goTo, onPage} = parts;
	let wanted: 'ahead' | 'all' | 'all and follow' = 'ahead';
	let pagesLeft = 0;
	/** True while reading to the end serves only a search (`seek`). */
	let isSeeking = false;
	let cursor: string | undefined;
	/** Rows that were still incomplete at the last look. */
	let finding: KeyRows | undefined;
	/** Cursor target while these rows are computed. */
	let aimed: {readonly rows: KeyRows; readonly at: 'the end' | {readonly name: string}} | undefined;
	let wake: () => void = () => {};
	/** Aborted when the listed namespace is closed. */
	let open = new AbortController();

	const needsMore = ({listing, namespace, rows, cursor: row}: KeysState): boolean =>
		listing.state !== 'complete' &&
		(wanted !== 'ahead' || namespace.where === 'local' || (pagesLeft > 0 && rows.count - row < ahead));

	function stop(): void {
		wanted = 'ahead';
		pagesLeft = 0;
		change({listing: {state: 'resting'}});
	}

	/** Computes more rows and moves the cursor to its target. Returns true when all rows are computed. */
	function findRows({rows, cursor: row, index}: KeysState): boolean {
		// Sorted rows are inserted between others: the cursor stays on its key, except on the first row.
		const under = rows.arrangement === 'sorted' && row > 0 && !rows.isDone ? rows.at(row) : undefined;
		const here = under?.kind === 'key' ? {name: index.nameAt(under.position)} : undefined;
		const isDone = rows.advance(slice);
		holdMemory();
		const at = aimed?.rows === rows ? aimed.at : here;
		if (isDone) aimed = undefined;
		if (isDone && finding !== rows && here === undefined) return true;
		finding = isDone ? undefined : rows;
		if (at === undefined) change({});
		else if (at === 'the end') change({cursor: Math.max(0, rows.count - 1)});
		else goTo(at.name);
		return isDone;
	}

	function rest(signal: AbortSignal): Promise<void> {
		return new Promise(resolve => {
			const done = () => {
				signal.removeEventListener('abort', done);
				wake = () => {};
				resolve();
			};
			wake = done;
			signal.addEventListener('abort', done, {once: true});
		});
	}

	async function readPage(keys: KeysState, signal: AbortSignal): Promise<void> {
		change({listing: {state: 'reading', all: wanted !== 'ahead'}});
		const {index, rows, namespace, opened} = keys;
		const query = {limit: 1000, ...(cursor !== undefined && {cursor})};
		const list = (during: AbortSignal) => opened.store.list(query, during);
		// Local pages load too fast to announce.
		const page =
			namespace.where === 'local'
				? await list(signal)
				: await get().work.during('reading keys', 'read', list, {outer: signal});
		if (get().keys.data?.index !== index) return;
		holdMemory();
		pagesLeft--;
		const first = index.count === 0;
		const sorted = rows.arrangement === 'sorted' && get().keys.data?.rows === rows;
		const under = sorted ? rows.at(get().keys.data?.cursor ?? 0) : undefined;
		const name = under?.kind === 'key' ? index.nameAt(under.position) : undefined;
		index.append(page.entries);
		const more = page.cursor !== undefined && page.cursor !== cursor;
		cursor = page.cursor;
		if (!more) index.finish();
		rows.advance(slice);
		onPage(keys, {first, more, entries: page.entries});
		const now = get().keys.data;
		// New keys are inserted between sorted ones: the cursor stays on its key.
		const here =
			name === undefined || now?.rows !== rows ? now?.cursor : rows.rowOf(index.find(name).position);
		const row = wanted === 'all and follow' ? (now?.rows.count ?? 0) - 1 : (here ?? 0);
		change({listing: {state: more ? 'resting' : 'complete'}, cursor: Math.max(0, row)});
		if (!more || wanted === 'ahead')
			get().namespaces.countKeys(namespace.name, {keys: index.count, exact: !more});
	}

	return {
		begin(all) {
			open = new AbortController();
			wanted = all ? 'all' : 'ahead';
			isSeeking = all;
			pagesLeft = 1;
			cursor = undefined;
		},
		moved(toTheEnd) {
			pagesLeft = pagesAMove;
			const rows = get().keys.data?.rows;
			aimed = toTheEnd && rows && !rows.isDone ? {rows, at: 'the end'} : undefined;
			if (toTheEnd && get().keys.data?.listing.state !== 'complete') wanted = 'all and follow';
			else if (wanted === 'all and follow') wanted = 'all';
		},
		all() {
			if (wanted === 'ahead') wanted = 'all';
			isSeeking = false;
			wake();
		},
		seek() {
			isSeeking ||= wanted === 'ahead';
			if (wanted === 'ahead') wanted = 'all';
			wake();
		},
		isForAll: () => wanted !== 'ahead',
		enough() {
			if (isSeeking) wanted = 'ahead';
		},
		aim(name) {
			const rows = get().keys.data?.rows;
			aimed = rows && name !== undefined ? {rows, at: {name}} : undefined;
			goTo(name);
			wake();
		},
		stop,
		wake: () => wake(),
		end: () => open.abort(),
		async run(outer) {
			const mine = get().keys.data?.index;
			const signal = AbortSignal.any([outer, open.signal]);
			for (;;) {
				const keys = get().keys.data;
				if (!keys || keys.index !== mine || signal.aborted || keys.listing.state === 'failed') return;
				try {
					if (findRows(keys)) await (needsMore(keys) ? readPage(keys, signal) : rest(signal));
				} catch (error) {
					if (signal.aborted) return;
					if (isFailure(error, 'interrupted')) {
						stop();
						continue;
					}
					change({listing: {state: 'failed', failure: asFailure(error)}});
					throw error;
				}
				// Local pages never wait: give the keyboard a turn.
				await turn();
			}
		},
	};
}
