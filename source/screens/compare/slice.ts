import {setImmediate as turn} from 'node:timers/promises';
import {asFailure, Failure, interrupted} from '../../failure.ts';
import {isSame, putWhole, readWhole} from '../../kv/change/whole-key.ts';
import {Pages} from '../../kv/key-index/pages.ts';
import {workOfBoth} from '../../kv/long-work.ts';
import type {KvStore} from '../../kv/store.ts';
import {compareStores} from '../../kv/transfer/difference.ts';
import {DifferenceList} from '../../kv/transfer/difference-list.ts';
import type {Scope} from '../../kv/transfer/listing.ts';
import {clockOf} from '../../service/clock.ts';
import type {OpenedNamespace} from '../../session/namespaces.ts';
import {keptText, writeOver} from '../../session/trash.ts';
import {placeOfStore} from '../../session/write-place.ts';
import {openStateDirectory} from '../../state/directory.ts';
import type {Slice} from '../../store/slice.ts';
import {applyChange} from '../keys/apply-change.ts';
import {type ChosenKeys, chosenPart, scopeOf} from '../keys/chosen.ts';
import {fewerKeys} from '../keys/long-time.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';
import {openRow} from '../keys/open-row.ts';
import {differenceOf} from '../review/difference.ts';
import {inTurns} from '../shell/in-turns.ts';
import {paced} from '../shell/paced.ts';
import {openOther, titleBeside} from '../transfer/other-store.ts';
import {
	type ComparedStore,
	type CompareSide,
	type CompareState,
	differenceHere,
	mostDifferences,
	nextOpen,
	noDifferences,
	otherSide,
	visibleDifferences,
} from './state.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly compare: CompareSlice;
	}
}

type CompareSlice = {
	readonly data: CompareState | undefined;
	/**
	 * Compares keys of a namespace with the named store. Resolves when all are compared; rejects if the
	 * signal aborts.
	 */
	begin(row: NamespaceRow, keys: ChosenKeys, name: string, signal: AbortSignal): Promise<void>;
	/** Compares again, also after a failure or stop. */
	repeat(): Promise<void>;
	move(by: number): void;
	filter(filter: string): void;
	/** Reads the key under the cursor on both sides and shows the difference. */
	openDifference(signal: AbortSignal): Promise<void>;
	scrollDifference(by: number, last: number): void;
	/** Esc: closes the opened key (returns true), or leaves the comparison. */
	leave(): boolean;
	/**
	 * Copies one side of the opened key to the other; throws if either has changed since it was shown. The
	 * replaced content goes to the trash first, unless the user declines (`isKept` false).
	 */
	mergeDifference(from: CompareSide, signal: AbortSignal, isKept?: boolean): Promise<void>;
};

/** Milliseconds between updates while new differences fit the screen. */
const showEvery = 200;
/** Milliseconds between updates of counts alone: what a slow line can bear. */
const countEvery = 1000;

/**
 * Bytes of differences in memory when no list of keys is open to share its pages; the rest is in an unnamed
 * file.
 */
const mostInMemory = 4_000_000;

type Held = {readonly one: KvStore; readonly other: KvStore};

