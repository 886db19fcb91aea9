import {setImmediate as turn} from 'node:timers/promises';
import {createInterruptedFailure, Failure, toFailure} from '../../failure.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {digestKey, isSameState, putWholeKey, readWholeKey} from '../../kv/change/whole-key.ts';
import {Pages} from '../../kv/key-index/pages.ts';
import {buildTwoStoreWork} from '../../kv/long-work.ts';
import type {KvStore} from '../../kv/store.ts';
import {compareStores} from '../../kv/transfer/difference.ts';
import {DifferenceList} from '../../kv/transfer/difference-list.ts';
import type {KeyScope} from '../../kv/transfer/listing.ts';
import {createEnvironmentClock} from '../../service/clock.ts';
import type {OpenedNamespace} from '../../session/namespaces.ts';
import {formatTrashNote, writeOrDropBatch} from '../../session/trash.ts';
import {toStorePlace} from '../../session/write-place.ts';
import {openStateDirectory} from '../../state/directory.ts';
import {isSameTarget, type JobTarget} from '../../state/job-record.ts';
import type {Slice} from '../../store/slice.ts';
import {shortenKeyName} from '../../text/short-name.ts';
import {applyKeyChange} from '../keys/apply-change.ts';
import {type ChosenKeys, createKeyScope, formatKeySubset} from '../keys/chosen-keys.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';
import {openNamespaceRow} from '../keys/open-row.ts';
import {keyNarrowingAdvice} from '../keys/work-time.ts';
import {computeDifference} from '../review/difference.ts';
import {runInSlices} from '../shell/run-in-slices.ts';
import {createUpdateThrottle} from '../shell/update-throttle.ts';
import {formatOtherStoreTitle, openOtherStore} from '../transfer/other-store.ts';
import {
	type ComparedStore,
	type CompareSide,
	type CompareState,
	getCurrentDifference,
	getOppositeSide,
	getVisibleDifferences,
	maxDifferences,
	zeroCounts,
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
	begin(row: NamespaceRow, keys: ChosenKeys, storeName: string, signal: AbortSignal): Promise<void>;
	/** Repeats the comparison, also after it failed or was stopped. */
	repeat(): Promise<void>;
	move(by: number): void;
	filter(filter: string): void;
	/** Reads the key under the cursor on both sides and shows the difference. */
	openDifference(signal: AbortSignal): Promise<void>;
	scrollDifference(by: number, lastTop: number): void;
	/** Shows a merged key as different again after another write to it, such as an undo. */
	noticeChange(target: JobTarget, key: string): void;
	/** Esc: closes the opened key and returns true, or ends the comparison and returns false. */
	leave(): boolean;
	/**
	 * Copies one side of the opened key to the other. Throws if either has changed since it was shown. The
	 * replaced content goes to the trash first; `usesTrash` is false if the trash has failed and the user
	 * proceeds.
	 */
	mergeDifference(sourceSide: CompareSide, signal: AbortSignal, usesTrash?: boolean): Promise<void>;
};

/** Milliseconds between updates while new differences fit the screen. */
const progressIntervalMs = 200;
/** Milliseconds between updates if only counts change, for slow connections to the terminal. */
const countIntervalMs = 1000;

/**
 * Maximum bytes of differences in memory if no list of keys is open whose pages could be shared. Further
 * differences go to an unnamed file.
 */
const maxBytesInMemory = 4_000_000;

type OpenStores = {readonly one: KvStore; readonly other: KvStore};

