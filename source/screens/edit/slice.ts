import {existsSync, readFileSync, rmSync} from 'node:fs';
import {asFailure} from '../../failure.ts';
import type {Key} from '../../keyboard/key.ts';
import {draftOf, editOf, type UnsavedEdit} from '../../kv/change/edit-draft.ts';
import {readWhole, type WholeKey} from '../../kv/change/whole-key.ts';
import {type Draft, dropDraft, findDraft} from '../../state/drafts.ts';
import {openEditorFolder} from '../../state/editor-folders.ts';
import type {Has} from '../../store/ledge-store.ts';
import type {Slice} from '../../store/slice.ts';
import {dropAddedLineEnd, editBytes} from '../../terminal/editor.ts';
import {edit as edited} from '../../text/buffer/buffer.ts';
import {timeAgo, whyIn} from '../drafts/form.ts';
import {keyNameHere} from '../keys/here.ts';
import type {KeysState} from '../keys/state.ts';
import {editCommandOf} from '../shell/edit-keys.ts';
import {screenOf} from '../shell/screen-name.ts';
import {
	bufferIn,
	type Edit,
	type Entry,
	editFromDraft,
	editId,
	editOfValue,
	entryBytes,
	isChanged,
	isSameContent,
	type KeyPlace,
	unsavedEditOf,
	valueEntry,
	withBuffer,
	withText,
} from './edit.ts';
import {createEditsAnywhere, type EditsAnywhere} from './form.ts';

/** Hands the terminal to another program until the work is done. */
type Lend = <T>(work: () => Promise<T>) => Promise<T>;

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly edits: EditingSlice;
	}
}

type EditingSlice = EditsAnywhere & {
	/** Edits that are neither written nor discarded. */
	readonly list: readonly Edit[];
	/** Id of the current or last edit in the editor. */
	readonly current: string | undefined;
	/**
	 * Begins an edit, or continues that of the same key. If an earlier run left a draft of it, asks first.
	 * Then calls `then`, by default to open the editor.
	 */
	begin(edit: Edit, then?: () => void): void;
	/** Replaces the content of an edit. */
	fill(id: string, entry: Edit['entry']): void;
	/** Reads a key of the open namespace and begins to edit its value. */
	open(name: string, signal: AbortSignal): Promise<void>;
	/** Handles a key in the editor. Returns false if it has no meaning there. */
	type(key: Key): boolean;
	/** Leaves the editor; keeps the edit if it has changes. */
	leave(): void;
	/** Opens the edit in `$EDITOR`, then goes to the review with the result. */
	openElsewhere(lend: Lend, signal: AbortSignal): Promise<void>;
	/** Removes an edit and its draft. */
	discard(id: string): void;
	/** After a write: removes the edit, or rebases what was typed since onto the stored version. */
	noticeWrite(reviewed: Edit, whole: WholeKey): void;
	/** Resumes an edit of an earlier run in the editor. */
	resume(edit: Edit, draft: Pick<Draft, 'id' | 'path'>): void;
	/** Returns the edits to keep as drafts; one that is open in `$EDITOR` has what was saved there so far. */
	toKeep(): readonly Edit[];
	/**
	 * Saves all edits when the process ends, which `$EDITOR` may outlive, and removes its folder.
	 * Synchronous.
	 */
	endAll(): void;
	hasUnsaved(): boolean;
};

