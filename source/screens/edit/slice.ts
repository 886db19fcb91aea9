import {existsSync, readFileSync, rmSync} from 'node:fs';
import {asFailure} from '../../failure.ts';
import type {Key} from '../../keyboard/key.ts';
import {draftOf, editOf, type UnsavedEdit} from '../../kv/change/edit-draft.ts';
import {readWhole, type WholeKey} from '../../kv/change/whole-key.ts';
import {type Draft, dropDraft, findDraft} from '../../state/drafts.ts';
import {openEditorFolder} from '../../state/editor-folders.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import type {Slice} from '../../store/slice.ts';
import {dropAddedLineEnd, editBytes} from '../../terminal/editor.ts';
import {edit as edited} from '../../text/buffer/buffer.ts';
import {timeAgo, whyIn} from '../drafts/form.ts';
import {keyNameHere} from '../keys/here.ts';
import {editCommandOf} from '../shell/edit-keys.ts';
import {screenOf} from '../shell/navigation-slice.ts';
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

/** Lends the terminal to another program until the work is done. */
type Lend = <T>(work: () => Promise<T>) => Promise<T>;

export type EditingSlice = EditsAnywhere & {
	/** The changes that were begun, and neither written nor discarded yet. */
	readonly edits: readonly Edit[];
	/** The id of the edit that is, or was last, in the editor. */
	readonly editing: string | undefined;
	/**
	 * Begins an edit, or continues the one of the same key; where an earlier run left a draft of it,
	 * the person is asked. `then` comes after it: the editor opens if nothing is given.
	 */
	beginEdit(edit: Edit, then?: () => void): void;
	/** Replaces what is typed in an edit. */
	fillEdit(id: string, entry: Edit['entry']): void;
	/** Reads a key of the namespace that is open, and begins to edit its value. */
	editKey(name: string, signal: AbortSignal): Promise<void>;
	/** A key in the editor. Returns whether it means anything there. */
	typeInEditor(key: Key): boolean;
	/** Leaves the editor. What was typed stays, if anything was. */
	leaveEditor(): void;
	/** Hands what is in the editor to `$EDITOR`, and goes to the review with what comes back. */
	editElsewhere(lend: Lend, signal: AbortSignal): Promise<void>;
	/** Forgets an edit and its draft. */
	discardEdit(id: string): void;
	/** What is in the editor was written: the edit goes, or what was typed meanwhile continues on what is stored now. */
	editWritten(reviewed: Edit, whole: WholeKey): void;
	/** Resumes what an earlier run left, and opens the editor. */
	resumeEdit(edit: Edit, draft: Pick<Draft, 'id' | 'path'>): void;
	/** The edits as they are kept: an edit that `$EDITOR` has, with what was saved in it so far. */
	editsToKeep(): readonly Edit[];
	/**
	 * Keeps everything at the end of the process, which `$EDITOR` may outlive: what it has is kept, and its folder goes.
	 * Nothing that it calls waits.
	 */
	endEditing(): void;
	hasUnsavedEdit(): boolean;
};

