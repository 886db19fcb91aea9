import {toFailure} from '../../failure.ts';
import type {WholeKey} from '../../kv/change/whole-key.ts';
import {
	describeDamagedBatches,
	listDamagedBatches,
	type TrashBatch,
	type TrashReason,
} from '../../kv/trash/batch.ts';
import {isTrashFailure, skipTrashQuestions} from '../../kv/trash/failures.ts';
import {describeRestore, isAllRestored} from '../../kv/trash/restore-result.ts';
import {type HeldBatch, listTrash, removeTrashBatch} from '../../kv/trash/trash.ts';
import type {OpenedNamespace} from '../../session/namespaces.ts';
import {backUpKey, prepareRestore} from '../../session/trash.ts';
import {isSameTarget} from '../../state/job-record.ts';
import type {Slice} from '../../store/slice.ts';
import {formatQuantity} from '../../text/figures.ts';
import {getConfirmationText} from '../keys/namespace-rows.ts';
import {notifyKeysWritten} from '../keys/written.ts';
import {askToConfirm} from '../shell/confirmation.ts';

type Deletion = {
	readonly batch: TrashBatch;
	/** Id of the last undoable single write before it. */
	readonly afterWriteId: number;
};

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly trash: TrashSlice;
	}
}

export type TrashSlice = {
	/** This session's deletions in the trash, the latest last. */
	readonly deletions: readonly Deletion[];
	/** Records a deletion, so that undo can restore it. */
	noticeDeletion(batch: TrashBatch): void;
	/** Returns the batches of the trash, latest first, and a sentence on what cannot be read. */
	read(): Promise<{readonly batches: readonly TrashBatch[]; readonly damageNote: string | undefined}>;
	/**
	 * Copies a key to the trash before it is deleted or overwritten. If that fails, returns undefined and
	 * asks whether to go on; the answer yes calls `proceedWithoutTrash`.
	 */
	backUp(
		backupRequest: KeyBackupRequest,
		proceedWithoutTrash: () => void,
		signal: AbortSignal,
	): Promise<KeyBackup | undefined>;
	/**
	 * Restores the keys of a batch, as a transfer. Keys written since then stay unless `overwrites` is true;
	 * what is overwritten goes to the trash unless `backsUpReplaced` is false. Removes the batch once all of
	 * its keys are restored.
	 */
	restore(
		batch: TrashBatch,
		options: {readonly overwrites: boolean; readonly backsUpReplaced?: boolean},
		signal: AbortSignal,
	): Promise<void>;
	/** Removes batches permanently. */
	removeBatches(batches: readonly TrashBatch[]): void;
};

type KeyBackupRequest = {
	readonly opened: OpenedNamespace;
	readonly key: string;
	/** Its content; undefined if there is nothing to back up. */
	readonly wholeKey: WholeKey | undefined;
	readonly reason: TrashReason;
	/** Title of the namespace. */
	readonly title: string;
	/** True if `u` restores it in this session even without the trash. */
	readonly isUndoable: boolean;
};

/** The copy of a key in the trash. `heldBatch` is undefined if there was nothing to copy. */
type KeyBackup = Disposable & {readonly heldBatch: HeldBatch | undefined};

/** Maximum keys named in the final message of a restore. */
const maxNamesShown = 3;

export const createTrashSlice: Slice<TrashSlice> = (set, get, {session, now}) => {
	const {env} = session;
	const forgetDeletion = (id: string) =>
		set(({deletions}) => ({deletions: deletions.filter(({batch}) => batch.id !== id)}));

	return {
		deletions: [],
		noticeDeletion: batch =>
			set(({deletions}) => ({
				deletions: [...deletions, {batch, afterWriteId: get().review.undoableWrite?.id ?? 0}],
			})),
		async read() {
			const batches = await listTrash(env, now());
			return {batches, damageNote: describeDamagedBatches(listDamagedBatches(env))};
		},
		async backUp({opened, key, wholeKey, reason, title, isUndoable}, proceedWithoutTrash, signal) {
			try {
				const removal = {reason, at: now(), command: 'screens', title};
				const heldBatch = wholeKey && (await backUpKey(session, opened, {key, wholeKey}, removal, signal));
				return {heldBatch, [Symbol.dispose]: () => heldBatch?.[Symbol.dispose]()};
			} catch (error) {
				const failure = toFailure(error);
				if (!isTrashFailure(failure)) throw failure;
				const {why} = failure.details;
				const question = {
					title: skipTrashQuestions[reason],
					lines: [
						failure.message,
						...(why ? [why] : []),
						isUndoable ? 'u restores it, in this session only.' : 'This cannot be undone.',
					],
					actionLabel: reason === 'deleted' ? 'delete' : 'write',
				};
				askToConfirm(
					get(),
					question,
					isUndoable ? undefined : getConfirmationText({title, id: opened.target.namespace}),
					proceedWithoutTrash,
				);
				return undefined;
			}
		},
		async restore(batch, {overwrites, backsUpReplaced = true}, signal) {
			const {id, label, target} = batch;
			const skippedNames: string[] = [];
			const labels = {keys: formatQuantity(batch.keys, 'key'), from: `the trash (${id})`, to: label};
			const onKept = (keys: readonly string[]) => void skippedNames.push(...keys);
			const result = await get().transfer.runPreparedCopy(
				labels,
				() => prepareRestore(session, id, {overwrites, backsUpReplacedKeys: backsUpReplaced, onKept}, signal),
				restoreResult =>
					[describeRestore(restoreResult, label), ...formatSkippedNames(skippedNames)].join(' '),
				signal,
			);
			forgetDeletion(id);
			if (isAllRestored(result, batch)) removeTrashBatch(env, id);
			notifyKeysWritten(get(), target, 'to be read');
			const keys = get().keys.data;
			const isNamespaceOpen = keys !== undefined && isSameTarget(keys.opened.target, target);
			await get().keys.refresh(isNamespaceOpen ? batch.first : undefined);
		},
		removeBatches(batches) {
			for (const {id} of batches) {
				removeTrashBatch(env, id);
				forgetDeletion(id);
			}
		},
	};
};

/** Formats which newer keys were not overwritten. Not escaped for the terminal. */
function formatSkippedNames(skippedNames: readonly string[]): readonly string[] {
	if (skippedNames.length === 0) return [];
	const hiddenCount = skippedNames.length - maxNamesShown;
	const names = skippedNames.slice(0, maxNamesShown).map(name => JSON.stringify(name));
	return [
		`Kept newer keys: ${[...names, ...(hiddenCount > 0 ? [`${hiddenCount} more`] : [])].join(', ')}. V restores them, too.`,
	];
}
