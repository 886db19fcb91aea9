import {Failure} from '../../failure.ts';
import {
	getOverwrittenKey,
	isSamePlan,
	type PossibleRename,
	performRename,
	planRename,
	type RenamePlan,
	type RenameResult,
	type Renaming,
	readBothNames,
	undoRename,
} from '../../kv/change/rename.ts';
import type {CompletedChange, CompletedRename, KeyUndo} from '../../kv/change/undo.ts';
import {digestKey} from '../../kv/change/whole-key.ts';
import {toEpochSeconds} from '../../kv/limits.ts';
import type {PrefixChange, RenameCount} from '../../kv/transfer/renamed-names.ts';
import {reopenNamespace} from '../../session/namespaces.ts';
import {listRename} from '../../session/renames.ts';
import {getStoreClock} from '../../session/store-clock.ts';
import {formatTrashNote} from '../../session/trash.ts';
import {toStorePlace, withPlaceName} from '../../session/write-place.ts';
import type {Slice} from '../../store/slice.ts';
import {getEditId, type TargetKey} from '../edit/edit.ts';
import {formatEditKeys, getKeyPlace, listUnsavedEdits} from '../edit/slice.ts';
import {applyKeyChange} from '../keys/apply-change.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';
import {openNamespaceRow} from '../keys/open-row.ts';
import {notifyKeysWritten} from '../keys/written.ts';
import {describeUndoneWrite} from '../review/undo-words.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import {buildOverwriteLines, formatRenameMessage, lostResponseSentence, renameVerbs} from './texts.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly rename: RenameSlice;
	}
}

type RenameSlice = {
	/**
	 * Reads both names of a key of the open namespace. If another key has the new name, asks and shows its
	 * content; otherwise renames or copies at once.
	 */
	begin(renaming: Renaming): Promise<void>;
	/**
	 * Undoes both writes of a rename. If either name has other content by now, fails without undoing
	 * anything.
	 */
	undo(undo: Extract<KeyUndo, {type: 'rename'}>, label: string): Promise<void>;
	/** Lists and counts the keys to rename. Shows a failure and returns undefined. */
	countKeysToRename(row: NamespaceRow, change: PrefixChange): Promise<RenameCount | undefined>;
};

