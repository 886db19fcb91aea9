import {setImmediate as turn} from 'node:timers/promises';
import {detectEncoding} from '../../decoding/detect.ts';
import {type Failure, isFailure, toFailure} from '../../failure.ts';
import {readWholeKey, type WholeKey} from '../../kv/change/whole-key.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import type {Slice} from '../../store/slice.ts';
import {
	createValueViews,
	type ShownViews,
	toShownViews,
	toValueViews,
	type ValueViews,
} from './decoded-view.ts';
import {findInValue} from './find.ts';
import {moveToByte, switchValueForm} from './forms.ts';
import {createQueryView} from './query-view.ts';
import {
	foldOrLeave,
	getFieldAtCursor,
	type JsonField,
	toggleAllFolds,
	toggleFold,
	unfoldOrEnter,
} from './tree.ts';
import {
	createKeyView,
	type KeyView,
	maxBytesAtOnce,
	moveCursorByRows,
	scrollSideways,
	syncKnownRows,
	wrapLines,
} from './value-view.ts';

/** A search in the open value. */
type KeySearch = {
	/** Matched with smart case. */
	readonly query: string;
	/** The view when the search began. */
	readonly startView: KeyView;
	readonly isFound: boolean;
	/** True for a search that opened the key: Esc then leaves the key. */
	readonly isPreset?: true;
};

/** The open key of the open namespace (`keys`). */
export type KeyState = ShownViews & {
	readonly name: string;
	readonly reading: 'reading' | 'read' | 'absent' | 'failed';
	/** Also set if a refresh failed and the earlier value is still shown. */
	readonly failure?: Failure | undefined;
	/** The last value that was read. It is kept during a refresh. */
	readonly wholeKey: WholeKey | undefined;
	/** The view of the value. After a large value was written, it briefly shows the old one. */
	readonly view: KeyView | undefined;
	readonly search: KeySearch | undefined;
	/** The query whose result is shown, and the views that it was asked of. */
	readonly query?: {readonly text: string; readonly views: ShownViews} | undefined;
	/** True if name and metadata are shown in full. */
	readonly showsDetails: boolean;
};

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly key: KeySlice;
	}
}

type KeySlice = {
	readonly data: KeyState | undefined;
	/** True if long lines wrap. The setting also applies to values opened later. */
	readonly wrapsText: boolean;
	/**
	 * Reads a key of the open namespace: value, metadata, expiry. A refresh keeps cursor and folds. Rejects
	 * if reading fails.
	 */
	open(name: string, signal: AbortSignal): Promise<void>;
	close(): void;
	/** Shows what this session has written, without reading it again. Undefined means deleted. */
	noticeWrite(wholeKey: WholeKey | undefined): void;
	move(by: number): void;
	/** Switches to the next or previous form. */
	changeForm(by: 1 | -1): void;
	/** Opens or closes the container under the cursor in the tree. */
	toggleFold(): void;
	/** Goes right (1) or left (-1): unfolds or folds the tree, or scrolls text sideways. */
	moveSideways(by: 1 | -1): void;
	/** Unfolds the whole tree, or folds it if all is open. */
	toggleAllFolds(): void;
	showDetails(isShown: boolean): void;
	wrapText(wraps: boolean): void;
	/** Wraps the text again for a new width of the terminal. */
	fitText(): void;
	/** The query asked last in this session. */
	readonly lastQuery: string;
	/** Shows what a valid query finds in the value shown, or says why it can't. */
	ask(query: string): Promise<void>;
	/** Esc: closes the result of a query. Returns false if none is shown. */
	endQuery(): boolean;
	beginSearch(): void;
	/** Searches from the position where the search began. Empty text returns to it. */
	search(query: string): void;
	/**
	 * Moves to the match at a byte of the key that was opened for it. If the value no longer contains the
	 * text, says so.
	 */
	showMatch(name: string, query: string, byte: number): void;
	/** Moves to the next or previous match. */
	searchNext(direction?: 'next' | 'previous'): void;
	/** Esc: clears the search. Returns false if it has no text, or if it opened the key. */
	endSearch(): boolean;
};

/** Bytes indexed between two checks of the keyboard. */
const indexStep = 1 << 18;
/** Steps of indexing between two updates of the screen. */
const stepsPerUpdate = 16;

/** What is left of the value once the key does not exist. */
const absentValue = {
	reading: 'absent',
	wholeKey: undefined,
	view: undefined,
	otherView: undefined,
	failure: undefined,
} as const;

