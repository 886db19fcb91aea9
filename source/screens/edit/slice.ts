import {existsSync, readFileSync, rmSync} from 'node:fs';
import {toFailure} from '../../failure.ts';
import type {Key} from '../../keyboard/key.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {parseEditDraft, toEditDraft, type UnsavedEdit} from '../../kv/change/edit-draft.ts';
import {readWholeKey, type WholeKey} from '../../kv/change/whole-key.ts';
import {type Draft, dropDraft, findDraft} from '../../state/drafts.ts';
import {openEditorFolder} from '../../state/editor-folders.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import type {Slice} from '../../store/slice.ts';
import {dropAddedLineEnd, editBytes} from '../../terminal/editor.ts';
import {editBuffer} from '../../text/buffer/buffer.ts';
import {formatTimeAgo, getFailureReason} from '../drafts/form.ts';
import {getCurrentKeyName} from '../keys/cursor-row.ts';
import {isFiltered} from '../keys/shown-keys.ts';
import type {KeysState} from '../keys/state.ts';
import {getEditCommand} from '../shell/edit-keys.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import {
	createEditFromDraft,
	createValueEdit,
	createValueEntry,
	type Edit,
	type EditorEntry,
	encodeEntry,
	getEditId,
	getEntryBuffer,
	hasSameContent,
	isEditChanged,
	type TargetKey,
	toUnsavedEdit,
	withBuffer,
	withText,
} from './edit.ts';
import {createEditReopening, type EditReopening} from './form.ts';
import type {TreeEntry} from './tree-entry.ts';

/** Hands the terminal to another program until the work is done. */
type LendTerminal = <T>(work: () => Promise<T>) => Promise<T>;

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly edits: EditingSlice;
	}
}

type EditingSlice = EditReopening & {
	/** Edits that are neither written nor discarded. */
	readonly list: readonly Edit[];
	/** Id of the current or last edit in the editor. */
	readonly currentId: string | undefined;
	/**
	 * Begins an edit, or continues the existing edit of the same key. If an earlier run has left a draft of
	 * the key, asks first. Then calls `onReady`, which opens the editor by default.
	 */
	begin(edit: Edit, onReady?: () => void): void;
	/** Replaces the content of an edit. */
	replaceEntry(id: string, entry: Edit['entry']): void;
	/** Chooses when the key of an edit will expire. */
	setLifetime(id: string, lifetime: Edit['lifetime']): void;
	/** Reads a key of the open namespace and begins to edit its value, or what `createEdit` chooses. */
	open(name: string, signal: AbortSignal, createEdit?: typeof createValueEdit): Promise<void>;
	/**
	 * Changes the current edit if it is one of the structure of a value. If `update` returns undefined, says
	 * that the value is too large for a tree.
	 */
	updateTree(update: (entry: TreeEntry) => TreeEntry | undefined): void;
	/** Handles a key in the editor. Returns false if it has no meaning there. */
	type(key: Key): boolean;
	/** Leaves the editor; keeps the edit if it has changes. */
	leave(): void;
	/** Opens the edit in `$EDITOR`, then goes to the review with the result. */
	openExternalEditor(lendTerminal: LendTerminal, signal: AbortSignal): Promise<void>;
	/** Removes an edit and its draft. */
	discard(id: string): void;
	/** Called after a write: removes the edit, or bases what was typed since then on the stored version. */
	noticeWrite(reviewedEdit: Edit, wholeKey: WholeKey): void;
	/** Resumes an edit of an earlier run in the editor. */
	resume(edit: Edit, draft: Pick<Draft, 'id' | 'path'>): void;
	/** Returns the edits to keep as drafts. An edit in `$EDITOR` has the content last saved there. */
	listEditsForDrafts(): readonly Edit[];
	/**
	 * Saves all edits before the process ends, and removes the folder of `$EDITOR`, which may outlive the
	 * process. Synchronous.
	 */
	saveAllAtExit(): void;
	hasUnsavedEdits(): boolean;
};