export const createCompareSlice: Slice<CompareSlice> = (set, get, {session, elapsed}) => {
	let lastComparisonNumber = 0;
	let openStores: OpenStores | undefined;
	let foundDifferences = new DifferenceList();
	/** Key that the cursor returns to in a repeated comparison, until the cursor is moved. */
	let pendingKey: string | undefined;
	/** The filter to restore in a repeated comparison. */
	let pendingFilter = '';
	/** Repeats the last comparison. */
	let repeatLast: (() => Promise<unknown>) | undefined;
	const clockScale = createEnvironmentClock(session.env).scale;

	const change = (comparisonNumber: number, part: Partial<CompareState>) =>
		set(({data: compare}) =>
			compare?.comparisonNumber === comparisonNumber
				? {data: {...compare, ...part, revision: compare.revision + 1}}
				: {},
		);

	const createOwnPages = () =>
		new Pages({maxBytes: maxBytesInMemory, directory: () => openStateDirectory(session.env)});

	function closeStores(): void {
		const stores = openStores;
		openStores = undefined;
		stores?.one[Symbol.dispose]();
		stores?.other[Symbol.dispose]();
	}

	async function openBothStores(
		row: NamespaceRow,
		storeName: string,
		signal: AbortSignal,
	): Promise<{readonly one: OpenedNamespace; readonly other: OpenedNamespace}> {
		const one = await openNamespaceRow(session, row, {}, signal);
		try {
			const namespaces = get().namespaces.data;
			const {resolveInputPath} = get().paths;
			return {
				one,
				other: await openOtherStore(session, storeName, {namespaces, resolveInputPath}, signal),
			};
		} catch (error) {
			one.store[Symbol.dispose]();
			throw error;
		}
	}

	/** Collects differences until the comparison ends. */
	async function collectDifferences(
		comparisonNumber: number,
		scope: KeyScope,
		{one, other}: OpenStores,
		signal: AbortSignal,
	) {
		const counts = {...zeroCounts};
		let [lastKey, shownAt] = ['', 0];
		const progressUpdates = createUpdateThrottle(progressIntervalMs, elapsed, () => {
			shownAt = elapsed();
			change(comparisonNumber, {counts: {...counts}, lastKey});
		});
		try {
			for await (const piece of compareStores(one, other, scope, signal)) {
				if (get().compare.data?.comparisonNumber !== comparisonNumber) return;
				counts.same += piece.sameCount;
				counts.gone += piece.missingCount;
				lastKey = piece.lastKey;
				const hasVisibleDifference =
					piece.differences.length > 0 && foundDifferences.length < get().navigation.viewport.rows;
				for (const difference of piece.differences) {
					counts[difference.kind]++;
					if (foundDifferences.length >= maxDifferences) continue;
					foundDifferences.push(difference);
					if (difference.key !== pendingKey) continue;
					const compare = get().compare.data;
					const row = compare && getVisibleDifferences(compare).findRow(foundDifferences.length - 1);
					if (row !== undefined) change(comparisonNumber, {cursor: row});
				}
				if (hasVisibleDifference || elapsed() - shownAt >= countIntervalMs * clockScale)
					progressUpdates.update(undefined);
				// Local data never waits, so this lets keystrokes through.
				await turn();
			}
		} finally {
			progressUpdates.stop();
			change(comparisonNumber, {counts, lastKey});
		}
		change(comparisonNumber, {phase: {name: 'done'}});
	}

	async function readBoth(key: string, {one, other}: OpenStores, signal: AbortSignal) {
		const [oneKey, otherKey] = await Promise.all([
			readWholeKey(one, key, signal),
			readWholeKey(other, key, signal),
		]);
		return {one: oneKey, other: otherKey};
	}

	async function showDetail(
		comparisonNumber: number,
		key: string,
		stores: OpenStores,
		signal: AbortSignal,
	): Promise<void> {
		const versions = await readBoth(key, stores, signal);
		const comparedVersions = {base: undefined, stored: versions.one, mine: versions.other};
		const difference = await runInSlices(computeDifference(comparedVersions), signal);
		change(comparisonNumber, {detail: {state: 'read', key, ...versions, difference, top: 0}});
	}

	return {
		data: undefined,
		async begin(row, keys, storeName, signal) {
			closeStores();
			const comparisonNumber = ++lastComparisonNumber;
			foundDifferences = new DifferenceList(get().keys.data?.index.pages ?? createOwnPages());
			const restoredFilter = pendingFilter;
			pendingFilter = '';
			set({data: undefined});
			repeatLast = () =>
				get().work.run(`comparing ${row.title} with ${storeName}`, 'read', childSignal =>
					get().compare.begin(row, keys, storeName, childSignal),
				);
			using scope = await createKeyScope(keys, session.env, signal);
			const {one, other} = await openBothStores(row, storeName, signal);
			if (signal.aborted) {
				one.store[Symbol.dispose]();
				other.store[Symbol.dispose]();
				throw createInterruptedFailure();
			}
			openStores = {one: one.store, other: other.store};
			set({
				data: {
					comparisonNumber,
					one: toComparedStore(one, row.title),
					other: toComparedStore(other, formatOtherStoreTitle(row, storeName, get().namespaces.data)),
					keySubset: formatKeySubset(keys),
					narrowingAdvice: keyNarrowingAdvice[keys.kind],
					work: buildTwoStoreWork(one.store, other.store, scope.names ? 'values' : 'both'),
					phase: {name: 'comparing'},
					counts: zeroCounts,
					lastKey: '',
					differences: foundDifferences,
					revision: 0,
					cursor: 0,
					filter: restoredFilter,
					merged: new Map(),
					detail: undefined,
				},
			});
			try {
				await collectDifferences(comparisonNumber, scope, openStores, signal);
			} catch (error) {
				change(comparisonNumber, {
					phase: signal.aborted ? {name: 'stopped'} : {name: 'failed', failure: toFailure(error)},
				});
				throw error;
			}
		},
		async repeat() {
			if (get().work.list.some(({kind}) => kind === 'read'))
				get().messages.say('The comparison is already running.');
			else {
				const compare = get().compare.data;
				pendingKey = compare && getCurrentDifference(compare)?.key;
				pendingFilter = compare?.filter ?? '';
				await repeatLast?.();
			}
		},
		move(by) {
			const compare = get().compare.data;
			if (!compare) return;
			pendingKey = undefined;
			const last = Math.max(0, getVisibleDifferences(compare).length - 1);
			change(compare.comparisonNumber, {cursor: Math.max(0, Math.min(last, compare.cursor + by))});
		},
		filter(filter) {
			const compare = get().compare.data;
			if (!compare) return;
			const currentIndex = getVisibleDifferences(compare).getIndex(compare.cursor);
			const visibleDifferences = getVisibleDifferences({...compare, filter});
			change(compare.comparisonNumber, {filter, cursor: visibleDifferences.findRow(currentIndex) ?? 0});
		},
		async openDifference(signal) {
			const compare = get().compare.data;
			const selected = compare && getCurrentDifference(compare);
			if (!compare || !selected || !openStores) return;
			const {comparisonNumber} = compare;
			change(comparisonNumber, {detail: {state: 'reading', key: selected.key}});
			try {
				await showDetail(comparisonNumber, selected.key, openStores, signal);
			} catch (error) {
				change(comparisonNumber, {detail: undefined});
				throw error;
			}
		},
		scrollDifference(by, lastTop) {
			const compare = get().compare.data;
			if (compare?.detail?.state !== 'read') return;
			const top = Math.max(0, Math.min(lastTop, compare.detail.top + by));
			change(compare.comparisonNumber, {detail: {...compare.detail, top}});
		},
		noticeChange(target, key) {
			const compare = get().compare.data;
			if (!compare?.merged.has(key)) return;
			if (!isSameTarget(compare.one.target, target) && !isSameTarget(compare.other.target, target)) return;
			const merged = new Map(compare.merged);
			merged.delete(key);
			// What it shows is no longer true.
			const detail = compare.detail?.key === key ? undefined : compare.detail;
			change(compare.comparisonNumber, {merged, detail});
		},
		leave() {
			pendingKey = undefined;
			const compare = get().compare.data;
			if (compare?.detail) {
				change(compare.comparisonNumber, {detail: undefined});
				return true;
			}
			set({data: undefined});
			closeStores();
			return false;
		},
		async mergeDifference(sourceSide, signal, usesTrash = true) {
			session.refuseWhenReadOnly('merging a key');
			const compare = get().compare.data;
			if (compare?.detail?.state !== 'read' || !openStores) return;
			const {comparisonNumber, detail} = compare;
			const {key} = detail;
			const stores = openStores;
			const targetSide = getOppositeSide(sourceSide);
			const place = await session.permit(toStorePlace(stores[targetSide]), `merging ${key}`);
			const currentVersions = await readBoth(key, stores, signal);
			if (
				!isSameState(currentVersions.one, detail.one) ||
				!isSameState(currentVersions.other, detail.other)
			) {
				await showDetail(comparisonNumber, key, stores, signal);
				throw new Failure(
					'changed_meanwhile',
					'The key has changed since it was shown; nothing was written.',
					{
						next: 'The current versions are shown.',
					},
				);
			}
			const content = currentVersions[sourceSide];
			const {target, title} = compare[targetSide];
			using keyBackup = await get().trash.backUp(
				{
					opened: {store: stores[targetSide], target},
					key,
					wholeKey: usesTrash ? currentVersions[targetSide] : undefined,
					reason: content ? 'overwritten' : 'deleted',
					title,
					isUndoable: true,
				},
				() =>
					void get().work.run(`merging ${key}`, 'write', childSignal =>
						get().compare.mergeDifference(sourceSide, childSignal, false),
					),
				signal,
			);
			if (!keyBackup) return;
			const {heldBatch} = keyBackup;
			await writeOrDropBatch(session, heldBatch, () =>
				session.auditWrite(
					`${content ? 'put' : 'delete'} ${key}${formatTrashNote(heldBatch)}`,
					place,
					async () => {
						if (content) await putWholeKey(stores[targetSide], key, content, content, signal);
						else await stores[targetSide].delete(key, signal);
					},
				),
			);
			const undoProblem = get().review.rememberWrites(title, [
				{target, key, before: currentVersions[targetSide], after: content && digestKey(content)},
			]);
			applyKeyChange(get(), target, key, content, 'stays');
			const merged = new Map(get().compare.data?.merged).set(key, sourceSide);
			change(comparisonNumber, {merged, detail: undefined});
			const outcome = content
				? `Merged ${shortenKeyName(key)}: this key is now the same in ${title} as in ${compare[sourceSide].title}.`
				: `Deleted ${shortenKeyName(key)} in ${title}, as it is missing in ${compare[sourceSide].title}.`;
			get().messages.say(
				`${outcome} ${undoProblem === undefined ? `${nameKey('edit.undo', 'u')} undoes it.` : `It cannot be undone: ${undoProblem}`}`,
			);
		},
	};
};

const toComparedStore = ({store, target}: OpenedNamespace, title: string): ComparedStore => ({
	title,
	label: store.label,
	target,
	isWritable: store.kind !== 'file',
});
