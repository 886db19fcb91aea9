import {Failure} from '../../failure.ts';
import {
	getOverwritten,
	isSamePlan,
	type PossibleRename,
	performRename,
	planRename,
	type RenameEnd,
	type RenamePlan,
	type Renaming,
	readBothNames,
	undoRename,
} from '../../kv/change/rename.ts';
import type {MadeChange, MadeRename, Undo} from '../../kv/change/undo.ts';
import {digestKey} from '../../kv/change/whole-key.ts';
import {toEpochSeconds} from '../../kv/limits.ts';
import type {PrefixChange, RenameCount} from '../../kv/transfer/renamed-names.ts';
import {reopenNamespace} from '../../session/namespaces.ts';
import {listRename} from '../../session/renames.ts';
import {getStoreClock} from '../../session/store-clock.ts';
import {formatKeptNote} from '../../session/trash.ts';
import {toStorePlace, withPlaceName} from '../../session/write-place.ts';
import type {Slice} from '../../store/slice.ts';
import {getEditId, type KeyPlace} from '../edit/edit.ts';
import {formatEditKeys, getKeyPlace, listUnsavedEdits} from '../edit/slice.ts';
import {applyKeyChange} from '../keys/apply-change.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';
import {openNamespaceRow} from '../keys/open-row.ts';
import {notifyKeysWritten} from '../keys/written.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import {buildOverwriteLines, formatRenamed, lostAnswerSentence, renameVerbs} from './words.ts';

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
	undo(undo: Extract<Undo, {type: 'rename'}>, label: string): Promise<void>;
	/** Lists and counts the keys to rename. Shows a failure and returns undefined. */
	countPrefix(row: NamespaceRow, change: PrefixChange): Promise<RenameCount | undefined>;
};