export const createRenameSlice: Slice<RenameSlice> = (_set, get, {session, now}) => {
	const getNowSeconds = () => toEpochSeconds(now());

	/** Returns why neither name can be changed now: one is being written, or the old one is being edited. */
	function getBusyReason(
		{target}: TargetKey,
		{kind, from: oldName, to: newName}: Renaming,
	): string | undefined {
		const {pendingWriteIds} = get().review;
		const edits = get().edits.list;
		const writtenName = [oldName, newName].find(name => pendingWriteIds.includes(getEditId(target, name)));
		if (writtenName !== undefined) return `${writtenName} is being written: wait until it finishes.`;
		const unsavedEdit = listUnsavedEdits({edits: {list: edits}}).find(
			({id}) => id === getEditId(target, oldName),
		);
		return kind === 'rename' && unsavedEdit
			? `${oldName} has an unsaved edit: ${formatEditKeys(get(), unsavedEdit)}.`
			: undefined;
	}

	/**
	 * Renames a key. What it overwrites goes to the trash first; `usesTrash` is false if the trash has failed
	 * and the user proceeds.
	 */
	async function executeRename(
		targetKey: TargetKey,
		renaming: Renaming,
		plan: PossibleRename,
		usesTrash = true,
	): Promise<void> {
		const {target, label} = targetKey;
		const {kind, from: oldName, to: newName} = renaming;
		const {gerund} = renameVerbs[kind];
		await get().work.run(`${gerund} ${oldName}`, 'write', async signal => {
			session.refuseWhenReadOnly(`${gerund} a key`);
			using store = (await reopenNamespace(session, target, {write: true}, signal)).store;
			const permittedPlace = await session.permit(
				withPlaceName(label, toStorePlace(store)),
				`${gerund} ${oldName} to ${newName}`,
			);
			const versions = await readBothNames(store, renaming, signal);
			if (!isSamePlan(plan, planRename(renaming, versions, getNowSeconds())))
				throw new Failure(
					'changed_meanwhile',
					`${oldName} or ${newName} has changed since you started; nothing was written.`,
					{
						next: 'Check both keys and try again.',
					},
				);
			using keyBackup = await get().trash.backUp(
				{
					opened: {store, target},
					key: newName,
					wholeKey: usesTrash ? getOverwrittenKey(plan) : undefined,
					reason: 'overwritten',
					title: label,
					isUndoable: true,
				},
				() => void executeRename(targetKey, renaming, plan, false),
				signal,
			);
			if (!keyBackup) return;
			let end: RenameResult;
			try {
				end = await session.auditWrite(
					`${kind} ${oldName} to ${newName}${formatTrashNote(keyBackup.heldBatch)}`,
					permittedPlace,
					() => performRename(store, renaming, plan, {clock: getStoreClock(session, target), signal}),
				);
			} catch (error) {
				// The failure says what exists under which name; a refresh shows it.
				notifyKeysWritten(get(), target, 'to be read');
				throw error;
			}
			await applyRename(targetKey, renaming, plan, end);
		});
	}

	/** Updates the screens and the undo history after a rename. */
	async function applyRename(
		{target, label}: TargetKey,
		renaming: Renaming,
		plan: PossibleRename,
		end: RenameResult,
	): Promise<void> {
		const {kind, from: oldName, to: newName} = renaming;
		const {source} = plan;
		const undoProblem = get().review.rememberWrites(label, buildUndoableChanges(target, renaming, plan, end));
		const wasOpen = getCurrentScreen(get()) === 'key' && get().key.data?.name === oldName;
		if (kind === 'rename') applyKeyChange(get(), target, oldName, undefined);
		applyKeyChange(get(), target, newName, source);
		get().messages.say(formatRenameMessage(renaming, end, undoProblem));
		if (kind === 'rename' && wasOpen) await followKey(oldName, newName);
	}

	/** Shows the open key under its new name. */
	async function followKey(oldName: string, newName: string): Promise<void> {
		const keys = get().keys.data;
		const key = get().key.data;
		const message = get().messages.latest;
		if (!keys || key?.name !== oldName) return;
		await get().work.run(`loading ${newName}`, 'background', signal => get().key.open(newName, signal));
		get().messages.restore(message);
	}

	async function executeUndo(undo: Extract<KeyUndo, {type: 'rename'}>, label: string): Promise<void> {
		const {target, from: oldName, to: newName, source, overwrittenKey} = undo;
		await get().work.run(`undoing the rename of ${oldName}`, 'write', async signal => {
			session.refuseWhenReadOnly('renaming a key');
			using store = (await reopenNamespace(session, target, {write: true}, signal)).store;
			const description = `undo the rename of ${oldName} to ${newName}`;
			const permittedPlace = await session.permit(withPlaceName(label, toStorePlace(store)), description);
			const wasOpen = getCurrentScreen(get()) === 'key' && get().key.data?.name === newName;
			try {
				const {notes, hasLostResponse} = await session.auditWrite(description, permittedPlace, () =>
					undoRename(store, undo, {clock: getStoreClock(session, target), signal}),
				);
				get().review.forgetUndo(undo);
				applyKeyChange(get(), target, newName, overwrittenKey);
				applyKeyChange(get(), target, oldName, source);
				get().messages.say(
					[
						describeUndoneWrite(undo, label),
						...notes,
						...(hasLostResponse ? [lostResponseSentence] : []),
					].join(' '),
				);
			} catch (error) {
				notifyKeysWritten(get(), target, 'to be read');
				throw error;
			}
			if (wasOpen && !overwrittenKey) await followKey(newName, oldName);
		});
	}

	return {
		async undo(undo, label) {
			const {target, from: oldName, to: newName} = undo;
			const reason = getBusyReason(
				{target, label, key: newName},
				{kind: 'rename', from: newName, to: oldName},
			);
			if (reason === undefined) await executeUndo(undo, label);
			else get().messages.warn(reason);
		},
		async countKeysToRename(row, change) {
			let count: RenameCount | undefined;
			await get().work.run(`counting keys under ${change.from}`, 'read', async signal => {
				const opened = await openNamespaceRow(session, row, {}, signal);
				using _open = opened.store;
				using renameList = await listRename(session, opened, change, signal);
				({count} = renameList);
			});
			return count;
		},
		async begin(renaming) {
			const keys = get().keys.data;
			if (!keys) return;
			const {from: oldName, to: newName, kind} = renaming;
			const place = getKeyPlace(keys, oldName);
			const reason = getBusyReason(place, renaming);
			if (reason !== undefined) return get().messages.warn(reason);
			let plan: RenamePlan | undefined;
			await get().work.run(`loading ${oldName} and ${newName}`, 'read', async signal => {
				plan = planRename(
					renaming,
					await readBothNames(keys.opened.store, renaming, signal),
					getNowSeconds(),
				);
			});
			const currentPlan: RenamePlan | undefined = plan;
			switch (currentPlan?.type) {
				case undefined:
					return;
				case 'refused':
					return get().messages.warn(`${currentPlan.what} ${currentPlan.why}`);
				case 'absent':
					applyKeyChange(get(), place.target, oldName, undefined);
					return get().messages.warn(`${oldName} no longer exists: someone deleted it, or it expired.`);
				case 'already':
					return get().messages.say(`${newName} already has the same content.`);
				case 'finish':
					return get().dialog.open({
						kind: 'confirm',
						title: `${newName} already has the same content. Delete ${oldName}?`,
						lines: [
							'Value, metadata and expiration are the same under both names, as after an interrupted rename.',
						],
						actionLabel: `delete ${oldName}`,
						confirm: () => void executeRename(place, renaming, currentPlan),
					});
				case 'write': {
					const overwrittenKey = getOverwrittenKey(currentPlan);
					if (!overwrittenKey) return executeRename(place, renaming, currentPlan);
					return get().dialog.open({
						kind: 'confirm',
						title: `Replace ${newName}?`,
						lines: buildOverwriteLines(overwrittenKey, getNowSeconds()),
						actionLabel: `replace it with ${kind === 'copy' ? 'a copy of ' : ''}${oldName}`,
						confirm: () => void executeRename(place, renaming, currentPlan),
					});
				}
				default:
					return currentPlan satisfies never;
			}
		},
	};
};

/** Builds the changes that can be undone. A complete rename counts as one change. */
function buildUndoableChanges(
	target: CompletedChange['target'],
	{kind, from: oldName, to: newName}: Renaming,
	plan: PossibleRename,
	{written, deleted}: RenameResult,
): readonly (CompletedChange | CompletedRename)[] {
	const {source} = plan;
	const overwrittenKey = getOverwrittenKey(plan);
	if (written && deleted) return [{target, from: oldName, to: newName, source, overwrittenKey}];
	return [
		...(written ? [{target, key: newName, before: overwrittenKey, after: digestKey(source)}] : []),
		...(kind === 'rename' && deleted ? [{target, key: oldName, before: source, after: undefined}] : []),
	];
}
