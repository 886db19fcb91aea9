import {Failure} from '../../failure.ts';
import {
	carryOutRename,
	isSamePlan,
	overOf,
	type PossibleRename,
	planRename,
	type RenameEnd,
	type RenamePlan,
	type Renaming,
	readBothNames,
	undoRename,
} from '../../kv/change/rename.ts';
import type {MadeChange, MadeRename, Undo} from '../../kv/change/undo.ts';
import {keyDigestOf} from '../../kv/change/whole-key.ts';
import {unixSeconds} from '../../kv/limits.ts';
import type {PrefixChange, RenameCount} from '../../kv/transfer/renamed-names.ts';
import {reopenNamespace} from '../../session/namespaces.ts';
import {listRename} from '../../session/renames.ts';
import {storeClock} from '../../session/store-clock.ts';
import {keptText} from '../../session/trash.ts';
import {placeCalled, placeOfStore} from '../../session/write-place.ts';
import type {Slice} from '../../store/slice.ts';
import {editId, type KeyPlace} from '../edit/edit.ts';
import {keysForEdit, placeIn, unsavedEdits} from '../edit/slice.ts';
import {applyChange} from '../keys/apply-change.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';
import {openRow} from '../keys/open-row.ts';
import {keysWritten} from '../keys/written.ts';
import {screenOf} from '../shell/screen-name.ts';
import {lostAnswer, overwriteLines, renamedText, renameVerbs} from './words.ts';

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
	 * Undoes both writes of a rename. Fails without undoing anything if either name holds something else now.
	 */
	undo(undo: Extract<Undo, {type: 'rename'}>, label: string): Promise<void>;
	/** Lists and counts the keys to rename; undefined after a failure, which is shown. */
	countPrefix(row: NamespaceRow, change: PrefixChange): Promise<RenameCount | undefined>;
};