export const createCompareSlice: Slice<CompareSlice> = (set, get, {session, elapsed}) => {
	let numbered = 0;
	let held: Held | undefined;
	let found = new DifferenceList();
	/** Cursor key before a repeated comparison, until it is found or the cursor moves. */
	let sought: string | undefined;
	/** The filter to restore in a repeated comparison. */
	let keptFilter = '';
	/** Repeats the last comparison. */
	let again: (() => Promise<unknown>) | undefined;
	const clock = clockOf(session.env).scale;

	const change = (number: number, part: Partial<CompareState>) =>
		set(({data: compare}) =>
			compare?.number === number ? {data: {...compare, ...part, revision: compare.revision + 1}} : {},
		);

	const ownPages = () =>
		new Pages({mostBytes: mostInMemory, directory: () => openStateDirectory(session.env)});

	function close(): void {
		const open = held;
		held = undefined;
		open?.one[Symbol.dispose]();
		open?.other[Symbol.dispose]();
	}

	async function opened(
		row: NamespaceRow,
		name: string,
		signal: AbortSignal,
	): Promise<{readonly one: OpenedNamespace; readonly other: OpenedNamespace}> {
		const one = await openRow(session, row, {}, signal);
		try {
			const namespaces = get().namespaces.data;
			const {inputPath} = get().paths;
			return {one, other: await openOther(session, name, {namespaces, inputPath}, signal)};
		} catch (error) {
			one.store[Symbol.dispose]();
			throw error;
		}
	}

	/** Collects differences until the comparison ends. */
	async function walk(number: number, scope: Scope, {one, other}: Held, signal: AbortSignal) {
		const counts = {...noDifferences};
		let [at, shownAt] = ['', 0];
		const shown = paced(showEvery, elapsed, () => {
			shownAt = elapsed();
			change(number, {counts: {...counts}, at});
		});
		try {
			for await (const piece of compareStores(one, other, scope, signal)) {
				if (get().compare.data?.number !== number) return;
				counts.same += piece.same;
				counts.gone += piece.gone;
				at = piece.last;
				const isSeen = piece.differences.length > 0 && found.length < get().navigation.viewport.rows;
				for (const difference of piece.differences) {
					counts[difference.kind]++;
					if (found.length >= mostDifferences) continue;
					found.push(difference);
					if (difference.key !== sought) continue;
					const compare = get().compare.data;
					const row = compare && visibleDifferences(compare).rowOf(found.length - 1);
					if (row !== undefined) change(number, {cursor: row});
				}
				if (isSeen || elapsed() - shownAt >= countEvery * clock) shown.tell(undefined);
				// Local data never waits: give the keyboard a turn.
				await turn();
			}
		} finally {
			shown.stop();
			change(number, {counts, at});
		}
		change(number, {phase: {name: 'done'}});
	}

	async function readBoth(key: string, {one, other}: Held, signal: AbortSignal) {
		const [here, there] = await Promise.all([readWhole(one, key, signal), readWhole(other, key, signal)]);
		return {one: here, other: there};
	}

	async function show(number: number, key: string, open: Held, signal: AbortSignal): Promise<void> {
		const both = await readBoth(key, open, signal);
		const compared = {base: undefined, stored: both.one, mine: both.other};
		const difference = await inTurns(differenceOf(compared), signal);
		change(number, {detail: {state: 'read', key, ...both, difference, top: 0}});
	}

	return {
		data: undefined,
		async begin(row, keys, name, signal) {
			close();
			const number = ++numbered;
			found = new DifferenceList(get().keys.data?.index.pages ?? ownPages());
			const kept = keptFilter;
			keptFilter = '';
			set({data: undefined});
			again = () =>
				get().work.run(`comparing ${row.title} with ${name}`, 'read', during =>
					get().compare.begin(row, keys, name, during),
				);
			using scope = await scopeOf(keys, session.env, signal);
			const {one, other} = await opened(row, name, signal);
			if (signal.aborted) {
				one.store[Symbol.dispose]();
				other.store[Symbol.dispose]();
				throw interrupted();
			}
			held = {one: one.store, other: other.store};
			set({
				data: {
					number,
					one: storeOf(one, row.title),
					other: storeOf(other, titleBeside(row, name, get().namespaces.data)),
					keys: chosenPart(keys),
					fewer: fewerKeys[keys.kind],
					work: workOfBoth(one.store, other.store, scope.names ? 'values' : 'both'),
					phase: {name: 'comparing'},
					counts: noDifferences,
					at: '',
					differences: found,
					revision: 0,
					cursor: 0,
					filter: kept,
					merged: new Map(),
					detail: undefined,
				},
			});
			try {
				await walk(number, scope, held, signal);
			} catch (error) {
				change(number, {
					phase: signal.aborted ? {name: 'stopped'} : {name: 'failed', failure: asFailure(error)},
				});
				throw error;
			}
		},
		async repeat() {
			if (get().work.list.some(({kind}) => kind === 'read'))
				get().messages.say('It is being compared already.');
			else {
				const compare = get().compare.data;
				sought = compare && differenceHere(compare)?.key;
				keptFilter = compare?.filter ?? '';
				await again?.();
			}
		},
		move(by) {
			const compare = get().compare.data;
			if (!compare) return;
			sought = undefined;
			const last = Math.max(0, visibleDifferences(compare).length - 1);
			change(compare.number, {cursor: Math.max(0, Math.min(last, compare.cursor + by))});
		},
		filter(filter) {
			const compare = get().compare.data;
			if (!compare) return;
			const here = visibleDifferences(compare).numberAt(compare.cursor);
			const shown = visibleDifferences({...compare, filter});
			change(compare.number, {filter, cursor: shown.rowOf(here) ?? 0});
		},
		async openDifference(signal) {
			const compare = get().compare.data;
			const here = compare && differenceHere(compare);
			if (!compare || !here || !held) return;
			const {number} = compare;
			change(number, {detail: {state: 'reading', key: here.key}});
			try {
				await show(number, here.key, held, signal);
			} catch (error) {
				change(number, {detail: undefined});
				throw error;
			}
		},
		scrollDifference(by, last) {
			const compare = get().compare.data;
			if (compare?.detail?.state !== 'read') return;
			const top = Math.max(0, Math.min(last, compare.detail.top + by));
			change(compare.number, {detail: {...compare.detail, top}});
		},
		leave() {
			sought = undefined;
			const compare = get().compare.data;
			if (compare?.detail) {
				change(compare.number, {detail: undefined});
				return true;
			}
			set({data: undefined});
			close();
			return false;
		},
		async mergeDifference(from, signal, isKept = true) {
			session.refuseWhenReadOnly('merging a key');
			const compare = get().compare.data;
			if (compare?.detail?.state !== 'read' || !held) return;
			const {number, detail} = compare;
			const {key} = detail;
			const open = held;
			const to = otherSide(from);
			const place = await session.permit(placeOfStore(open[to]), `merging ${key}`);
			const read = await readBoth(key, open, signal);
			if (!isSame(read.one, detail.one) || !isSame(read.other, detail.other)) {
				await show(number, key, open, signal);
				throw new Failure(
					'changed_meanwhile',
					'The key has changed since it was shown; nothing was written.',
					{
						next: 'It is shown as it is now.',
					},
				);
			}
			const content = read[from];
			const {target, title} = compare[to];
			using kept = await get().trash.keep(
				{
					opened: {store: open[to], target},
					key,
					whole: isKept ? read[to] : undefined,
					reason: content ? 'overwritten' : 'deleted',
					title,
					isUndoable: false,
				},
				() =>
					void get().work.run(`merging ${key}`, 'write', during =>
						get().compare.mergeDifference(from, during, false),
					),
				signal,
			);
			if (!kept) return;
			const {held: batch} = kept;
			await writeOver(session, batch, () =>
				session.audited(`${content ? 'put' : 'delete'} ${key}${keptText(batch)}`, place, async () => {
					if (content) await putWhole(open[to], key, content, content, signal);
					else await open[to].delete(key, signal);
				}),
			);
			applyChange(get(), compare[to].target, key, content, 'stays');
			const merged = new Map(get().compare.data?.merged).set(key, from);
			change(number, {merged, detail: undefined, cursor: nextOpen({...compare, merged})});
			get().messages.say(`Merged ${key}: ${compare[to].title} has what ${compare[from].title} has.`);
		},
	};
};

const storeOf = ({store, target}: OpenedNamespace, title: string): ComparedStore => ({
	title,
	label: store.label,
	target,
	isWritable: store.kind !== 'file',
});