export const createEditingSlice: Slice<EditingSlice> = (set, get, ports) => {
	const {session, now} = ports;
	/** The edit that `$EDITOR` has, and the file in which it lies. */
	let outside: {readonly id: string; readonly folder: string; readonly file: string} | undefined;

	const change = (id: string, part: Partial<Edit>) =>
		set(({edits}) => ({edits: edits.map(one => (one.id === id ? {...one, ...part} : one))}));

	const put = (edit: Edit) =>
		set(({edits}) => ({edits: [...edits.filter(({id}) => id !== edit.id), edit], editing: edit.id}));

	const remove = (id: string) => {
		set(({edits, editing}) => ({
			edits: edits.filter(one => one.id !== id),
			editing: editing === id ? undefined : editing,
		}));
	};

	const openEditor = () => get().go('editor');

	/** What came back from another program, in the place of what was typed. */
	const take = (id: string, content: Uint8Array) => {
		const edit = get().edits.find(one => one.id === id);
		if (!edit) return;
		change(id, {entry: withContent(edit.entry, content)});
		get().saveDrafts();
	};

	function askAboutDraft(
		edit: Edit,
		unsaved: UnsavedEdit,
		draft: Pick<Draft, 'id' | 'path' | 'saved'>,
		then: () => void,
	) {
		get().open({
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
					get().adoptDraft(resumed.id, draft);
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
		edits: [],
		editing: undefined,
		fillEdit: (id, entry) => change(id, {entry}),
		beginEdit(edit, then = openEditor) {
			try {
				session.refuseWhenReadOnly('editing a key');
				const there = get().edits.find(({id}) => id === edit.id);
				if (there && isChanged(there)) {
					set({editing: there.id});
					return then();
				}
				const draft = there ? undefined : findDraft(session.env, edit.target, edit.key);
				const unsaved = draft && editOf(draft);
				if (draft && unsaved) return askAboutDraft(edit, unsaved, draft, then);
				put(edit);
				then();
			} catch (error) {
				get().fail(asFailure(error));
			}
		},
		async editKey(name, signal) {
			const {keys, edits, beginEdit} = get();
			if (!keys) return;
			const place = placeIn(keys, name);
			const there = edits.find(({id}) => id === editId(place.target, name));
			if (there) return beginEdit(there);
			const whole = await readWhole(keys.opened.store, name, signal);
			if (!whole) return get().warn(`The key ${name} is gone: it was deleted, or it expired.`);
			const edit = editOfValue(place, whole);
			if (edit.entry.form !== 'bytes') return beginEdit(edit);
			get().warn(`${name} cannot be edited as text here: open it, and E edits it in $EDITOR.`);
		},
		typeInEditor(key) {
			const edit = editHere(get());
			const buffer = edit && bufferIn(edit.entry);
			if (!edit || !buffer) return false;
			if (buffer.singleLine && key.name === 'enter') {
				void get().reviewEdit();
				return true;
			}
			const command =
				key.name === 'tab' && !buffer.singleLine
					? ({kind: 'insert', text: '\t'} as const)
					: editCommandOf(key, get().viewport.rows - 6);
			if (!command) return false;
			get().clearReadMessage();
			change(edit.id, {entry: withBuffer(edit.entry, edited(buffer, command))});
			return true;
		},
		leaveEditor() {
			const edit = editHere(get());
			get().back();
			if (!edit) return;
			if (!isChanged(edit)) return remove(edit.id);
			const failure = get().saveDrafts();
			if (failure)
				get().warn(`The edit of ${edit.key} is kept only as long as ledge runs: ${whyIn(failure)}`);
			else get().say(`The edit of ${edit.key} in ${edit.label} is kept: ${keysForEdit(get(), edit)}.`);
		},
		async editElsewhere(lend, signal) {
			const edit = editHere(get());
			if (!edit) return;
			const {id} = edit;
			const before = entryBytes(edit.entry);
			get().saveDrafts();
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
				const left = get().edits.find(one => one.id === id);
				if (left && !isChanged(left) && screenOf(get()) !== 'editor') remove(id);
			}
			if (Buffer.compare(before, after) === 0) {
				if (!get().edits.some(one => one.id === id)) return get().say('The editor changed nothing.');
				return get().say('The editor changed nothing; what was typed before is kept.');
			}
			put(edit);
			take(id, after);
			openEditor();
			void get().reviewEdit();
		},
		discardEdit(id) {
			remove(id);
			if (screenOf(get()) === 'editor') get().back();
		},
		editWritten(reviewed, whole) {
			const edit = get().edits.find(({id}) => id === reviewed.id);
			if (!edit) return;
			if (isSameContent(edit.entry, reviewed.entry)) return remove(edit.id);
			change(edit.id, {base: whole, value: whole.bytes, metadata: whole.metadata});
		},
		resumeEdit(edit, draft) {
			put(edit);
			get().adoptDraft(edit.id, draft);
			openEditor();
		},
		editsToKeep: () =>
			get().edits.map(edit => (outside?.id === edit.id ? asSavedIn(edit, outside.file) : edit)),
		endEditing() {
			const failure = get().saveDrafts();
			// An editor that is about to put another file in its place has everything in that one.
			if (outside && !failure && existsSync(outside.file))
				rmSync(outside.folder, {recursive: true, force: true});
		},
		hasUnsavedEdit: () => get().edits.some(isChanged),
	};

	/** The edit with what its editor saved so far. */
	function asSavedIn(edit: Edit, file: string): Edit {
		try {
			const given = entryBytes(edit.entry);
			const content = dropAddedLineEnd(given, readFileSync(file));
			const isSaved = Buffer.compare(content, given) !== 0;
			return isSaved ? {...edit, entry: withContent(edit.entry, content)} : edit;
		} catch (error) {
			// An editor may be about to put another file in its place; what was typed before is still there.
			get().fail(asFailure(error));
			return edit;
		}
	}
};

/** The entry of the same kind with other content. */
function withContent(entry: Entry, content: Uint8Array): Entry {
	const isOfValue = entry.form !== 'metadata' && entry.form !== 'expiry';
	return isOfValue ? valueEntry(content) : withText(entry, Buffer.from(content).toString('utf8'));
}

/** The edit in the editor. */
export const editHere = ({edits, editing}: Pick<LedgeState, 'edits' | 'editing'>): Edit | undefined =>
	edits.find(({id}) => id === editing);

/** A key of the namespace that is open. */
export const placeIn = (
	{opened, namespace}: Pick<NonNullable<LedgeState['keys']>, 'opened' | 'namespace'>,
	key: string,
): KeyPlace => ({target: opened.target, label: namespace.title, key});

/** The name of the key that is open, or that the cursor is on. */
export function keyInFront(state: LedgeState): string | undefined {
	if (screenOf(state) === 'key') return state.key?.name;
	return state.keys && keyNameHere(state.keys);
}

/** What was typed, and neither written nor discarded. */
export const unsavedEdits = ({edits}: Pick<LedgeState, 'edits'>): readonly Edit[] => edits.filter(isChanged);

/** The keys that continue and discard an edit on the current screen; e and X work only where its key is shown. */
export const keysForEdit = (state: LedgeState, {id}: Pick<Edit, 'id'>): string =>
	unsavedEditHere(state)?.id === id ? 'e continues it, X discards it' : 'U continues or discards it';

/** What was typed for the key in front, and not saved. */
export function unsavedEditHere(state: LedgeState): Edit | undefined {
	const {keys, edits} = state;
	const name = keyInFront(state);
	if (!keys || name === undefined || edits.length === 0) return undefined;
	const wanted = editId(keys.opened.target, name);
	return edits.find(edit => edit.id === wanted && isChanged(edit));
}
