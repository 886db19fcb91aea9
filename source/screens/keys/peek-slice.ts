import {setImmediate as turn, setTimeout as wait} from 'node:timers/promises';
import {asFailure, type Failure} from '../../failure.ts';
import {readWhole, type WholeKey} from '../../kv/change/whole-key.ts';
import type {OpenedNamespace} from '../../session/namespaces.ts';
import type {Slice} from '../../store/slice.ts';
import {type KeyView, viewOfLarge} from '../key/value-view.ts';

/** The key that the second pane of the list shows. */
export type PeekState = {readonly name: string; readonly opened: OpenedNamespace} & (
	| {readonly reading: 'reading' | 'absent'}
	| {readonly reading: 'failed'; readonly failure: Failure}
	| {readonly reading: 'read'; readonly whole: WholeKey; readonly view: KeyView}
);

export type PeekSlice = {
	readonly peek: PeekState | undefined;
	/** Counts what was forgotten, so that whoever shows a key knows to look again. */
	readonly peekRevision: number;
	/**
	 * Reads the key that the cursor is on, of the namespace that is open, once it has rested there; what was read
	 * before stays meanwhile. No name: nothing is shown. A failure is shown in its place and nowhere else, so this never fails.
	 */
	peekAt(name: string | undefined, opened: OpenedNamespace, signal: AbortSignal): Promise<void>;
	/** Lets go of a value of more than so many bytes. */
	releaseLargePeek(bytes: number): void;
	/** To be said of a key that was written or deleted: it is refreshed when it is shown. */
	forgetPeek(): void;
};

/** Milliseconds that the cursor rests before its key is read, and that a read takes before it is told. */
const rest = 250;
const worthTelling = 120;

export const createPeekSlice: Slice<PeekSlice> = (set, get) => ({
	peek: undefined,
	peekRevision: 0,
	async peekAt(name, opened, signal) {
		const {peek} = get();
		if (peek?.name === name && peek?.opened === opened && peek.reading === 'read') return;
		const key = {name: name ?? '', opened};
		const show = (next: PeekState | undefined) => {
			if (!signal.aborted && get().keys?.opened === opened) set({peek: next});
		};
		const late = new AbortController();
		const ended = AbortSignal.any([signal, late.signal]);
		try {
			await wait(rest, undefined, {signal});
			if (name === undefined) return show(undefined);
			const telling = wait(worthTelling, undefined, {signal: ended}).then(
				() => show({...key, reading: 'reading'}),
				() => {},
			);
			const whole = await readWhole(opened.store, name, signal);
			if (!whole) return show({...key, reading: 'absent'});
			if (!signal.aborted && get().keys?.opened === opened) get().sizeKnown(name, whole.bytes.length);
			const view = await viewOfLarge(whole.bytes, undefined, async () => {
				await turn(undefined, {signal});
			});
			late.abort();
			await telling;
			show({...key, reading: 'read', whole, view});
		} catch (error) {
			show({...key, reading: 'failed', failure: asFailure(error)});
		} finally {
			late.abort();
			if (get().peek?.reading === 'reading' && signal.aborted) set({peek: undefined});
		}
	},
	releaseLargePeek(bytes) {
		const {peek} = get();
		if (peek?.reading === 'read' && peek.whole.bytes.length > bytes) set({peek: undefined});
	},
	forgetPeek: () => set(({peekRevision}) => ({peek: undefined, peekRevision: peekRevision + 1})),
});
