import {setImmediate as turn} from 'node:timers/promises';
import {asFailure, type Failure, isFailure} from '../../failure.ts';
import {readWhole, type WholeKey} from '../../kv/change/whole-key.ts';
import type {Has} from '../../store/ledge-store.ts';
import type {Slice} from '../../store/slice.ts';
import {find} from './find.ts';
import {atByte, nextForm} from './forms.ts';
import {allFolded, type Field, fieldOf, folded, foldedUp, unfolded} from './tree.ts';
import {atOnce, type KeyView, movedBy, readOn, scrolled, viewOf, viewOfLarge, wrapped} from './value-view.ts';

/** A search in the open value. */
type KeySearch = {
	/** Matched with smart case. */
	readonly query: string;
	/** The view when the search began. */
	readonly from: KeyView;
	readonly found: boolean;
	/** True for a search that opened the key: Esc then leaves the key. */
	readonly isGiven?: true;
};

/** The open key of the open namespace (`keys`). */
export type KeyState = {
	readonly name: string;
	readonly reading: 'reading' | 'read' | 'absent' | 'failed';
	/** Also set if a refresh failed and the earlier value is still shown. */
	readonly failure?: Failure | undefined;
	/** The last value read; kept during a refresh. */
	readonly whole: WholeKey | undefined;
	/** The view of the value; after writing a large value, briefly still of the old one. */
	readonly view: KeyView | undefined;
	readonly search: KeySearch | undefined;
	/** True if name and metadata are shown in full. */
	readonly inFull: boolean;
};

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly key: KeySlice;
	}
}

type KeySlice = {
	readonly data: KeyState | undefined;
	/** True if long lines wrap; applies to later values, too. */
	readonly wrapsText: boolean;
	/**
	 * Reads a key of the open namespace: value, metadata, expiry. A refresh keeps cursor and folds. Rejects
	 * if reading fails.
	 */
	open(name: string, signal: AbortSignal): Promise<void>;
	close(): void;
	/** Shows what this session wrote (undefined: deleted) without reading it again. */
	noticeWrite(whole: WholeKey | undefined): void;
	move(by: number): void;
	/** Switches to the next or previous form. */
	changeForm(by: 1 | -1): void;
	/** Opens or closes the container under the cursor in the tree. */
	fold(): void;
	/** Right (1) and left (-1): unfolds and folds the tree, scrolls text. */
	go(by: 1 | -1): void;
	/** Unfolds the whole tree, or folds it if all is open. */
	foldAll(): void;
	showInFull(inFull: boolean): void;
	wrapText(wraps: boolean): void;
	/** Wraps the text again for a new width of the terminal. */
	fitText(): void;
	beginSearch(): void;
	/** Searches from where the search began; empty text returns there. */
	search(query: string): void;
	/**
	 * Moves to a match at a byte of the key that was opened for it; says so if the value no longer contains
	 * the text.
	 */
	showFound(name: string, query: string, byte: number): void;
	/** Moves to the next or previous match. */
	searchNext(towards?: 'next' | 'previous'): void;
	/** Esc: clears the search. Returns true if there was one. */
	endSearch(): boolean;
};

/** Bytes indexed between two checks of the keyboard, and steps between two updates of the screen. */
const indexStep = 1 << 18;
const shownEvery = 16;

