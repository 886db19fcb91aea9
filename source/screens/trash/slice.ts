import {asFailure} from '../../failure.ts';
import type {WholeKey} from '../../kv/change/whole-key.ts';
import {damagedBatches, damagedBatchesText, type TrashBatch, type TrashReason} from '../../kv/trash/batch.ts';
import {isTrashFailure, withoutTrashTitle} from '../../kv/trash/failures.ts';
import {isAllRestored, restoredSentence} from '../../kv/trash/restored.ts';
import {emptyBatch, type HeldBatch, listTrash} from '../../kv/trash/trash.ts';
import type {OpenedNamespace} from '../../session/namespaces.ts';
import {keepKeyBefore, readyRestore} from '../../session/trash.ts';
import {sameTarget} from '../../state/job-record.ts';
import type {Slice} from '../../store/slice.ts';
import {counted} from '../../text/figures.ts';
import {keysWritten} from '../keys/written.ts';

/** A deletion of this session that went to the trash. */
type Deletion = {
	readonly batch: TrashBatch;
	/** The last write of a single key that could be undone before it. */
	readonly after: number;
};

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly trash: TrashSlice;
	}
}

export type TrashSlice = {
	/** What was deleted in this session and is in the trash, the last one last. */
	readonly deletions: readonly Deletion[];
	/** Keeps that keys were deleted, so that they can be restored like the last write. */
	noticeDeletion(batch: TrashBatch): void;
	/** The batches of the trash, the latest first, and what of it cannot be read, in a sentence. */
	read(): Promise<{readonly batches: readonly TrashBatch[]; readonly damaged: string | undefined}>;
	/**
	 * Keeps a key in the trash before it is deleted or overwritten. Where that fails the person is asked whether to go on
	 * without, which `without` does; returns undefined then.
	 */
	keep(loss: KeyLoss, without: () => void, signal: AbortSignal): Promise<KeptLoss | undefined>;
	/**
	 * Writes the keys of a batch back, as a transfer. Keys that were written again since stay, unless they are to be
	 * written over: what they hold then goes to the trash first, unless `keepsReplaced` is false. Once all are back, the
	 * batch is removed.
	 */
	restore(
		batch: TrashBatch,
		how: {readonly overwrites: boolean; readonly keepsReplaced?: boolean},
		signal: AbortSignal,
	): Promise<void>;
	/** Removes batches for good. */
	empty(batches: readonly TrashBatch[]): void;
};

/** A key that is about to be deleted or overwritten. */
type KeyLoss = {
	readonly opened: OpenedNamespace;
	readonly key: string;
	/** What it holds; undefined if there is nothing to keep. */
	readonly whole: WholeKey | undefined;
	readonly reason: TrashReason;
	/** What a person calls the namespace. */
	readonly title: string;
	/** Whether `u` brings it back in this session, also without the trash. */
	readonly isUndoable: boolean;
};

/** What was kept: nothing where the person does without. */
type KeptLoss = Disposable & {readonly held: HeldBatch | undefined};

/** Keys that the end of a restore names. */
const namesTold = 3;

export const createTrashSlice: Slice<TrashSlice> = (set, get, {session, now}) => {
	const {env} = session;
	const forget = (id: string) =>
		set(({deletions}) => ({deletions: deletions.filter(({batch}) => batch.id !== id)}));

	return {
		deletions: [],
		noticeDeletion: batch =>
			set(({deletions}) => ({deletions: [...deletions, {batch, after: get().review.undoable?.id ?? 0}]})),
		async read() {
			const batches = await listTrash(env, now());
			return {batches, damaged: damagedBatchesText(damagedBatches(env))};
		},
		async keep({opened, key, whole, reason, title, isUndoable}, without, signal) {
			try {
				const loss = {reason, at: now(), command: 'screens', title};
				const held = whole && (await keepKeyBefore(session, opened, {key, whole}, loss, signal));
				return {held, [Symbol.dispose]: () => held?.[Symbol.dispose]()};
			} catch (error) {
				const failure = asFailure(error);
				if (!isTrashFailure(failure)) throw failure;
				const {why} = failure.details;
				get().dialog.open({
					kind: 'confirm',
					title: withoutTrashTitle[reason],
					lines: [
						failure.message,
						...(why ? [why] : []),
						isUndoable ? 'u restores it, in this session only.' : 'This cannot be undone.',
					],
					does: reason === 'deleted' ? 'delete' : 'write',
					confirm: without,
				});
				return undefined;
			}
		},
		async restore(batch, {overwrites, keepsReplaced = true}, signal) {
			const {id, label, target} = batch;
			const kept: string[] = [];
			const about = {keys: counted(batch.keys, 'key'), from: `the trash (${id})`, to: label};
			const keeps = (keys: readonly string[]) => void kept.push(...keys);
			const result = await get().transfer.openFrom(
				about,
				() => readyRestore(session, id, {overwrites, keepsReplaced, keeps}, signal),
				ended => [restoredSentence(ended, label), ...keptText(kept)].join(' '),
				signal,
			);
			forget(id);
			if (isAllRestored(result, batch)) emptyBatch(env, id);
			keysWritten(get(), target, 'to be read');
			const keys = get().keys.data;
			const isShown = keys !== undefined && sameTarget(keys.opened.target, target);
			await get().keys.refresh(isShown ? batch.first : undefined);
		},
		empty(batches) {
			for (const {id} of batches) {
				emptyBatch(env, id);
				forget(id);
			}
		},
	};
};

/** Which keys were left alone. Data as it is. */
function keptText(kept: readonly string[]): readonly string[] {
	if (kept.length === 0) return [];
	const more = kept.length - namesTold;
	const names = kept.slice(0, namesTold).map(name => JSON.stringify(name));
	return [
		`Left alone: ${[...names, ...(more > 0 ? [`${more} more`] : [])].join(', ')}. V restores them, too.`,
	];
}
