import {keyNeedsWarning, keyProblem} from '../../kv/limits.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {fieldHere} from '../key/slice.ts';
import {keyNameHere} from '../keys/here.ts';
import type {Action, App} from '../shell/action.ts';
import {quit} from '../shell/leaving.ts';
import {screenOf} from '../shell/navigation-slice.ts';
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

const inEditor = ['editor'] as const;

const readOnly = ({connection}: LedgeState): string | undefined =>
	connection?.readOnly ? 'ledge is read-only' : undefined;

const needsWhole = (state: LedgeState): string | undefined =>
	readOnly(state) ?? (state.key?.whole && state.keys ? undefined : 'the key is not there');

/** Why the value cannot be edited here; an edit that was begun can always be resumed. */
function needsText(state: LedgeState): string | undefined {
	if (screenOf(state) === 'keys')
		return readOnly(state) ?? (keyInFront(state) === undefined ? 'the cursor is on no key' : undefined);
	// The key may be gone: what was typed for it is not.
	if (unsavedEditHere(state)) return readOnly(state);
	const missing = needsWhole(state);
	if (missing !== undefined || !state.key?.whole) return missing;
	return isScalarHere(state) ? undefined : whyNotInline(state.key.whole.bytes);
}

function isScalarHere(state: LedgeState): boolean {
	const field = fieldHere(state);
	return field !== undefined && !field.nodes.isContainer(field.node);
}

/** One edit a key: another part of it has to wait. */
const needsNoOther =
	(origin: Edit['origin']) =>
	(state: LedgeState): string | undefined => {
		const missing = needsWhole(state);
		const there = unsavedEditHere(state);
		if (missing !== undefined || !there || there.origin === origin) return missing;
		return 'another edit of this key is not saved: e continues it, X discards it';
	};

