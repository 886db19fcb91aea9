import {setImmediate as turn} from 'node:timers/promises';
import {asFailure, type Failure, isFailure} from '../../failure.ts';
import {readWhole, type WholeKey} from '../../kv/change/whole-key.ts';
import type {Has} from '../../store/ledge-store.ts';
import type {Slice} from '../../store/slice.ts';
import {find} from './find.ts';
import {atByte, nextForm} from './forms.ts';
import {allFolded, type Field, fieldOf, folded, foldedUp, unfolded} from './tree.ts';
import {atOnce, type KeyView, movedBy, readOn, scrolled, viewOf, viewOfLarge, wrapped} from './value-view.ts';

/** What is looked for in a value. */
type KeySearch = {
	/** Found by smart case. */
	readonly query: string;
	/** The view in which the search began. */
	readonly from: KeyView;
	/** Whether the value holds it. */
	readonly found: boolean;
	/** Whether it came with the key: then esc leaves the key at once. */
	readonly isGiven?: true;
};

/** The key that is open, in the namespace that is open (`keys`). */
export type KeyState = {
	readonly name: string;
	readonly reading: 'reading' | 'read' | 'absent' | 'failed';
	/** Why it could not be read, also where what was read before is still shown. */
	readonly failure?: Failure | undefined;
	/** What was read last; stays while it is refreshed. */
	readonly whole: WholeKey | undefined;
	/** How the value is looked at; of a large value that was just written, for a moment still the value before. */
	readonly view: KeyView | undefined;
	readonly search: KeySearch | undefined;
	/** Whether name and metadata are shown in full. */
	readonly inFull: boolean;
};

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly key: KeySlice;
	}
}

type KeySlice = {
	readonly data: KeyState | undefined;
	/** Whether long lines of text are wrapped, also of the values that are opened next. */
	readonly wrapsText: boolean;
	/** Reads a key of the namespace that is open: value, metadata, expiry. Cursor and folds stay where the key is refreshed. */
	open(name: string, signal: AbortSignal): Promise<void>;
	close(): void;
	/** Takes in what was written here (`undefined`: deleted), without reading it again. */
	noticeWrite(whole: WholeKey | undefined): void;
	move(by: number): void;
	/** The next form that the value can be shown in, or the one before. */
	changeForm(by: 1 | -1): void;
	/** Opens or closes the container under the cursor in the tree. */
	fold(): void;
	/** Right and left: unfolds and folds in the tree, and scrolls text. */
	go(by: 1 | -1): void;
	/** Opens all of the tree, or closes it. */
	foldAll(): void;
	showInFull(inFull: boolean): void;
	wrapText(wraps: boolean): void;
	/** Wraps the text for another width of the terminal. */
	fitText(): void;
	beginSearch(): void;
	/** Looks for a text from where the search began; the empty text goes back there. */
	search(query: string): void;
	/** Goes to a text at a byte of the key that was opened for it; where it is no longer in the value, a message reports that. */
	showFound(name: string, query: string, byte: number): void;
	/** Goes to the next place that holds it, or to the one before. */
	searchNext(towards?: 'next' | 'previous'): void;
	/** Esc: forgets what is looked for. Returns whether there was anything. */
	endSearch(): boolean;
};

/** Bytes of text whose rows are found between two looks at the keyboard, and after how many such steps that is shown. */
const indexStep = 1 << 18;
const shownEvery = 16;

export const createKeySlice: Slice<KeySlice> = (set, get) => {
	/** The reading that may still say something: a later one silences those before it. */
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

	/** Finds the rows of a long text in steps, for as long as it is shown. */
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
		// Bytes that are the same stay the same object, so that the view is known to be of this value.
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

	/** Moves in the value, or folds it: the others then follow the form in front. */
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
			// A large value is not kept twice: the pane reads it again when it is in sight again.
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
				// Who stopped reading a second time still has what was read before.
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

/** The JSON field under the cursor, of the value that was read last; none where no tree of it is in front. */
export function fieldHere({key: {data: key}}: Has<'key'>): Field | undefined {
	const view = key?.view;
	return view && view.bytes === key.whole?.bytes ? fieldOf(view) : undefined;
}