export const createKeySlice: Slice<KeySlice> = (set, get) => {
	/** Number of the latest read. The results of earlier reads are dropped. */
	let lastAttempt = 0;
	let indexingLines: KeyView['lines'] | undefined;

	const change = (part: Partial<KeyState>) => set(({data: key}) => (key ? {data: {...key, ...part}} : {}));

	const showView = (nextView: KeyView) => {
		const {wrapsText} = get().key;
		const {viewport} = get().navigation;
		const view =
			nextView.form === 'text' ? wrapLines(nextView, wrapsText ? viewport.columns : undefined) : nextView;
		change({view});
		if (view.form === 'text' && !view.lines.isComplete && indexingLines !== view.lines)
			void get().work.run('counting lines', 'background', signal => indexLines(view.lines, signal));
	};

	/** Indexes the rows of a long text in steps while it is shown. */
	async function indexLines(lines: KeyView['lines'], signal: AbortSignal): Promise<void> {
		indexingLines = lines;
		for (let step = 1; !signal.aborted; step++) {
			const isComplete = lines.indexMore(indexStep);
			const view = get().key.data?.view;
			if (view?.lines !== lines) break;
			if (isComplete || step % stepsPerUpdate === 0) change({view: syncKnownRows(view)});
			if (isComplete) return;
			await turn();
		}
		if (indexingLines === lines) indexingLines = undefined;
	}

	const showValue = (wholeKey: WholeKey, views: ValueViews) => {
		// Reuses the view's bytes object, which identifies the value it shows.
		const {bytes} = views.stored;
		const key = get().key.data;
		const shownViews = toShownViews(views, key && getAskedViews(key));
		change({
			query: undefined,
			reading: 'read',
			wholeKey: {...wholeKey, bytes},
			failure: undefined,
			search: key?.search && {...key.search, startView: shownViews.view},
			...shownViews,
		});
		showView(shownViews.view);
		if (key?.query) void get().key.ask(key.query.text);
	};

	/** Shows the other one of the stored and the decoded value, in a form of its own. */
	const swapViews = (chooseForm: (forms: KeyView['forms']) => KeyView['form'] | undefined) => {
		const {view, otherView, search} = get().key.data ?? {};
		if (!otherView) return;
		const form = chooseForm(otherView.forms) ?? otherView.form;
		const nextView = {...otherView, form, lastMovedForm: form};
		change({otherView: view, search: search && {...search, startView: nextView}});
		showView(nextView);
	};

	const getColumns = (): number => get().navigation.viewport.columns;

	/** Applies a move or fold. The cursors of the other forms then follow the current form. */
	const updateView = (update: (view: KeyView) => KeyView) => {
		const view = get().key.data?.view;
		if (view) showView({...update(view), lastMovedForm: view.form});
	};

	return {
		data: undefined,
		wrapsText: false,
		lastQuery: '',
		async open(name, signal) {
			const keys = get().keys.data;
			const currentKey = get().key.data;
			const releaseLargePeek = get().peek.releaseLarge;
			if (!keys) return;
			// A large value is kept in memory only once. The pane reads it again when visible.
			releaseLargePeek(maxBytesAtOnce);
			const attempt = ++lastAttempt;
			const previousKey = currentKey?.name === name ? currentKey : undefined;
			const common = {
				name,
				wholeKey: undefined,
				view: undefined,
				otherView: undefined,
				query: undefined,
				search: undefined,
				showsDetails: false,
			};
			set({data: {...common, ...previousKey, reading: 'reading', failure: undefined}});
			const isLatest = () => attempt === lastAttempt && get().key.data?.name === name;
			try {
				const wholeKey = await readWholeKey(keys.opened.store, name, signal);
				if (!isLatest()) return;
				if (!wholeKey) return change(absentValue);
				if (get().keys.data?.opened === keys.opened) get().keys.noticeSize(name, wholeKey.bytes.length);
				const previousViews = toValueViews(getAskedViews(get().key.data ?? common));
				const views = await createValueViews(wholeKey.bytes, previousViews, signal);
				if (isLatest()) showValue(wholeKey, views);
			} catch (error) {
				const failure = toFailure(error);
				// After a cancelled refresh, the earlier value remains.
				const shownFailure = previousKey?.wholeKey && isFailure(failure, 'interrupted') ? undefined : failure;
				if (isLatest()) change({reading: previousKey?.wholeKey ? 'read' : 'failed', failure: shownFailure});
				throw failure;
			}
		},
		close() {
			lastAttempt++;
			set({data: undefined});
		},
		noticeWrite(wholeKey) {
			const key = get().key.data;
			if (!key) return;
			const attempt = ++lastAttempt;
			if (!wholeKey) return change(absentValue);
			const previousViews = toValueViews(getAskedViews(key));
			if (wholeKey.bytes.length <= maxBytesAtOnce && !detectEncoding(wholeKey.bytes))
				return showValue(wholeKey, {stored: createKeyView(wholeKey.bytes, previousViews.stored)});
			change({reading: 'read', wholeKey, failure: undefined});
			void get().work.run('laying out the value', 'background', async signal => {
				const views = await createValueViews(wholeKey.bytes, previousViews, signal);
				if (attempt === lastAttempt) showValue(wholeKey, views);
			});
		},
		move: by => updateView(view => moveCursorByRows(view, by, getColumns())),
		changeForm(by) {
			const {view, otherView} = get().key.data ?? {};
			if (!view) return;
			if (otherView && view.form === view.forms.at(by > 0 ? -1 : 0))
				swapViews(forms => forms.at(by > 0 ? 0 : -1));
			else showView(switchValueForm(view, by, getColumns()));
		},
		toggleFold: () => updateView(toggleFold),
		moveSideways: by =>
			updateView(view => {
				switch (view.form) {
					case 'json':
						return by > 0 ? unfoldOrEnter(view) : foldOrLeave(view);
					case 'text':
						return scrollSideways(view, by);
					case 'hex':
					case 'image':
						return view;
				}
			}),
		toggleAllFolds: () => updateView(toggleAllFolds),
		showDetails: isShown => change({showsDetails: isShown}),
		wrapText(wrapsText) {
			set({wrapsText});
			get().key.fitText();
		},
		fitText() {
			const view = get().key.data?.view;
			if (view) showView(view);
		},
		async ask(query) {
			const askedKey = get().key.data;
			const views = askedKey && getAskedViews(askedKey);
			const {fail} = get().messages;
			set({lastQuery: query});
			if (!views?.view) return;
			try {
				const view = await createQueryView(views.view, query);
				const key = get().key.data;
				if (!key || getAskedViews(key).view !== views.view) return;
				change({query: {text: query, views}, otherView: undefined, search: undefined});
				showView(view);
			} catch (error) {
				fail(toFailure(error));
			}
		},
		endQuery() {
			const query = get().key.data?.query;
			if (!query) return false;
			change({query: undefined, search: undefined, ...query.views});
			return true;
		},
		beginSearch() {
			const view = get().key.data?.view;
			if (view) change({search: {query: '', startView: view, isFound: true}});
		},
		search(query) {
			const search = get().key.data?.search;
			if (!search) return;
			const {startView} = search;
			const match = findInValue(startView, query, 'here', getColumns());
			change({search: {query, startView, isFound: query === '' || match !== undefined}});
			showView(match ? {...match.view, lastMovedForm: startView.form} : startView);
		},
		showMatch(name, query, byte) {
			const {say} = get().messages;
			if (get().key.data?.name !== name) return;
			// The byte is one of the stored value.
			get().key.endQuery();
			if (get().key.data?.view?.derivation) swapViews(() => undefined);
			const view = get().key.data?.view;
			if (!view) return;
			const match = findInValue(moveToByte(view, byte, getColumns()), query, 'here', getColumns());
			change({search: {query, startView: view, isFound: match !== undefined, isPreset: true}});
			if (match) showView({...match.view, lastMovedForm: view.form});
			else say('The value has changed since the search and no longer contains the text.');
		},
		searchNext(direction = 'next') {
			const key = get().key.data;
			const {say} = get().messages;
			if (!key?.view || !key.search?.query) return;
			const {query} = key.search;
			const match = findInValue(key.view, query, direction === 'next' ? 'behind' : 'before', getColumns());
			if (!match) return say(`No matches for "${query}".`);
			showView({...match.view, lastMovedForm: key.view.form});
			if (match.isWrapped)
				say(direction === 'next' ? 'Search continued from the top.' : 'Search continued from the end.');
		},
		endSearch() {
			const query = get().key.data?.search?.query ?? '';
			if (query === '' || get().key.data?.search?.isPreset) return false;
			change({search: undefined});
			return true;
		},
	};
};

/** Returns the views of the value, also while the result of a query is shown. */
const getAskedViews = ({
	query,
	view,
	otherView,
	decodingProblem,
}: ShownViews & Pick<KeyState, 'query'>): ShownViews => query?.views ?? {view, otherView, decodingProblem};

/** Returns the JSON field under the cursor of the last value read; undefined outside the tree. */
export function getCurrentField({key: {data: key}}: StateWith<'key'>): JsonField | undefined {
	const view = key?.view;
	return view && view.bytes === key.wholeKey?.bytes ? getFieldAtCursor(view) : undefined;
}
