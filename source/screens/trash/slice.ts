import {Readable} from 'node:stream';
import {Failure, isFailure, toFailure} from '../../failure.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {readWholeKey, type WholeKey} from '../../kv/change/whole-key.ts';
import type {KvStore} from '../../kv/store.ts';
import {walkKeys} from '../../kv/transfer/listing.ts';
import {
	describeDamagedBatches,
	listDamagedBatches,
	type TrashBatch,
	type TrashReason,
} from '../../kv/trash/batch.ts';
import {isTrashFailure, skipTrashQuestions} from '../../kv/trash/failures.ts';
import {describeRestore, isAllRestored} from '../../kv/trash/restore-result.ts';
import {type HeldBatch, listTrash, removeTrashBatch} from '../../kv/trash/trash.ts';
import {type KeyVersion, listKeyVersions} from '../../session/key-history.ts';
import {type OpenedNamespace, reopenNamespace} from '../../session/namespaces.ts';
import {openNamedStore} from '../../session/stores.ts';
import {backUpKey, prepareRestore} from '../../session/trash.ts';
import {isSameTarget} from '../../state/job-record.ts';
import type {Slice} from '../../store/slice.ts';
import {formatQuantity} from '../../text/figures.ts';
import {getConfirmationText} from '../keys/namespace-rows.ts';
import {notifyKeysWritten} from '../keys/written.ts';
import type {ReviewRequest} from '../review/state.ts';
import {askToConfirm} from '../shell/confirmation.ts';
import {isTransferring} from '../transfer/state.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly trash: TrashSlice;
	}
}

export type TrashSlice = {
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
	restore(batch: TrashBatch, options: RestoreOptions, signal: AbortSignal): Promise<void>;
	/**
	 * Starts to restore a batch, on the Transfer screen if it is large. If the trash cannot hold what is
	 * replaced, asks whether to proceed.
	 */
	beginRestore(batch: TrashBatch, options: RestoreOptions): void;
	/** Reads the names in a batch, at most `limit`. */
	readNames(batch: TrashBatch, limit: number, signal: AbortSignal): Promise<readonly string[]>;
	/**
	 * Reads the names in batches of several keys, up to limits. `unreadCount` is how many keys have no name
	 * here; a damaged batch, or one just removed, counts as unread.
	 */
	readNamesOfBatches(batches: readonly TrashBatch[], signal: AbortSignal): Promise<BatchNames>;
	/** Lists the versions of a key of the open namespace that the trash has, latest first. */
	listVersions(key: string, signal: AbortSignal): Promise<readonly KeyVersion[]>;
	/** Shows how a key of a batch differs from what is stored now, to restore it. */
	reviewRestore(batch: TrashBatch, key: string): Promise<void>;
	/** Restores the keys of the session's last deletion; keys written since then stay. */
	undoDeletion(batch: TrashBatch): void;
	/** Removes batches permanently. */
	removeBatches(batches: readonly TrashBatch[]): void;
};

type BatchNames = {
	readonly names: readonly {readonly batch: TrashBatch; readonly key: string}[];
	readonly unreadCount: number;
};