export const createRenameSlice: Slice<RenameSlice> = (_set, get, {session, now}) => {
	const seconds = () => unixSeconds(now());

	/** Returns why the names are busy: one is being written or edited. */
	function busy({target}: KeyPlace, {kind, from, to}: Renaming): string | undefined {
		const {beingWritten} = get().review;
		const edits = get().edits.list;
		const written = [from, to].find(name => beingWritten.includes(editId(target, name)));
		if (written !== undefined) return `${written} is being written: wait for it.`;
		const edited = unsavedEdits({edits: {list: edits}}).find(({id}) => id === editId(target, from));
		return kind === 'rename' && edited
			? `The edit of ${from} is not saved: ${keysForEdit(get(), edited)}.`
			: undefined;
	}

	/**
	 * Renames a key. What it overwrites goes to the trash first, unless the user declines (`isKept` false).
	 */
	async function carryOut(
		place: KeyPlace,
		renaming: Renaming,
		plan: PossibleRename,
		isKept = true,
	): Promise<void> {
		const {target, label} = place;
		const {kind, from, to} = renaming;
		const {doing} = renameVerbs[kind];
		await get().work.run(`${doing} ${from}`, 'write', async signal => {
			session.refuseWhenReadOnly(`${doing} a key`);
			using store = (await reopenNamespace(session, target, {write: true}, signal)).store;
			const permitted = await session.permit(
				placeCalled(label, placeOfStore(store)),
				`${doing} ${from} to ${to}`,
			);
			const found = await readBothNames(store, renaming, signal);
			if (!isSamePlan(plan, planRename(renaming, found, seconds())))
				throw new Failure(
					'changed_meanwhile',
					`${from} or ${to} was changed meanwhile; nothing was written.`,
					{
						next: 'Look at both, and try again.',
					},
				);
			using kept = await get().trash.keep(
				{
					opened: {store, target},
					key: to,
					whole: isKept ? overOf(plan) : undefined,
					reason: 'overwritten',
					title: label,
					isUndoable: true,
				},
				() => void carryOut(place, renaming, plan, false),
				signal,
			);
			if (!kept) return;
			let end: RenameEnd;
			try {
				end = await session.audited(`${kind} ${from} to ${to}${keptText(kept.held)}`, permitted, () =>
					carryOutRename(store, renaming, plan, {clock: storeClock(session, target), signal}),
				);
			} catch (error) {
				// The failure says what exists under which name; a refresh shows it.
				keysWritten(get(), target, 'to be read');
				throw error;
			}
			await renamed(place, renaming, plan, end);
		});
	}

	/** Updates the screens and the undo history after a rename. */
	async function renamed(
		{target, label}: KeyPlace,
		renaming: Renaming,
		plan: PossibleRename,
		end: RenameEnd,
	): Promise<void> {
		const {kind, from, to} = renaming;
		const {source} = plan;
		const lost = get().review.rememberWrites(label, changesOf(target, renaming, plan, end));
		const wasOpen = screenOf(get()) === 'key' && get().key.data?.name === from;
		if (kind === 'rename') applyChange(get(), target, from, undefined);
		applyChange(get(), target, to, source);
		get().messages.say(renamedText(renaming, end, lost));
		if (kind === 'rename' && wasOpen) await follow(from, to);
	}

	/** Shows the open key under its new name. */
	async function follow(from: string, to: string): Promise<void> {
		const keys = get().keys.data;
		const key = get().key.data;
		const message = get().messages.latest;
		if (!keys || key?.name !== from) return;
		await get().work.run(`reading ${to}`, 'background', signal => get().key.open(to, signal));
		get().messages.restore(message);
	}

	async function takeBack(undo: Extract<Undo, {type: 'rename'}>, label: string): Promise<void> {
		const {target, from, to, source, over} = undo;
		await get().work.run(`undoing the rename of ${from}`, 'write', async signal => {
			session.refuseWhenReadOnly('renaming a key');
			using store = (await reopenNamespace(session, target, {write: true}, signal)).store;
			const what = `undo the rename of ${from} to ${to}`;
			const permitted = await session.permit(placeCalled(label, placeOfStore(store)), what);
			const wasOpen = screenOf(get()) === 'key' && get().key.data?.name === to;
			try {
				const {notes, lost} = await session.audited(what, permitted, () =>
					undoRename(store, undo, {clock: storeClock(session, target), signal}),
				);
				get().review.forgetUndo(undo);
				applyChange(get(), target, to, over);
				applyChange(get(), target, from, source);
				get().messages.say(
					[`Undone: ${to} is ${from} again.`, ...notes, ...(lost ? [lostAnswer] : [])].join(' '),
				);
			} catch (error) {
				keysWritten(get(), target, 'to be read');
				throw error;
			}
			if (wasOpen && !over) await follow(to, from);
		});
	}

	return {
		async undo(undo, label) {
			const {target, from, to} = undo;
			const reason = busy({target, label, key: to}, {kind: 'rename', from: to, to: from});
			if (reason === undefined) await takeBack(undo, label);
			else get().messages.warn(reason);
		},
		async countPrefix(row, change) {
			let count: RenameCount | undefined;
			await get().work.run(`counting the keys below ${change.from}`, 'read', async signal => {
				const opened = await openRow(session, row, {}, signal);
				using _open = opened.store;
				using listed = await listRename(session, opened, change, signal);
				({count} = listed);
			});
			return count;
		},
		async begin(renaming) {
			const keys = get().keys.data;
			if (!keys) return;
			const {from, to, kind} = renaming;
			const place = placeIn(keys, from);
			const reason = busy(place, renaming);
			if (reason !== undefined) return get().messages.warn(reason);
			let plan: RenamePlan | undefined;
			await get().work.run(`reading ${from} and ${to}`, 'read', async signal => {
				plan = planRename(renaming, await readBothNames(keys.opened.store, renaming, signal), seconds());
			});
			const found: RenamePlan | undefined = plan;
			switch (found?.type) {
				case undefined:
					return;
				case 'refused':
					return get().messages.warn(`${found.what} ${found.why}`);
				case 'absent':
					applyChange(get(), place.target, from, undefined);
					return get().messages.warn(`${from} is gone: someone deleted it, or it expired.`);
				case 'already':
					return get().messages.say(`${to} holds the same already.`);
				case 'finish':
					return get().dialog.open({
						kind: 'confirm',
						title: `${to} holds the same already. Delete ${from}?`,
						lines: [
							'Value, metadata and expiry are the same under both names: a rename that was interrupted leaves that.',
						],
						does: `delete ${from}`,
						confirm: () => void carryOut(place, renaming, found),
					});
				case 'write': {
					const over = overOf(found);
					if (!over) return carryOut(place, renaming, found);
					return get().dialog.open({
						kind: 'confirm',
						title: `Replace ${to}?`,
						lines: overwriteLines(over, seconds()),
						does: `replace it with ${kind === 'copy' ? 'a copy of ' : ''}${from}`,
						confirm: () => void carryOut(place, renaming, found),
					});
				}
				default:
					return found satisfies never;
			}
		},
	};
};

/** Builds the undoable changes: a full rename counts as one. */
function changesOf(
	target: MadeChange['target'],
	{kind, from, to}: Renaming,
	plan: PossibleRename,
	{written, deleted}: RenameEnd,
): readonly (MadeChange | MadeRename)[] {
	const {source} = plan;
	const over = overOf(plan);
	if (written && deleted) return [{target, from, to, source, over}];
	return [
		...(written ? [{target, key: to, before: over, after: keyDigestOf(source)}] : []),
		...(kind === 'rename' && deleted ? [{target, key: from, before: source, after: undefined}] : []),
	];
}
