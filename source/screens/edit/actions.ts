import {keyNeedsWarning, keyProblem} from '../../kv/limits.ts';
import type {Has} from '../../store/ledge-store.ts';
import {fieldHere} from '../key/slice.ts';
import {keyNameHere} from '../keys/here.ts';
import {actionsOf, readOnly} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {openHelp, suspend} from '../shell/everywhere.ts';
import {quit} from '../shell/leaving.ts';
import {screenOf} from '../shell/screen-name.ts';
import {
	type Edit,
	editOfExpiry,
	editOfField,
	editOfMetadata,
	editOfNewKey,
	editOfValue,
	whyNotInline,
} from './edit.ts';
import {keyInFront, placeIn, unsavedEditHere} from './slice.ts';

const action = actionsOf('Value', ['key']);
const inEditor = actionsOf('Editor', ['editor']);

const needsWhole = (state: Has<'key' | 'keys' | 'connection'>): string | undefined =>
	readOnly(state) ?? (state.key.data?.whole && state.keys.data ? undefined : 'the key is not there');

/** Returns why the value cannot be edited inline. An existing edit can always be resumed. */
function needsText(
	state: Has<'key' | 'connection' | 'keys'> & Has<'navigation', 'stack'> & Has<'edits', 'list'>,
): string | undefined {
	if (screenOf(state) === 'keys')
		return readOnly(state) ?? (keyInFront(state) === undefined ? 'the cursor is not on a key' : undefined);
	// A deleted key keeps its edit.
	if (unsavedEditHere(state)) return readOnly(state);
	const missing = needsWhole(state);
	if (missing !== undefined || !state.key.data?.whole) return missing;
	return isScalarHere(state) ? undefined : whyNotInline(state.key.data.whole.bytes);
}

function isScalarHere(state: Has<'key'>): boolean {
	const field = fieldHere(state);
	return field !== undefined && !field.nodes.isContainer(field.node);
}

/** A key has at most one edit: editing another part must wait. */
const needsNoOther =
	(origin: Edit['origin']) =>
	(
		state: Has<'key' | 'keys' | 'connection'> & Has<'edits', 'list'> & Has<'navigation', 'stack'>,
	): string | undefined => {
		const missing = needsWhole(state);
		const there = unsavedEditHere(state);
		if (missing !== undefined || !there || there.origin === origin) return missing;
		return 'another edit of this key is not saved: e continues it, X discards it';
	};

function editHereOrField(app: App): void {
	const {state} = app;
	const keys = state().keys.data;
	const key = state().key.data;
	const beginEdit = state().edits.begin;
	const name = keyInFront(state());
	if (!keys || name === undefined) return;
	if (screenOf(state()) === 'keys') {
		void state().work.run(`reading ${name}`, 'read', signal => state().edits.open(name, signal));
		return;
	}
	const begun = unsavedEditHere(state());
	if (begun) {
		beginEdit(begun);
		return;
	}
	if (!key?.whole) return;
	const place = placeIn(keys, name);
	const field = fieldHere(state());
	if (field && isScalarHere(state())) beginEdit(editOfField(place, key.whole, field.nodes, field.node));
	else beginEdit(editOfValue(place, key.whole));
}

const beginWith =
	(make: typeof editOfMetadata) =>
	({state}: App): void => {
		const keys = state().keys.data;
		const key = state().key.data;
		const beginEdit = state().edits.begin;
		if (keys && key?.whole) beginEdit(make(placeIn(keys, key.name), key.whole));
	};

/** Opens the current edit in `$EDITOR`. */
function editElsewhere({state, terminal}: App): void {
	void state().work.run('editing in $EDITOR', 'read', signal =>
		state().edits.openElsewhere(terminal.handOver, signal),
	);
}

function askForNewKey({state}: App): void {
	state().dialog.openField({
		title: 'New key',
		lines: ['Its name, exactly as it will be: 1 to 512 bytes.'],
		value: '',
		does: 'continue',
		check(name) {
			const keys = state().keys.data;
			const problem = keyProblem(name);
			if (problem) return `${problem.what} ${problem.why}`;
			const found = keys?.index.find(name);
			return found?.found ? 'There is a key of this name already: open it, and e edits it.' : undefined;
		},
		submit(name) {
			const keys = state().keys.data;
			const beginEdit = state().edits.begin;
			const {warn} = state().messages;
			if (!keys) return;
			beginEdit(editOfNewKey(placeIn(keys, name)));
			if (keyNeedsWarning(name)) warn('White space and control characters in names are advised against.');
		},
	});
}

function whyNotDiscarded(
	state: Has<'review', 'beingWritten'> &
		Has<'keys' | 'key'> &
		Has<'edits', 'list'> &
		Has<'navigation', 'stack'>,
): string | undefined {
	const edit = unsavedEditHere(state);
	if (!edit) return 'no edit was begun here';
	return state.review.beingWritten.includes(edit.id)
		? 'it is being written: c in the review stops it'
		: undefined;
}