export const createEditingSlice: Slice<EditingSlice> = (set, get, ports) => {
	const {session, now} = ports;
	/** The edit that is open in `$EDITOR`, and its file. */
	let outside: {readonly id: string; readonly folder: string; readonly file: string} | undefined;

	const change = (id: string, part: Partial<Edit>) =>
		set(({list: edits}) => ({list: edits.map(one => (one.id === id ? {...one, ...part} : one))}));

	const put = (edit: Edit) =>
		set(({list: edits}) => ({list: [...edits.filter(({id}) => id !== edit.id), edit], current: edit.id}));

	const remove = (id: string) => {
		set(({list: edits, current: editing}) => ({
			list: edits.filter(one => one.id !== id),
			current: editing === id ? undefined : editing,
		}));
	};

	const openEditor = () => get().navigation.go('editor');

	/** Replaces the typed content with that of another program. */
	const take = (id: string, content: Uint8Array) => {
		const edit = get().edits.list.find(one => one.id === id);
		if (!edit) return;
		change(id, {entry: withContent(edit.entry, content)});
		get().drafts.save();
	};

	function askAboutDraft(
		edit: Edit,
		unsaved: UnsavedEdit,
		draft: Pick<Draft, 'id' | 'path' | 'saved'>,
		then: () => void,
	) {
		get().dialog.open({
			kind: 'choice',
			title: `An edit of ${edit.key} was not saved, ${timeAgo(now() - draft.saved)}`,
			lines: ['It is still there, with everything that was typed.'],
			choices: [
				{value: 'on', label: 'Continue it'},
				{value: 'start over', label: 'Start over, and discard it'},
			],
			choose(value) {
				const base = edit.base && 'bytes' in edit.base ? edit.base : undefined;
				const resumed = value === 'on' ? editFromDraft(unsaved, base) : undefined;
				if (resumed) {
					put(resumed);
					get().drafts.adopt(resumed.id, draft);
				} else {
					dropDraft(session.env, draft.id);
					put(edit);
				}
				then();
			},
		});
	}

	return {
		...createEditsAnywhere(set, get, ports),
		list: [],
		current: undefined,
		fill: (id, entry) => change(id, {entry}),
		begin(edit, then = openEditor) {
			try {
				session.refuseWhenReadOnly('editing a key');
				const there = get().edits.list.find(({id}) => id === edit.id);
				if (there && isChanged(there)) {
					set({current: there.id});
					return then();
				}
				const draft = there ? undefined : findDraft(session.env, edit.target, edit.key);
				const unsaved = draft && editOf(draft);
				if (draft && unsaved) return askAboutDraft(edit, unsaved, draft, then);
				put(edit);
				then();
			} catch (error) {
				get().messages.fail(asFailure(error));
			}
		},
		async open(name, signal) {
			const keys = get().keys.data;
			const {list: edits, begin: beginEdit} = get().edits;
			if (!keys) return;
			const place = placeIn(keys, name);
			const there = edits.find(({id}) => id === editId(place.target, name));
			if (there) return beginEdit(there);
			const whole = await readWhole(keys.opened.store, name, signal);
			if (!whole) return get().messages.warn(`The key ${name} is gone: it was deleted, or it expired.`);
			const edit = editOfValue(place, whole);
			if (edit.entry.form !== 'bytes') return beginEdit(edit);
			get().messages.warn(`${name} cannot be edited as text here: open it, and E edits it in $EDITOR.`);
		},
		type(key) {
			const edit = editHere(get());
			const buffer = edit && bufferIn(edit.entry);
			if (!edit || !buffer) return false;
			if (buffer.singleLine && key.name === 'enter') {
				void get().review.begin();
				return true;
			}
			const command =
				key.name === 'tab' && !buffer.singleLine
					? ({kind: 'insert', text: '\t'} as const)
					: editCommandOf(key, get().navigation.viewport.rows - 6);
			if (!command) return false;
			get().messages.clearRead();
			change(edit.id, {entry: withBuffer(edit.entry, edited(buffer, command))});
			return true;
		},
		leave() {
			const edit = editHere(get());
			get().navigation.back();
			if (!edit) return;
			if (!isChanged(edit)) return remove(edit.id);
			const failure = get().drafts.save();
			if (failure)
				get().messages.warn(`The edit of ${edit.key} is kept only as long as ledge runs: ${whyIn(failure)}`);
			else
				get().messages.say(`The edit of ${edit.key} in ${edit.label} is kept: ${keysForEdit(get(), edit)}.`);
		},
		async openElsewhere(lend, signal) {
			const edit = editHere(get());
			if (!edit) return;
			const {id} = edit;
			const before = entryBytes(edit.entry);
			get().drafts.save();
			const {folder, file} = openEditorFolder(session.env, draftOf(unsavedEditOf(edit)), now());
			let after: Uint8Array;
			try {
				after = await lend(() =>
					editBytes(before, session.env, {
						folder,
						signal,
						onStart: () => {
							outside = {id, folder, file};
						},
						rescue(content) {
							take(id, content);
							return screenOf(get()) === 'editor'
								? 'The text saved in it is shown here.'
								: `The text saved in it is kept: ${keysForEdit(get(), edit)}.`;
						},
					}),
				);
			} finally {
				outside = undefined;
				rmSync(folder, {recursive: true, force: true});
				const left = get().edits.list.find(one => one.id === id);
				if (left && !isChanged(left) && screenOf(get()) !== 'editor') remove(id);
			}
			if (Buffer.compare(before, after) === 0) {
				if (!get().edits.list.some(one => one.id === id))
					return get().messages.say('The editor changed nothing.');
				return get().messages.say('The editor changed nothing; what was typed before is kept.');
			}
			put(edit);
			take(id, after);
			openEditor();
			void get().review.begin();
		},
		discard(id) {
			remove(id);
			if (screenOf(get()) === 'editor') get().navigation.back();
		},
		noticeWrite(reviewed, whole) {
			const edit = get().edits.list.find(({id}) => id === reviewed.id);
			if (!edit) return;
			if (isSameContent(edit.entry, reviewed.entry)) return remove(edit.id);
			change(edit.id, {base: whole, value: whole.bytes, metadata: whole.metadata});
		},
		resume(edit, draft) {
			put(edit);
			get().drafts.adopt(edit.id, draft);
			openEditor();
		},
		toKeep: () =>
			get().edits.list.map(edit => (outside?.id === edit.id ? asSavedIn(edit, outside.file) : edit)),
		endAll() {
			const failure = get().drafts.save();
			// If the file is missing, the editor may be replacing it and need its folder.
			if (outside && !failure && existsSync(outside.file))
				rmSync(outside.folder, {recursive: true, force: true});
		},
		hasUnsaved: () => get().edits.list.some(isChanged),
	};

	/** Returns the edit with what `$EDITOR` has saved so far. */
	function asSavedIn(edit: Edit, file: string): Edit {
		try {
			const given = entryBytes(edit.entry);
			const content = dropAddedLineEnd(given, readFileSync(file));
			const isSaved = Buffer.compare(content, given) !== 0;
			return isSaved ? {...edit, entry: withContent(edit.entry, content)} : edit;
		} catch (error) {
			// The editor may be replacing the file; the earlier content remains.
			get().messages.fail(asFailure(error));
			return edit;
		}
	}
};

