import {setImmediate as turn} from 'node:timers/promises';
import {asFailure, isFailure} from '../../failure.ts';
import type {KeyRows} from '../../kv/key-index/rows.ts';
import {holdMemory} from '../../kv/memory.ts';
import type {KeyEntry} from '../../kv/store.ts';
import type {Has} from '../../store/ledge-store.ts';
import type {KeysState} from './state.ts';

/** Rows that are kept ready behind the cursor. */
const ahead = 500;
/** Pages that a movement is worth, so that a tree that stays short does not list a whole namespace. */
const pagesAMove = 10;
/** Milliseconds of work on rows between two looks at the keyboard. */
export const slice = 4;

/** How the keys of the namespace that is open come in, page after page, and how far. */
type KeysListing = {
	/** Starts over for another namespace, or for the same one refreshed; `all`: right to the end. */
	begin(all: boolean): void;
	/** Someone moved, and is worth some pages; `toTheEnd`: everything is to be read, and the cursor goes along. */
	moved(toTheEnd: boolean): void;
	/** Reads on until everything is listed. */
	all(): void;
	/** Whether everything is to be read, because someone asked for it. */
	isForAll(): boolean;
	/** Reads on until what is looked for has been found. */
	seek(): void;
	/** It has been found. */
	enough(): void;
	/** The cursor goes to a key or group, once the rows have come there; without one it stays. */
	aim(name: string | undefined): void;
	/** Nothing more is read until someone moves on. */
	stop(): void;
	/** There may be something to do: rows to be found, or pages to be read. */
	wake(): void;
	/** The namespace is closed: what is being read of it is given up. */
	end(): void;
	/** Reads until the namespace is closed, the signal is aborted or a page fails. */
	run(signal: AbortSignal): Promise<void>;
};

export function createKeysListing(parts: {
	get(): Has<'keys'> & Has<'namespaces', 'countKeys'> & Has<'work', 'during'>;
	change(part: Partial<KeysState>): void;
	/** Puts the cursor on a key or group, or as close as there are rows. */
	goTo(name: string | undefined): void;
	/** Told of each page that has come in; `first`: nothing was listed before it; `more`: others follow. */
	onPage(
		keys: KeysState,
		page: {readonly first: boolean; readonly more: boolean; readonly entries: readonly KeyEntry[]},
	): void;
}): KeysListing {
	const {get, change, goTo, onPage} = parts;
	let wanted: 'ahead' | 'all' | 'all and follow' = 'ahead';
	let pagesLeft = 0;
	/** Whether everything is read only until something has been found. */
	let isSeeking = false;
	let cursor: string | undefined;
	/** Rows of which there were more to find. */
	let finding: KeyRows | undefined;
	/** Where the cursor goes while these rows are still being found. */
	let aimed: {readonly rows: KeyRows; readonly at: 'the end' | {readonly name: string}} | undefined;
	let wake: () => void = () => {};
	/** Ends with the namespace that is listed. */
	let open = new AbortController();

	const needsMore = ({listing, namespace, rows, cursor: row}: KeysState): boolean =>
		listing.state !== 'complete' &&
		(wanted !== 'ahead' || namespace.where === 'local' || (pagesLeft > 0 && rows.count - row < ahead));

	function stop(): void {
		wanted = 'ahead';
		pagesLeft = 0;
		change({listing: {state: 'resting'}});
	}

	/** Finds more rows, with the cursor where it is to be. Returns whether all are there. */
	function findRows({rows, cursor: row, index}: KeysState): boolean {
		// What is sorted goes between other rows: the cursor stays on its key, but at the beginning.
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
		// Local pages are there before a line about them could be read.
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
		// What comes in goes between the sorted keys: the cursor stays on its key.
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
				// Local pages come without a pause: the keyboard must be looked at in between.
				await turn();
			}
		},
	};
}