type RestoreOptions = {
	readonly overwrites: boolean;
	readonly backsUpReplaced?: boolean;
	/** True if it undoes the deletion: the restore is then no write that `u` is about. */
	readonly isUndo?: boolean;
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

/** Minimum keys to show a restore on the Transfer screen. */
const minKeysForScreen = 1000;

/** Maximum names and bytes read to search batches of several keys. */
const [maxNamesSearched, maxBytesSearched] = [10_000, 32 * 1024 * 1024];

/** Maximum keys named in the final message of a restore. */
const maxNamesShown = 3;

export const createTrashSlice: Slice<TrashSlice> = (_set, get, {session, now}) => {
	const {env} = session;

	/** Opens the keys of a batch. The caller owns the store. */
	const openBatch = async ({path}: TrashBatch, signal: AbortSignal): Promise<KvStore> => {
		const use = {side: 'from', stdin: Readable.from([])} as const;
		return (await openNamedStore(session, {kind: 'file', path}, use, signal)).store;
	};

	const readNames: TrashSlice['readNames'] = async (batch, limit, signal) => {
		using store = await openBatch(batch, signal);
		const names: string[] = [];
		for await (const {keys} of walkKeys(store, {}, signal)) {
			names.push(...keys.slice(0, limit - names.length).map(({name}) => name));
			if (names.length === limit) break;
		}
		return names;
	};

	return {
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
						isUndoable
							? `${nameKey('edit.undo', 'u')} restores it, in this session only.`
							: 'This cannot be undone.',
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
		async restore(batch, {overwrites, backsUpReplaced = true, isUndo = false}, signal) {
			const {id, label, target} = batch;
			const skippedNames: string[] = [];
			const labels = {keys: formatQuantity(batch.keys, 'key'), from: `the trash (${id})`, to: label};
			const onKept = (keys: readonly string[]) => void skippedNames.push(...keys);
			const undoAdvice =
				overwrites && backsUpReplaced
					? `What it replaced is in the trash: ${nameKey('trash.open', 'V')} restores it.`
					: 'Delete the restored keys to remove them.';
			const result = await get().transfer.runPreparedCopy(
				labels,
				() => prepareRestore(session, id, {overwrites, backsUpReplacedKeys: backsUpReplaced, onKept}, signal),
				{
					formatMessage: restoreResult =>
						[describeRestore(restoreResult, label), ...formatSkippedNames(skippedNames)].join(' '),
					irreversibleWrite: isUndo
						? undefined
						: {
								what: `u can't undo the last write: restoring ${labels.keys} in ${label} from the trash.`,
								why: undoAdvice,
							},
				},
				signal,
			);
			get().review.forgetDeletion(id);
			const isComplete = isAllRestored(result, batch);
			if (isComplete) removeTrashBatch(env, id);
			get().bulk.noticeRestore(id, isComplete ? 'all' : 'some');
			notifyKeysWritten(get(), target, 'to be read');
			const keys = get().keys.data;
			const isNamespaceOpen = keys !== undefined && isSameTarget(keys.opened.target, target);
			await get().keys.refresh(isNamespaceOpen ? batch.first : undefined);
		},
		beginRestore(batch, options) {
			const {navigation, messages, transfer, work} = get();
			if (isTransferring(transfer.data)) {
				navigation.go('transfer');
				messages.warn('Only one export or copy at a time: this one is not finished yet.');
				return;
			}
			const {overwrites, backsUpReplaced = true} = options;
			const completion = work.run(`restoring ${formatQuantity(batch.keys, 'key')}`, 'long', async signal => {
				try {
					await get().trash.restore(batch, options, signal);
				} catch (error) {
					const failure = toFailure(error);
					if (!overwrites || !backsUpReplaced || !isTrashFailure(failure)) throw failure;
					const {why} = failure.details;
					const question = {
						title: 'Restore without keeping the current values?',
						lines: [
							failure.message,
							...(why ? [why] : []),
							"The current values can't be restored afterwards.",
						],
						actionLabel: 'restore',
					};
					askToConfirm(get(), question, getConfirmationText({title: batch.label, id: batch.id}), () =>
						get().trash.beginRestore(batch, {...options, backsUpReplaced: false}),
					);
				}
			});
			if (batch.keys >= minKeysForScreen) navigation.go('transfer');
			else void completion.then(() => transfer.leave());
		},
		readNames,
		async readNamesOfBatches(batches, signal) {
			const names: {batch: TrashBatch; key: string}[] = [];
			let [unreadCount, bytes] = [0, 0];
			for (const batch of batches.filter(({keys}) => keys > 1)) {
				let readCount = 0;
				const limit = maxNamesSearched - names.length;
				if (limit > 0 && bytes + batch.bytes <= maxBytesSearched) {
					bytes += batch.bytes;
					const found = await readNames(batch, limit, signal).catch(error => {
						if (isFailure(error, 'input_missing', 'input_malformed')) return [];
						throw error;
					});
					names.push(...found.map(key => ({batch, key})));
					readCount = found.length;
				}
				unreadCount += Math.max(0, batch.keys - readCount);
			}
			return {names, unreadCount};
		},
		async listVersions(key, signal) {
			const keys = get().keys.data;
			return keys ? listKeyVersions(session, keys.opened.target, key, signal) : [];
		},
		async reviewRestore(batch, key) {
			const {target} = batch;
			let request: ReviewRequest | undefined;
			await get().work.run(`loading ${key} from the trash`, 'read', async signal => {
				using store = await openBatch(batch, signal);
				const kept = await readWholeKey(store, key, signal);
				if (!kept) throw new Failure('input_missing', `The trash does not contain ${key}.`);
				using current = (await reopenNamespace(session, target, {isConfigured: true}, signal)).store;
				const base = await readWholeKey(current, key, signal);
				const {expiration} = kept;
				const lifetime = expiration === undefined ? 'never' : {expiration};
				const proposal = {kind: 'put', key, base, mine: kept, lifetime, origin: 'undo'} as const;
				request = {target, label: current.title ?? batch.label, key, proposal};
			});
			if (request) await get().review.beginProposal(request);
		},
		undoDeletion: batch => get().trash.beginRestore(batch, {overwrites: false, isUndo: true}),
		removeBatches(batches) {
			for (const {id} of batches) {
				removeTrashBatch(env, id);
				get().review.forgetDeletion(id);
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
		`Written again since: ${[...names, ...(hiddenCount > 0 ? [`${hiddenCount} more`] : [])].join(', ')}; the trash (${nameKey('trash.open', 'V')}) still has what was deleted.`,
	];
}