function withContent(entry: Entry, content: Uint8Array): Entry {
	const isOfValue = entry.form !== 'metadata' && entry.form !== 'expiry';
	return isOfValue ? valueEntry(content) : withText(entry, Buffer.from(content).toString('utf8'));
}

/** Returns the edit in the editor. */
export const editHere = ({
	edits: {list: edits, current: editing},
}: Has<'edits', 'list' | 'current'>): Edit | undefined => edits.find(({id}) => id === editing);

/** Returns the place of a key in the open namespace. */
export const placeIn = (
	{opened, namespace}: Pick<KeysState, 'opened' | 'namespace'>,
	key: string,
): KeyPlace => ({target: opened.target, label: namespace.title, key});

/** Returns the name of the open key, or of the one under the cursor. */
export function keyInFront(state: Has<'key' | 'keys'> & Has<'navigation', 'stack'>): string | undefined {
	if (screenOf(state) === 'key') return state.key.data?.name;
	return state.keys.data && keyNameHere(state.keys.data);
}

export const unsavedEdits = ({edits: {list: edits}}: Has<'edits', 'list'>): readonly Edit[] =>
	edits.filter(isChanged);

/**
 * Formats the keys that continue or discard an edit on the current screen; `e` and `X` work only where its
 * key is shown.
 */
export const keysForEdit = (
	state: Has<'keys' | 'key'> & Has<'edits', 'list'> & Has<'navigation', 'stack'>,
	{id}: Pick<Edit, 'id'>,
): string =>
	unsavedEditHere(state)?.id === id ? 'e continues it, X discards it' : 'U continues or discards it';

/** Returns the unsaved edit of the key on screen. */
export function unsavedEditHere(
	state: Has<'keys' | 'key'> & Has<'edits', 'list'> & Has<'navigation', 'stack'>,
): Edit | undefined {
	const keys = state.keys.data;
	const edits = state.edits.list;
	const name = keyInFront(state);
	if (!keys || name === undefined || edits.length === 0) return undefined;
	const wanted = editId(keys.opened.target, name);
	return edits.find(edit => edit.id === wanted && isChanged(edit));
}