export const createRenameSlice: Slice<RenameSlice> = (_set, get, {session, now}) => {
	const getNowSeconds = () => toEpochSeconds(now());

	/** Returns why neither name can be changed now: one is being written, or the old one is being edited. */
	function getBusyReason({target}: KeyPlace, {kind, from, to}: Renaming): string | undefined {
		const {beingWritten} = get().review;
		const edits = get().edits.list;
		const writtenName = [from, to].find(name => beingWritten.includes(getEditId(target, name)));
		if (writtenName !== undefined) return `${writtenName} is being written: wait until it finishes.`;
		const unsavedEdit = listUnsavedEdits({edits: {list: edits}}).find(
			({id}) => id === getEditId(target, from),
		);
		return kind === 'rename' && unsavedEdit
			? `${from} has an unsaved edit: ${formatEditKeys(get(), unsavedEdit)}.`
			: undefined;
	}

	/**
	 * Renames a key. What it overwrites goes to the trash first; `usesTrash` is false if the trash has failed
	 * and the user proceeds.
	 */
	async function executeRename(
		place: KeyPlace,
		renaming: Renaming,
		plan: PossibleRename,
		usesTrash = true,
	): Promise<void> {
		const {target, label} = place;
		const {kind, from, to} = renaming;
		const {doing} = renameVerbs[kind];
		await get().work.run(`${doing} ${from}`, 'write', async signal => {
			session.refuseWhenReadOnly(`${doing} a key`);
			using store = (await reopenNamespace(session, target, {write: true}, signal)).store;
			const permitted = await session.permit(
				withPlaceName(label, toStorePlace(store)),
				`${doing} ${from} to ${to}`,
			);
			const versions = await readBothNames(store, renaming, signal);
			if (!isSamePlan(plan, planRename(renaming, versions, getNowSeconds())))
				throw new Failure(
					'changed_meanwhile',
					`${from} or ${to} has changed since you started; nothing was written.`,
					{
						next: 'Check both keys and try again.',
					},
				);
			using keptLoss = await get().trash.keep(
				{
					opened: {store, target},
					key: to,
					whole: usesTrash ? getOverwritten(plan) : undefined,
					reason: 'overwritten',
					title: label,
					isUndoable: true,
				},
				() => void executeRename(place, renaming, plan, false),
				signal,
			);
			if (!keptLoss) return;
			let end: RenameEnd;
			try {
				end = await session.auditWrite(
					`${kind} ${from} to ${to}${formatKeptNote(keptLoss.heldBatch)}`,
					permitted,
					() => performRename(store, renaming, plan, {clock: getStoreClock(session, target), signal}),
				);
			} catch (error) {
				// The failure says what exists under which name; a refresh shows it.
				notifyKeysWritten(get(), target, 'to be read');
				throw error;
			}
			await applyRename(place, renaming, plan, end);
		});
	}

	/** Updates the screens and the undo history after a rename. */
	async function applyRename(
		{target, label}: KeyPlace,
		renaming: Renaming,
		plan: PossibleRename,
		end: RenameEnd,
	): Promise<void> {
		const {kind, from, to} = renaming;
		const {source} = plan;
		const undoProblem = get().review.rememberWrites(label, buildUndoableChanges(target, renaming, plan, end));
		const wasOpen = getCurrentScreen(get()) === 'key' && get().key.data?.name === from;
		if (kind === 'rename') applyKeyChange(get(), target, from, undefined);
		applyKeyChange(get(), target, to, source);
		get().messages.say(formatRenamed(renaming, end, undoProblem));
		if (kind === 'rename' && wasOpen) await followKey(from, to);
	}

	/** Shows the open key under its new name. */
	async function followKey(from: string, to: string): Promise<void> {
		const keys = get().keys.data;
		const key = get().key.data;
		const message = get().messages.latest;
		if (!keys || key?.name !== from) return;
		await get().work.run(`loading ${to}`, 'background', signal => get().key.open(to, signal));
		get().messages.restore(message);
	}

	async function executeUndo(undo: Extract<Undo, {type: 'rename'}>, label: string): Promise<void> {
		const {target, from, to, source, over: overwritten} = undo;
		await get().work.run(`undoing the rename of ${from}`, 'write', async signal => {
			session.refuseWhenReadOnly('renaming a key');
			using store = (await reopenNamespace(session, target, {write: true}, signal)).store;
			const description = `undo the rename of ${from} to ${to}`;
			const permitted = await session.permit(withPlaceName(label, toStorePlace(store)), description);
			const wasOpen = getCurrentScreen(get()) === 'key' && get().key.data?.name === to;
			try {
				const {notes, lost: hasLostAnswer} = await session.auditWrite(description, permitted, () =>
					undoRename(store, undo, {clock: getStoreClock(session, target), signal}),
				);
				get().review.forgetUndo(undo);
				applyKeyChange(get(), target, to, overwritten);
				applyKeyChange(get(), target, from, source);
				get().messages.say(
					[
						`Undone: renamed ${to} back to ${from}.`,
						...notes,
						...(hasLostAnswer ? [lostAnswerSentence] : []),
					].join(' '),
				);
			} catch (error) {
				notifyKeysWritten(get(), target, 'to be read');
				throw error;
			}
			if (wasOpen && !overwritten) await followKey(to, from);
		});
	}

	return {
		async undo(undo, label) {
			const {target, from, to} = undo;
			const reason = getBusyReason({target, label, key: to}, {kind: 'rename', from: to, to: from});
			if (reason === undefined) await executeUndo(undo, label);
			else get().messages.warn(reason);
		},
		async countPrefix(row, change) {
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
			const {from, to, kind} = renaming;
			const place = getKeyPlace(keys, from);
			const reason = getBusyReason(place, renaming);
			if (reason !== undefined) return get().messages.warn(reason);
			let plan: RenamePlan | undefined;
			await get().work.run(`loading ${from} and ${to}`, 'read', async signal => {
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
					applyKeyChange(get(), place.target, from, undefined);
					return get().messages.warn(`${from} no longer exists: someone deleted it, or it expired.`);
				case 'already':
					return get().messages.say(`${to} already has the same content.`);
				case 'finish':
					return get().dialog.open({
						kind: 'confirm',
						title: `${to} already has the same content. Delete ${from}?`,
						lines: [
							'Value, metadata and expiration are the same under both names, as after an interrupted rename.',
						],
						actionLabel: `delete ${from}`,
						confirm: () => void executeRename(place, renaming, currentPlan),
					});
				case 'write': {
					const overwritten = getOverwritten(currentPlan);
					if (!overwritten) return executeRename(place, renaming, currentPlan);
					return get().dialog.open({
						kind: 'confirm',
						title: `Replace ${to}?`,
						lines: buildOverwriteLines(overwritten, getNowSeconds()),
						actionLabel: `replace it with ${kind === 'copy' ? 'a copy of ' : ''}${from}`,
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
	target: MadeChange['target'],
	{kind, from, to}: Renaming,
	plan: PossibleRename,
	{written, deleted}: RenameEnd,
): readonly (MadeChange | MadeRename)[] {
	const {source} = plan;
	const overwritten = getOverwritten(plan);
	if (written && deleted) return [{target, from, to, source, over: overwritten}];
	return [
		...(written ? [{target, key: to, before: overwritten, after: digestKey(source)}] : []),
		...(kind === 'rename' && deleted ? [{target, key: from, before: source, after: undefined}] : []),
	];
}