export const createEditingSlice: Slice<EditingSlice> = (set, get, ports) => {
	const {session, now} = ports;
	/** The edit that is open in `$EDITOR`, and its file. */
	let externalEdit: {readonly id: string; readonly folder: string; readonly file: string} | undefined;

	const change = (id: string, part: Partial<Edit>) =>
		set(({list: edits}) => ({list: edits.map(one => (one.id === id ? {...one, ...part} : one))}));

	const putEdit = (edit: Edit) =>
		set(({list: edits}) => ({list: [...edits.filter(({id}) => id !== edit.id), edit], currentId: edit.id}));

	const removeEdit = (id: string) => {
		set(({list: edits, currentId}) => ({
			list: edits.filter(one => one.id !== id),
			currentId: currentId === id ? undefined : currentId,
		}));
	};

	const openEditor = () => get().navigation.go('editor');

	/** Replaces the typed content with that of another program. */
	const applyExternalContent = (id: string, content: Uint8Array) => {
		const edit = get().edits.list.find(one => one.id === id);
		if (!edit) return;
		change(id, {entry: withContent(edit.entry, content)});
		get().drafts.save();
	};

	function askAboutDraft(
		edit: Edit,
		unsavedEdit: UnsavedEdit,
		draft: Pick<Draft, 'id' | 'path' | 'saved'>,
		onReady: () => void,
	) {
		get().dialog.open({
			kind: 'choice',
			title: `Unsaved edit of ${edit.key} (${formatTimeAgo(now() - draft.saved)})`,
			lines: ['Everything you typed is kept in a draft.'],
			choices: [
				{value: 'on', label: 'Continue editing'},
				{value: 'start over', label: 'Discard the draft and start over'},
			],
			choose(value) {
				const base = edit.base && 'bytes' in edit.base ? edit.base : undefined;
				const resumedEdit = value === 'on' ? createEditFromDraft(unsavedEdit, base) : undefined;
				if (resumedEdit) {
					putEdit(resumedEdit);
					get().drafts.adopt(resumedEdit.id, draft);
				} else {
					dropDraft(session.env, draft.id);
					putEdit(edit);
				}
				onReady();
			},
		});
	}

	return {
		...createEditReopening(set, get, ports),
		list: [],
		currentId: undefined,
		replaceEntry: (id, entry) => change(id, {entry}),
		setLifetime(id, lifetime) {
			const edit = get().edits.list.find(one => one.id === id);
			const buffer = edit && getEntryBuffer(edit.entry);
			// The content gets a new identity, so that the draft is saved again.
			const entryPart = buffer && {entry: withBuffer(edit.entry, {...buffer, lines: [...buffer.lines]})};
			// Name and expiration are input, too: the edit is kept even if the value is empty.
			change(id, {lifetime, initialEntry: undefined, ...entryPart});
		},
		begin(edit, onReady = openEditor) {
			try {
				session.refuseWhenReadOnly('editing a key');
				const existingEdit = get().edits.list.find(({id}) => id === edit.id);
				if (existingEdit && isEditChanged(existingEdit)) {
					set({currentId: existingEdit.id});
					return onReady();
				}
				const draft = existingEdit ? undefined : findDraft(session.env, edit.target, edit.key);
				const unsavedEdit = draft && parseEditDraft(draft);
				if (draft && unsavedEdit) return askAboutDraft(edit, unsavedEdit, draft, onReady);
				putEdit(edit);
				onReady();
			} catch (error) {
				get().messages.fail(toFailure(error));
			}
		},
		async open(name, signal, createEdit = createValueEdit) {
			const keys = get().keys.data;
			const {list: edits, begin: beginEdit} = get().edits;
			if (!keys) return;
			const place = getKeyPlace(keys, name);
			const existingEdit = edits.find(({id}) => id === getEditId(place.target, name));
			if (existingEdit) return beginEdit(existingEdit);
			const wholeKey = await readWholeKey(keys.opened.store, name, signal);
			if (!wholeKey)
				return get().messages.warn(`The key ${name} no longer exists: it was deleted, or it expired.`);
			const edit = createEdit(place, wholeKey);
			if (edit.entry.kind !== 'bytes') return beginEdit(edit);
			get().messages.warn(
				`${name} can't be edited as text here: open it and press ${nameKey('edit.elsewhere', 'E')} to edit it in $EDITOR.`,
			);
		},
		updateTree(update) {
			const edit = getCurrentEdit(get());
			if (edit?.entry.kind !== 'tree') return;
			get().messages.clearSeen();
			const entry = update(edit.entry);
			if (entry) change(edit.id, {entry});
			else
				get().messages.warn(
					`The value would exceed 2 MiB, too large for a tree: ${nameKey('editor.elsewhere', 'ctrl-o')} opens $EDITOR.`,
				);
		},
		type(key) {
			const edit = getCurrentEdit(get());
			const buffer = edit && getEntryBuffer(edit.entry);
			if (!edit || !buffer) return false;
			if (buffer.singleLine && key.name === 'enter') {
				void get().review.begin();
				return true;
			}
			const command =
				key.name === 'tab' && !buffer.singleLine
					? ({kind: 'insert', text: '\t'} as const)
					: getEditCommand(key, get().navigation.viewport.rows - 6);
			if (!command) return false;
			get().messages.clearSeen();
			change(edit.id, {entry: withBuffer(edit.entry, editBuffer(buffer, command))});
			return true;
		},
		leave() {
			const edit = getCurrentEdit(get());
			get().navigation.back();
			if (!edit) return;
			if (!isEditChanged(edit)) return removeEdit(edit.id);
			const failure = get().drafts.save();
			if (failure)
				get().messages.warn(
					`The edit of ${edit.key} is kept only while ledge runs: ${getFailureReason(failure)}`,
				);
			else
				get().messages.say(
					`The edit of ${edit.key} in ${edit.label} is kept: ${formatEditKeys(get(), edit)}.`,
				);
		},
		async openExternalEditor(lendTerminal, signal) {
			const edit = getCurrentEdit(get());
			if (!edit) return;
			const {id} = edit;
			const originalBytes = encodeEntry(edit.entry);
			get().drafts.save();
			const {folder, file} = openEditorFolder(session.env, toEditDraft(toUnsavedEdit(edit)), now());
			let editedBytes: Uint8Array;
			try {
				editedBytes = await lendTerminal(() =>
					editBytes(originalBytes, session.env, {
						folder,
						signal,
						onStart: () => {
							externalEdit = {id, folder, file};
						},
						keepSaved(content) {
							applyExternalContent(id, content);
							return getCurrentScreen(get()) === 'editor'
								? 'The text you saved in it is shown here.'
								: `The text you saved in it is kept: ${formatEditKeys(get(), edit)}.`;
						},
					}),
				);
			} finally {
				externalEdit = undefined;
				rmSync(folder, {recursive: true, force: true});
				const remainingEdit = get().edits.list.find(one => one.id === id);
				if (remainingEdit && !isEditChanged(remainingEdit) && getCurrentScreen(get()) !== 'editor')
					removeEdit(id);
			}
			if (Buffer.compare(originalBytes, editedBytes) === 0) {
				if (!get().edits.list.some(one => one.id === id))
					return get().messages.say('No changes made in the editor.');
				return get().messages.say('No changes made in the editor; your earlier input is kept.');
			}
			putEdit(edit);
			applyExternalContent(id, editedBytes);
			openEditor();
			void get().review.begin();
		},
		discard(id) {
			removeEdit(id);
			if (getCurrentScreen(get()) === 'editor') get().navigation.back();
		},
		noticeWrite(reviewedEdit, wholeKey) {
			const edit = get().edits.list.find(({id}) => id === reviewedEdit.id);
			if (!edit) return;
			if (hasSameContent(edit.entry, reviewedEdit.entry)) return removeEdit(edit.id);
			change(edit.id, {base: wholeKey, value: wholeKey.bytes, metadata: wholeKey.metadata});
		},
		resume(edit, draft) {
			putEdit(edit);
			get().drafts.adopt(edit.id, draft);
			openEditor();
		},
		listEditsForDrafts: () =>
			get().edits.list.map(edit =>
				externalEdit?.id === edit.id ? withSavedContent(edit, externalEdit.file) : edit,
			),
		saveAllAtExit() {
			const failure = get().drafts.save();
			// If the file is missing, the editor may be replacing it, so the folder must stay.
			if (externalEdit && !failure && existsSync(externalEdit.file))
				rmSync(externalEdit.folder, {recursive: true, force: true});
		},
		hasUnsavedEdits: () => get().edits.list.some(isEditChanged),
	};

	/** Returns the edit with what `$EDITOR` has saved so far. */
	function withSavedContent(edit: Edit, file: string): Edit {
		try {
			const originalBytes = encodeEntry(edit.entry);
			const content = dropAddedLineEnd(originalBytes, readFileSync(file));
			const hasSavedChanges = Buffer.compare(content, originalBytes) !== 0;
			return hasSavedChanges ? {...edit, entry: withContent(edit.entry, content)} : edit;
		} catch (error) {
			// The editor may be replacing the file, so the earlier content is returned.
			get().messages.fail(toFailure(error));
			return edit;
		}
	}
};

