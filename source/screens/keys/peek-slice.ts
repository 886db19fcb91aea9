import {setImmediate as turn, setTimeout as wait} from 'node:timers/promises';
import {type Failure, toFailure} from '../../failure.ts';
import {readWholeKey, type WholeKey} from '../../kv/change/whole-key.ts';
import type {OpenedNamespace} from '../../session/namespaces.ts';
import type {Slice} from '../../store/slice.ts';
import {createKeyViewInSteps, type KeyView} from '../key/value-view.ts';

/** The key that the second pane of the list shows. */
export type PeekState = {readonly name: string; readonly opened: OpenedNamespace} & (
	| {readonly reading: 'reading' | 'absent'}
	| {readonly reading: 'failed'; readonly failure: Failure}
	| {readonly reading: 'read'; readonly whole: WholeKey; readonly view: KeyView}
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
	 * Reads a key of the open namespace after the cursor has rested; the previous key stays visible until
	 * then. Undefined shows nothing. Never rejects: a failure is shown in the pane only.
	 */
	show(name: string | undefined, opened: OpenedNamespace, signal: AbortSignal): Promise<void>;
	/** Drops a value larger than `bytes`. */
	releaseLarge(bytes: number): void;
	/** Drops the key after a write or deletion; it is read again when shown. */
	forget(): void;
};

/** Milliseconds before a key is read, and before a slow read is shown. */
const cursorRestMs = 250;
const readingDelayMs = 120;

export const createPeekSlice: Slice<PeekSlice> = (set, get) => ({
	data: undefined,
	revision: 0,
	async show(name, opened, signal) {
		const peek = get().peek.data;
		if (peek?.name === name && peek?.opened === opened && peek.reading === 'read') return;
		const key = {name: name ?? '', opened};
		const showUnlessLeft = (next: PeekState | undefined) => {
			if (!signal.aborted && get().keys.data?.opened === opened) set({data: next});
		};
		const endedEarly = new AbortController();
		const cancelled = AbortSignal.any([signal, endedEarly.signal]);
		try {
			await wait(cursorRestMs, undefined, {signal});
			if (name === undefined) return showUnlessLeft(undefined);
			const readingNotice = wait(readingDelayMs, undefined, {signal: cancelled}).then(
				() => showUnlessLeft({...key, reading: 'reading'}),
				() => {},
			);
			const whole = await readWholeKey(opened.store, name, signal);
			if (!whole) return showUnlessLeft({...key, reading: 'absent'});
			if (!signal.aborted && get().keys.data?.opened === opened)
				get().keys.noticeSize(name, whole.bytes.length);
			const view = await createKeyViewInSteps(whole.bytes, undefined, async () => {
				await turn(undefined, {signal});
			});
			endedEarly.abort();
			await readingNotice;
			showUnlessLeft({...key, reading: 'read', whole, view});
		} catch (error) {
			showUnlessLeft({...key, reading: 'failed', failure: toFailure(error)});
		} finally {
			endedEarly.abort();
			if (get().peek.data?.reading === 'reading' && signal.aborted) set({data: undefined});
		}
	},
	releaseLarge(bytes) {
		const peek = get().peek.data;
		if (peek?.reading === 'read' && peek.whole.bytes.length > bytes) set({data: undefined});
	},
	forget: () => set(({revision: peekRevision}) => ({data: undefined, revision: peekRevision + 1})),
});