export const createKeySlice: Slice<KeySlice> = (set, get) => {
	/** Number of the latest read; results of earlier ones are dropped. */
	let latest = 0;
	let indexed: KeyView['lines'] | undefined;

	const change = (part: Partial<KeyState>) => set(({data: key}) => (key ? {data: {...key, ...part}} : {}));

	const look = (next: KeyView) => {
		const {wrapsText} = get().key;
		const {viewport} = get().navigation;
		const view = next.form === 'text' ? wrapped(next, wrapsText ? viewport.columns : undefined) : next;
		change({view});
		if (view.form === 'text' && !view.lines.complete && indexed !== view.lines)
			void get().work.run('counting the lines', 'background', signal => index(view.lines, signal));
	};

	/** Indexes the rows of a long text in steps while it is shown. */
	async function index(lines: KeyView['lines'], signal: AbortSignal): Promise<void> {
		indexed = lines;
		for (let step = 1; !signal.aborted; step++) {
			const complete = lines.indexMore(indexStep);
			const view = get().key.data?.view;
			if (view?.lines !== lines) break;
			if (complete || step % shownEvery === 0) change({view: readOn(view)});
			if (complete) return;
			await turn();
		}
		if (indexed === lines) indexed = undefined;
	}

	const shown = (whole: WholeKey, view: KeyView) => {
		// Reuses the view's bytes object, which identifies the value it shows.
		const {bytes} = view;
		const search = get().key.data?.search;
		change({
			reading: 'read',
			whole: {...whole, bytes},
			failure: undefined,
			search: search && {...search, from: view},
		});
		look(view);
	};

	const columns = (): number => get().navigation.viewport.columns;

	/** Applies a move or fold; the current form then leads the cursors of the others. */
	const turnTo = (next: (view: KeyView) => KeyView) => {
		const view = get().key.data?.view;
		if (view) look({...next(view), leads: view.form});
	};

	return {
		data: undefined,
		wrapsText: false,
		async open(name, signal) {
			const keys = get().keys.data;
			const before = get().key.data;
			const releaseLargePeek = get().peek.releaseLarge;
			if (!keys) return;
			// Keeps a large value in memory once: the pane reads it again when visible.
			releaseLargePeek(atOnce);
			const mine = ++latest;
			const again = before?.name === name ? before : undefined;
			const common = {name, whole: undefined, view: undefined, search: undefined, inFull: false};
			set({data: {...common, ...again, reading: 'reading', failure: undefined}});
			const isLatest = () => mine === latest && get().key.data?.name === name;
			try {
				const whole = await readWhole(keys.opened.store, name, signal);
				if (!isLatest()) return;
				if (!whole) return change({reading: 'absent', whole: undefined, view: undefined, failure: undefined});
				if (get().keys.data?.opened === keys.opened) get().keys.noticeSize(name, whole.bytes.length);
				const pause = async () => {
					await turn(undefined, {signal});
				};
				const view = await viewOfLarge(whole.bytes, get().key.data?.view, pause);
				if (isLatest()) shown(whole, view);
			} catch (error) {
				const failure = asFailure(error);
				// After a cancelled refresh, the earlier value remains.
				const left = again?.whole && isFailure(failure, 'interrupted') ? undefined : failure;
				if (isLatest()) change({reading: again?.whole ? 'read' : 'failed', failure: left});
				throw failure;
			}
		},
		close() {
			latest++;
			set({data: undefined});
		},
		noticeWrite(whole) {
			const key = get().key.data;
			if (!key) return;
			const mine = ++latest;
			if (!whole) return change({reading: 'absent', whole, view: undefined, failure: undefined});
			if (whole.bytes.length <= atOnce) return shown(whole, viewOf(whole.bytes, key.view));
			change({reading: 'read', whole, failure: undefined});
			void get().work.run('laying out the value', 'background', async signal => {
				const pause = async () => {
					await turn(undefined, {signal});
				};
				const view = await viewOfLarge(whole.bytes, key.view, pause);
				if (mine === latest) shown(whole, view);
			});
		},
		move: by => turnTo(view => movedBy(view, by, columns())),
		changeForm(by) {
			const view = get().key.data?.view;
			if (view) look(nextForm(view, by, columns()));
		},
		fold: () => turnTo(folded),
		go: by =>
			turnTo(view => {
				switch (view.form) {
					case 'json':
						return by > 0 ? unfolded(view) : foldedUp(view);
					case 'text':
						return scrolled(view, by);
					case 'hex':
						return view;
				}
			}),
		foldAll: () => turnTo(allFolded),
		showInFull: inFull => change({inFull}),
		wrapText(wrapsText) {
			set({wrapsText});
			get().key.fitText();
		},
		fitText() {
			const view = get().key.data?.view;
			if (view) look(view);
		},
		beginSearch() {
			const view = get().key.data?.view;
			if (view) change({search: {query: '', from: view, found: true}});
		},
		search(query) {
			const search = get().key.data?.search;
			if (!search) return;
			const {from} = search;
			const found = find(from, query, 'here', columns());
			change({search: {query, from, found: query === '' || found !== undefined}});
			look(found ? {...found.view, leads: from.form} : from);
		},
		showFound(name, query, byte) {
			const key = get().key.data;
			const {say} = get().messages;
			if (key?.name !== name || !key.view) return;
			const {view} = key;
			const found = find(atByte(view, byte, columns()), query, 'here', columns());
			change({search: {query, from: view, found: found !== undefined, isGiven: true}});
			if (found) look({...found.view, leads: view.form});
			else say('The value was changed since it was searched: it no longer has the text.');
		},
		searchNext(towards = 'next') {
			const key = get().key.data;
			const {say} = get().messages;
			if (!key?.view || !key.search?.query) return;
			const {query} = key.search;
			const found = find(key.view, query, towards === 'next' ? 'behind' : 'before', columns());
			if (!found) return say(`"${query}" is not in the value.`);
			look({...found.view, leads: key.view.form});
			if (found.around) say(towards === 'next' ? 'From the top again.' : 'From the end again.');
		},
		endSearch() {
			const query = get().key.data?.search?.query ?? '';
			if (query === '' || get().key.data?.search?.isGiven) return false;
			change({search: undefined});
			return true;
		},
	};
};

/** Returns the JSON field under the cursor of the last value read; undefined outside the tree. */
export function fieldHere({key: {data: key}}: Has<'key'>): Field | undefined {
	const view = key?.view;
	return view && view.bytes === key.whole?.bytes ? fieldOf(view) : undefined;
}