function withContent(entry: EditorEntry, content: Uint8Array): EditorEntry {
	const isValueEntry = entry.kind !== 'metadata' && entry.kind !== 'expiry';
	return isValueEntry ? createValueEntry(content) : withText(entry, Buffer.from(content).toString('utf8'));
}

/** Returns the edit in the editor. */
export const getCurrentEdit = ({
	edits: {list: edits, currentId},
}: StateWith<'edits', 'list' | 'currentId'>): Edit | undefined => edits.find(({id}) => id === currentId);

/** Returns target and label of a key in the open namespace. */
export const getKeyPlace = (
	{opened, namespace}: Pick<KeysState, 'opened' | 'namespace'>,
	key: string,
): TargetKey => ({target: opened.target, label: namespace.title, key});

/** Returns the name of the open key, or of the one under the cursor. */
export function getOpenOrCurrentKeyName(
	state: StateWith<'key' | 'keys'> & StateWith<'navigation', 'stack'>,
): string | undefined {
	if (getCurrentScreen(state) === 'key') return state.key.data?.name;
	return state.keys.data && getCurrentKeyName(state.keys.data);
}

/** Returns why the action on one key is unavailable in the list: other keys are selected. */
export function getOtherSelectionReason(
	state: StateWith<'key' | 'keys'> & StateWith<'navigation', 'stack'>,
): string | undefined {
	const keys = state.keys.data;
	if (getCurrentScreen(state) !== 'keys' || !keys || keys.index.selectedCount === 0) return undefined;
	const [name] = keys.index.listSelectedNames();
	return keys.index.selectedCount === 1 && name === getCurrentKeyName(keys)
		? undefined
		: `it is done for one key; esc clears ${isFiltered(keys) ? 'the filter, then ' : ''}the selection`;
}

