import {setTimeout as wait} from 'node:timers/promises';
import {type Failure, toFailure} from '../../failure.ts';
import {readWholeKey, type WholeKey} from '../../kv/change/whole-key.ts';
import type {OpenedNamespace} from '../../session/namespaces.ts';
import type {Slice} from '../../store/slice.ts';
import {createValueViews, toShownViews} from '../key/decoded-view.ts';
import type {KeyView} from '../key/value-view.ts';

/** The key that the second pane of the list shows. */
export type PeekState = {readonly name: string; readonly opened: OpenedNamespace} & (
	| {readonly reading: 'reading' | 'absent'}
	| {readonly reading: 'failed'; readonly failure: Failure}
	| {
			readonly reading: 'read';
			readonly wholeKey: WholeKey;
			readonly view: KeyView;
			readonly decodingProblem: string | undefined;
	  }
);

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly peek: PeekSlice;
	}
}

type PeekSlice = {
	readonly data: PeekState | undefined;
	/** Increments on `forget`, so that the view reads again. */
	readonly revision: number;
	/**
	 * Reads a key of the open namespace once the cursor has rested; the previous key stays visible until
	 * then. An undefined name empties the pane. Never rejects, because a failure is shown in the pane only.
	 */
	show(name: string | undefined, opened: OpenedNamespace, signal: AbortSignal): Promise<void>;
	/** Drops a value larger than `bytes`. */
	releaseLarge(bytes: number): void;
	/** Drops the key after a write or deletion. A visible pane reads it again. */
	forget(): void;
};

/** Milliseconds that the cursor rests before a key is read, and that a read takes before it is announced. */
const cursorRestMs = 250;
const readingDelayMs = 120;

export const createPeekSlice: Slice<PeekSlice> = (set, get) => ({
	data: undefined,
	revision: 0,
	async show(name, opened, signal) {
		const peek = get().peek.data;
		if (peek?.name === name && peek?.opened === opened && peek.reading === 'read') return;
		const peekedKey = {name: name ?? '', opened};
		const showIfStillOpen = (next: PeekState | undefined) => {
			if (!signal.aborted && get().keys.data?.opened === opened) set({data: next});
		};
		const readController = new AbortController();
		const readSignal = AbortSignal.any([signal, readController.signal]);
		try {
			await wait(cursorRestMs, undefined, {signal});
			if (name === undefined) return showIfStillOpen(undefined);
			const readingNotice = wait(readingDelayMs, undefined, {signal: readSignal}).then(
				() => showIfStillOpen({...peekedKey, reading: 'reading'}),
				() => {},
			);
			const wholeKey = await readWholeKey(opened.store, name, signal);
			if (!wholeKey) return showIfStillOpen({...peekedKey, reading: 'absent'});
			if (!signal.aborted && get().keys.data?.opened === opened)
				get().keys.noticeSize(name, wholeKey.bytes.length);
			const views = await createValueViews(wholeKey.bytes, {}, signal);
			const {view, decodingProblem} = toShownViews(views, undefined);
			readController.abort();
			await readingNotice;
			showIfStillOpen({...peekedKey, reading: 'read', wholeKey, view, decodingProblem});
		} catch (error) {
			showIfStillOpen({...peekedKey, reading: 'failed', failure: toFailure(error)});
		} finally {
			readController.abort();
			if (get().peek.data?.reading === 'reading' && signal.aborted) set({data: undefined});
		}
	},
	releaseLarge(bytes) {
		const peek = get().peek.data;
		if (peek?.reading === 'read' && peek.wholeKey.bytes.length > bytes) set({data: undefined});
	},
	forget: () => set(({revision: peekRevision}) => ({data: undefined, revision: peekRevision + 1})),
});
