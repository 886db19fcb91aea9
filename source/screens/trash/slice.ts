import type {TrashBatch} from '../../kv/trash/batch.ts';
import {isAllRestored, restoredSentence} from '../../kv/trash/restored.ts';
import {emptyBatch, listTrash} from '../../kv/trash/trash.ts';
import {readyRestore} from '../../session/trash.ts';
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

export type TrashSlice = {
	/** What was deleted in this session and is in the trash, the last one last. */
	readonly deletions: readonly Deletion[];
	/** Keeps that keys were deleted, so that they can be restored like the last write. */
	deletedIntoTrash(batch: TrashBatch): void;
	/** The batches of the trash, the latest first. */
	readTrash(): Promise<readonly TrashBatch[]>;
	/**
	 * Writes the keys of a batch back, as a transfer. Keys that were written again since stay, unless they are to be
	 * written over. Once all are back, the batch is removed.
	 */
	restoreFromTrash(batch: TrashBatch, overwrites: boolean, signal: AbortSignal): Promise<void>;
	/** Removes batches for good. */
	emptyTrash(batches: readonly TrashBatch[]): void;
};

/** Keys that the end of a restore names. */
const namesTold = 3;

export const createTrashSlice: Slice<TrashSlice> = (set, get, {session, now}) => {
	const {env} = session;
	const forget = (id: string) =>
		set(({deletions}) => ({deletions: deletions.filter(({batch}) => batch.id !== id)}));

	return {
		deletions: [],
		deletedIntoTrash: batch =>
			set(({deletions, undoable}) => ({deletions: [...deletions, {batch, after: undoable?.id ?? 0}]})),
		readTrash: () => listTrash(env, now()),
		async restoreFromTrash(batch, overwrites, signal) {
			const {id, label, target} = batch;
			const kept: string[] = [];
			const about = {keys: counted(batch.keys, 'key'), from: `the trash (${id})`, to: label};
			const keeps = (keys: readonly string[]) => void kept.push(...keys);
			const result = await get().transferInto(
				about,
				() => readyRestore(session, id, {overwrites, keeps}, signal),
				ended => [restoredSentence(ended, label), ...keptText(kept)].join(' '),
				signal,
			);
			forget(id);
			if (isAllRestored(result, batch)) emptyBatch(env, id);
			keysWritten(get(), target, 'to be read');
			const {keys} = get();
			const isShown = keys !== undefined && sameTarget(keys.opened.target, target);
			await get().refreshKeys(isShown ? batch.first : undefined);
		},
		emptyTrash(batches) {
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