/** Returns why an action on the open key is unavailable if the key was deleted, or has expired. */
export const getAbsentKeyReason = (
	state: StateWith<'key', 'data'> & StateWith<'navigation', 'stack'>,
): string | undefined =>
	getCurrentScreen(state) === 'key' && state.key.data?.reading === 'absent'
		? 'this key no longer exists'
		: undefined;

export const listUnsavedEdits = ({edits: {list: edits}}: StateWith<'edits', 'list'>): readonly Edit[] =>
	edits.filter(isEditChanged);

/**
 * Formats the shortcuts that continue or discard an edit on the current screen. `e` and `X` work only where
 * its key is shown.
 */
export const formatEditKeys = (
	state: StateWith<'keys' | 'key'> & StateWith<'edits', 'list'> & StateWith<'navigation', 'stack'>,
	{id}: Pick<Edit, 'id'>,
): string =>
	getCurrentUnsavedEdit(state)?.id === id
		? `${nameKey('edit.value', 'e')} continues it, ${nameKey('edit.discard', 'X')} discards it`
		: `${nameKey('edits.unsaved', 'U')} continues or discards it`;

/** Returns why an edit of this origin cannot begin: a key has at most one edit. */
export const getOtherEditReason = (
	state: StateWith<'keys' | 'key'> & StateWith<'edits', 'list'> & StateWith<'navigation', 'stack'>,
	origin: Edit['origin'],
): string | undefined =>
	(getCurrentUnsavedEdit(state)?.origin ?? origin) === origin
		? undefined
		: `this key has another unsaved edit: ${nameKey('edit.value', 'e')} continues it, ${nameKey('edit.discard', 'X')} discards it`;

/** Returns the unsaved edit of the key on screen. */
export function getCurrentUnsavedEdit(
	state: StateWith<'keys' | 'key'> & StateWith<'edits', 'list'> & StateWith<'navigation', 'stack'>,
): Edit | undefined {
	const keys = state.keys.data;
	const edits = state.edits.list;
	const name = getOpenOrCurrentKeyName(state);
	if (!keys || name === undefined || edits.length === 0) return undefined;
	const id = getEditId(keys.opened.target, name);
	return edits.find(edit => edit.id === id && isEditChanged(edit));
}