function discard({state}: App): void {
	const edit = unsavedEditHere(state());
	if (!edit) return;
	state().dialog.open({
		kind: 'confirm',
		title: `Discard the edit of ${edit.key}?`,
		lines: ['What was typed, and its draft, are gone then. What is stored stays as it is.'],
		does: 'discard it',
		confirm() {
			state().edits.discard(edit.id);
			state().messages.say(`The edit of ${edit.key} was discarded.`);
		},
	});
}

/** Comes after the other actions on keys in the hints. */
export const newKeyActions: readonly Action[] = [
	action('edit.new', ['n'], 'create a key', {
		elsewhere: 'at once',
		hint: 'new',
		words: ['new key', 'add key', 'put key', 'insert', 'create key', 'write key'],
		group: 'Keys',
		where: ['keys'],
		unavailable: readOnly,
		run: askForNewKey,
	}),
];

/** Actions that edit a key, up to the review. */
export const editingActions: readonly Action[] = [
	action(
		'edit.value',
		['e'],
		'edit the field under the cursor, or the whole text; continues an unsaved edit',
		{
			where: ['key', 'keys'],
			hint: 'edit',
			words: ['change', 'modify', 'update', 'put', 'edit value', 'change value', 'update value', 'set value'],
			unavailable: needsText,
			run: editHereOrField,
		},
	),
	action('edit.elsewhere', ['E'], 'edit in $EDITOR', {
		words: ['open in editor', 'external editor', 'vim', 'nano', 'emacs', 'edit in editor'],
		hint: '$EDITOR',
		unavailable: needsNoOther('edit'),
		run(app) {
			const keys = app.state().keys.data;
			const key = app.state().key.data;
			const beginEdit = app.state().edits.begin;
			if (keys && key?.whole)
				beginEdit(editOfValue(placeIn(keys, key.name), key.whole), () => editElsewhere(app));
		},
	}),
	action('edit.metadata', ['m'], 'edit the metadata', {
		hint: 'metadata',
		words: ['change metadata', 'set metadata', 'tags', 'annotations'],
		unavailable: needsNoOther('metadata'),
		run: beginWith(editOfMetadata),
	}),
	action('edit.expiry', ['T'], 'change when the key expires', {
		hint: 'expiry',
		words: [
			'ttl',
			'expiration',
			'edit expiry',
			'change expiry',
			'expire',
			'expires',
			'lifetime',
			'time to live',
		],
		unavailable: needsNoOther('expiry'),
		run: beginWith(editOfExpiry),
	}),
	action('edit.discard', ['X'], 'discard the edit that was begun', {
		elsewhere: 'never',
		where: ['key', 'keys'],
		hint: 'discard edit',
		words: ['throw away', 'abandon', 'discard edit', 'discard draft'],
		destroys: true,
		unavailable: whyNotDiscarded,
		run: discard,
	}),
	action('edit.delete', ['d'], 'delete the key', {
		where: ['keys', 'key'],
		hint: 'delete',
		words: ['remove', 'erase', 'delete key'],
		destroys: true,
		unavailable: state =>
			readOnly(state) ??
			(keyInFront(state) === undefined || !state.keys.data ? 'the cursor is not on a key' : undefined),
		run({state}) {
			const keys = state().keys.data;
			const key = state().key.data;
			const reviewDelete = state().review.beginDeletion;
			const inKey = screenOf(state()) === 'key';
			const name = inKey ? key?.name : keys && keyNameHere(keys);
			if (name !== undefined) void reviewDelete(name, inKey ? key?.whole : undefined);
		},
	}),
	action('edit.undo', ['u'], 'undo the last write or deletion of this session', {
		elsewhere: 'in place',
		where: ['key', 'keys', 'namespaces', 'home'],
		hint: 'undo',
		words: [
			'revert',
			'take back',
			'undo last change',
			'revert last change',
			'take it back',
			'restore deleted key',
			'roll back',
		],
		unavailable: state =>
			readOnly(state) ?? (state.review.undoable ? undefined : 'there is nothing to undo in this session'),
		run: ({state}) => void state().review.beginUndo(),
	}),
	inEditor('editor.review', ['ctrl-s'], 'go to the review, before anything is written', {
		hint: 'review',
		words: ['save', 'write', 'submit', 'done', 'finish', 'apply'],
		run: ({state}) => void state().review.begin(),
	}),
	inEditor('editor.leave', ['esc'], 'leave the editor; what was typed is kept', {
		hint: 'back, kept',
		run: ({state}) => state().edits.leave(),
	}),
	inEditor('editor.elsewhere', ['ctrl-o'], 'continue in $EDITOR', {hint: '$EDITOR', run: editElsewhere}),
	inEditor('editor.suspend', ['ctrl-z'], 'suspend ledge (fg brings it back)', {run: suspend}),
	inEditor('editor.quit', ['ctrl-c'], 'quit; what was typed is kept', {run: quit}),
	inEditor('editor.help', ['f1', 'ctrl-g'], 'show the keys that work here', {
		hint: 'help',
		run: openHelp,
	}),
];