function editHereOrField(app: App): void {
	const {state} = app;
	const {keys, key, beginEdit} = state();
	const name = keyInFront(state());
	if (!keys || name === undefined) return;
	if (screenOf(state()) === 'keys') {
		void state().run(`reading ${name}`, 'read', signal => state().editKey(name, signal));
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
		const {keys, key, beginEdit} = state();
		if (keys && key?.whole) beginEdit(make(placeIn(keys, key.name), key.whole));
	};

/** Lends the terminal to the person's editor, with what is being edited. */
function editElsewhere({state, terminal}: App): void {
	void state().run('editing in $EDITOR', 'read', signal => state().editElsewhere(terminal.handOver, signal));
}

function askForNewKey({state}: App): void {
	state().openField({
		title: 'New key',
		lines: ['Its name, exactly as it will be: 1 to 512 bytes.'],
		value: '',
		does: 'go on',
		check(name) {
			const {keys} = state();
			const problem = keyProblem(name);
			if (problem) return `${problem.what} ${problem.why}`;
			const found = keys?.index.find(name);
			return found?.found ? 'There is a key of this name already: open it, and e edits it.' : undefined;
		},
		submit(name) {
			const {keys, beginEdit, warn} = state();
			if (!keys) return;
			beginEdit(editOfNewKey(placeIn(keys, name)));
			if (keyNeedsWarning(name)) warn('White space and control characters in names are advised against.');
		},
	});
}

function whyNotDiscarded(state: LedgeState): string | undefined {
	const edit = unsavedEditHere(state);
	if (!edit) return 'no edit was begun here';
	return state.beingWritten.includes(edit.id) ? 'it is being written: c in the review stops it' : undefined;
}

function discard({state}: App): void {
	const edit = unsavedEditHere(state());
	if (!edit) return;
	state().open({
		kind: 'confirm',
		title: `Discard the edit of ${edit.key}?`,
		lines: ['What was typed, and its draft, are gone then. What is stored stays as it is.'],
		does: 'discard it',
		confirm() {
			state().discardEdit(edit.id);
			state().say(`The edit of ${edit.key} was discarded.`);
		},
	});
}

/** Behind all that is done with the keys there are, in the hints. */
export const newKeyActions: readonly Action[] = [
	{
		id: 'edit.new',
		keys: ['n'],
		title: 'create a key',
		hint: 'new',
		words: ['new key', 'add key', 'put key', 'insert'],
		group: 'Keys',
		where: ['keys'],
		unavailable: readOnly,
		run: askForNewKey,
	},
];

/** What changes a key, up to the review. */
export const editingActions: readonly Action[] = [
	{
		id: 'edit.value',
		keys: ['e'],
		title: 'edit the field under the cursor, or the whole text; continues an unsaved edit',
		hint: 'edit',
		words: ['change', 'modify', 'update', 'put'],
		group: 'Value',
		where: ['key', 'keys'],
		unavailable: needsText,
		run: editHereOrField,
	},
	{
		id: 'edit.elsewhere',
		keys: ['E'],
		title: 'edit the value in $EDITOR, whatever it holds',
		hint: '$EDITOR',
		group: 'Value',
		where: ['key'],
		unavailable: needsNoOther('edit'),
		run(app) {
			const {keys, key, beginEdit} = app.state();
			if (keys && key?.whole)
				beginEdit(editOfValue(placeIn(keys, key.name), key.whole), () => editElsewhere(app));
		},
	},
	{
		id: 'edit.metadata',
		keys: ['m'],
		title: 'edit the metadata',
		hint: 'metadata',
		words: ['change metadata'],
		group: 'Value',
		where: ['key'],
		unavailable: needsNoOther('metadata'),
		run: beginWith(editOfMetadata),
	},
	{
		id: 'edit.expiry',
		keys: ['T'],
		title: 'change when the key expires',
		hint: 'expiry',
		words: ['ttl', 'expiration', 'edit expiry'],
		group: 'Value',
		where: ['key'],
		unavailable: needsNoOther('expiry'),
		run: beginWith(editOfExpiry),
	},
	{
		id: 'edit.discard',
		keys: ['X'],
		title: 'discard the edit that was begun',
		hint: 'discard edit',
		words: ['throw away', 'abandon'],
		group: 'Value',
		destroys: true,
		where: ['key', 'keys'],
		unavailable: whyNotDiscarded,
		run: discard,
	},
	{
		id: 'edit.delete',
		keys: ['d'],
		title: 'delete the key',
		hint: 'delete',
		words: ['remove', 'erase'],
		group: 'Value',
		destroys: true,
		where: ['keys', 'key'],
		unavailable: state =>
			readOnly(state) ??
			(keyInFront(state) === undefined || !state.keys ? 'the cursor is on no key' : undefined),
		run({state}) {
			const {keys, key, reviewDelete} = state();
			const inKey = screenOf(state()) === 'key';
			const name = inKey ? key?.name : keys && keyNameHere(keys);
			if (name !== undefined) void reviewDelete(name, inKey ? key?.whole : undefined);
		},
	},
	{
		id: 'edit.undo',
		keys: ['u'],
		title: 'undo the last write or deletion of this session',
		hint: 'undo',
		words: ['revert', 'take back'],
		group: 'Value',
		where: ['key', 'keys', 'namespaces', 'home'],
		unavailable: state =>
			readOnly(state) ?? (state.undoable ? undefined : 'there is nothing to undo in this session'),
		run: ({state}) => void state().reviewUndo(),
	},
	{
		id: 'editor.review',
		keys: ['ctrl-s'],
		title: 'go to the review, before anything is written',
		hint: 'review',
		words: ['save', 'write', 'submit'],
		group: 'Editor',
		where: inEditor,
		run: ({state}) => void state().reviewEdit(),
	},
	{
		id: 'editor.leave',
		keys: ['esc'],
		title: 'leave the editor; what was typed is kept',
		hint: 'back, kept',
		group: 'Editor',
		where: inEditor,
		run: ({state}) => state().leaveEditor(),
	},
	{
		id: 'editor.elsewhere',
		keys: ['ctrl-o'],
		title: 'go on in $EDITOR',
		hint: '$EDITOR',
		group: 'Editor',
		where: inEditor,
		run: editElsewhere,
	},
	{
		id: 'editor.suspend',
		keys: ['ctrl-z'],
		title: 'suspend ledge (fg brings it back)',
		group: 'Editor',
		where: inEditor,
		run: ({terminal}) => terminal.suspend(),
	},
	{
		id: 'editor.quit',
		keys: ['ctrl-c'],
		title: 'quit; what was typed is kept',
		group: 'Editor',
		where: inEditor,
		run: quit,
	},
	{
		id: 'editor.help',
		keys: ['f1', 'ctrl-g'],
		title: 'show the keys that work here',
		hint: 'help',
		group: 'Editor',
		where: inEditor,
		run: ({state}) => state().open({kind: 'help', query: '', top: 0}),
	},
];
