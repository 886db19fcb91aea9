import {nameKey} from '../../keyboard/named-keys.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {getCurrentField} from '../key/slice.ts';
import {createActionFactory, getReadOnlyReason, getUndoHintPlace} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {createFormActions, defineForm} from '../shell/form-actions.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import {
	createExpiryEdit,
	createFieldEdit,
	createMetadataEdit,
	createValueEdit,
	type Edit,
	getNotInlineReason,
} from './edit.ts';
import {
	editAnotherField,
	fieldActions,
	getOtherFieldEditReason,
	isOnBoolean,
	toggleBoolean,
} from './field-actions.ts';
import {
	getAbsentKeyReason,
	getCurrentUnsavedEdit,
	getKeyPlace,
	getOpenOrCurrentKeyName,
	getOtherEditReason,
	getOtherSelectionReason,
} from './slice.ts';

const defineValueAction = createActionFactory('Value', ['key']);
const defineEditorAction = createActionFactory('Editor', ['editor', 'editor menu']);

const getKeyBlockedReason = (state: StateWith<'key' | 'keys' | 'connection'>): string | undefined =>
	getReadOnlyReason(state) ??
	(state.key.data?.wholeKey && state.keys.data ? undefined : 'the key is not loaded');

/** Returns why the key under the cursor of the list cannot be edited. */
const getListedKeyBlockedReason = (
	state: StateWith<'key' | 'keys' | 'connection'> & StateWith<'navigation', 'stack'>,
): string | undefined =>
	getReadOnlyReason(state) ??
	(getOpenOrCurrentKeyName(state) === undefined ? 'the cursor is not on a key' : undefined);

/** Returns why the value cannot be edited inline. An existing edit can be resumed unless read-only. */
function getEditBlockedReason(
	state: StateWith<'key' | 'connection' | 'keys'> &
		StateWith<'navigation', 'stack'> &
		StateWith<'edits', 'list'>,
): string | undefined {
	if (getCurrentScreen(state) === 'keys') return getListedKeyBlockedReason(state);
	// A deleted key keeps its edit.
	if (getCurrentUnsavedEdit(state)) return getReadOnlyReason(state);
	const keyBlockedReason = getKeyBlockedReason(state);
	if (keyBlockedReason !== undefined || !state.key.data?.wholeKey) return keyBlockedReason;
	return isCursorOnScalar(state) ? undefined : getNotInlineReason(state.key.data.wholeKey.bytes);
}

function isCursorOnScalar(state: StateWith<'key'>): boolean {
	const field = getCurrentField(state);
	return field !== undefined && !field.nodes.isContainer(field.node);
}

/** Creates the check that no other part of the key is being edited. */
const createOtherEditCheck =
	(origin: Edit['origin']) =>
	(
		state: StateWith<'key' | 'keys' | 'connection'> &
			StateWith<'edits', 'list'> &
			StateWith<'navigation', 'stack'>,
	): string | undefined => {
		const keyBlockedReason =
			getCurrentScreen(state) === 'keys' ? getListedKeyBlockedReason(state) : getKeyBlockedReason(state);
		return keyBlockedReason ?? getOtherEditReason(state, origin);
	};

function editCurrentValue(app: App): void {
	const {state} = app;
	const keys = state().keys.data;
	const key = state().key.data;
	const beginEdit = state().edits.begin;
	const name = getOpenOrCurrentKeyName(state());
	if (!keys || name === undefined) return;
	if (getCurrentScreen(state()) === 'keys') {
		void state().work.run(`loading ${name}`, 'read', signal => state().edits.open(name, signal));
		return;
	}
	const existingEdit = getCurrentUnsavedEdit(state());
	const field = getCurrentField(state());
	if (existingEdit) {
		const {entry} = existingEdit;
		if (entry.kind === 'field' && isCursorOnScalar(state()) && field?.node !== entry.node)
			editAnotherField(app);
		else beginEdit(existingEdit);
		return;
	}
	if (!key?.wholeKey) return;
	const place = getKeyPlace(keys, name);
	if (isOnBoolean(field)) toggleBoolean(app);
	else if (field && isCursorOnScalar(state()))
		beginEdit(createFieldEdit(place, key.wholeKey, field.nodes, field.node));
	else beginEdit(createValueEdit(place, key.wholeKey));
}

/** Starts to edit a part of the open key, or of the one under the cursor in the list, which is read first. */
const createEditStarter =
	(createEdit: typeof createMetadataEdit) =>
	({state}: App): void => {
		const keys = state().keys.data;
		const key = state().key.data;
		const name = getOpenOrCurrentKeyName(state());
		if (!keys || name === undefined) return;
		if (getCurrentScreen(state()) === 'keys')
			void state().work.run(`loading ${name}`, 'read', signal =>
				state().edits.open(name, signal, createEdit),
			);
		else if (key?.wholeKey) state().edits.begin(createEdit(getKeyPlace(keys, name), key.wholeKey));
	};

/** The last line of the list has room for the most common actions. */
const hideInKeyList = (state: StateWith<'navigation', 'stack'>): 'none' | undefined =>
	getCurrentScreen(state) === 'keys' ? 'none' : undefined;

/** Opens the current edit in `$EDITOR`. */
function continueInEditor({state, terminal}: App): void {
	void state().work.run('editing in $EDITOR', 'read', signal =>
		state().edits.openExternalEditor(terminal.handOver, signal),
	);
}

function getDiscardBlockedReason(
	state: StateWith<'review', 'pendingWriteIds'> &
		StateWith<'keys' | 'key'> &
		StateWith<'edits', 'list'> &
		StateWith<'navigation', 'stack'>,
): string | undefined {
	const edit = getCurrentUnsavedEdit(state);
	if (!edit) return 'no unsaved edit here';
	return state.review.pendingWriteIds.includes(edit.id)
		? `it is being written: ${nameKey('review.cancel', 'ctrl-x')} in the review stops it`
		: undefined;
}

function confirmDiscardEdit({state}: App): void {
	const edit = getCurrentUnsavedEdit(state());
	if (!edit) return;
	state().dialog.open({
		kind: 'confirm',
		title: `Discard the edit of ${edit.key}?`,
		lines: ['Your changes and their draft will be deleted. The stored key does not change.'],
		actionLabel: 'discard the edit',
		confirm() {
			state().edits.discard(edit.id);
			state().messages.say(`The edit of ${edit.key} was discarded.`);
		},
	});
}

/** Actions that edit a key, up to the review. */
export const editingActions: readonly Action[] = [
	defineValueAction(
		'edit.value',
		['e'],
		'edit the field under the cursor (switches a boolean), or the whole text; continues an unsaved edit',
		{
			effect: 'prepares a write',
			where: ['key', 'keys'],
			hint: 'edit',
			searchTerms: [
				'change',
				'modify',
				'update',
				'put',
				'edit value',
				'change value',
				'update value',
				'set value',
			],
			getUnavailableReason: getEditBlockedReason,
			run: editCurrentValue,
		},
	),
	defineEditorAction('editor.review', ['ctrl-s'], 'review the change before writing it', {
		effect: 'prepares a write',
		hint: 'review',
		searchTerms: ['save', 'write', 'submit', 'done', 'finish', 'apply'],
		run: ({state}) => void state().review.begin(),
	}),
	...fieldActions,
	defineValueAction('edit.elsewhere', ['E'], 'edit in $EDITOR', {
		effect: 'prepares a write',
		searchTerms: ['open in editor', 'external editor', 'vim', 'nano', 'emacs', 'edit in editor'],
		hint: '$EDITOR',
		getUnavailableReason: createOtherEditCheck('edit'),
		run(app) {
			const keys = app.state().keys.data;
			const key = app.state().key.data;
			const beginEdit = app.state().edits.begin;
			if (keys && key?.wholeKey)
				beginEdit(createValueEdit(getKeyPlace(keys, key.name), key.wholeKey), () => continueInEditor(app));
		},
	}),
	defineValueAction('edit.metadata', ['m'], 'edit the metadata', {
		effect: 'prepares a write',
		where: ['keys', 'key'],
		getHintPlace: hideInKeyList,
		hint: 'metadata',
		searchTerms: ['change metadata', 'set metadata', 'tags', 'annotations'],
		getUnavailableReason: state => getOtherSelectionReason(state) ?? createOtherEditCheck('metadata')(state),
		run: createEditStarter(createMetadataEdit),
	}),
	defineValueAction('edit.expiry', ['T'], 'change when the key expires', {
		effect: 'prepares a write',
		where: ['keys', 'key'],
		getHintPlace: hideInKeyList,
		hint: 'expiration',
		searchTerms: [
			'persist',
			'change ttl',
			'ttl',
			'expiration',
			'edit expiry',
			'change expiry',
			'expire',
			'expires',
			'lifetime',
			'time to live',
		],
		getUnavailableReason: state => getOtherSelectionReason(state) ?? createOtherEditCheck('expiry')(state),
		run: createEditStarter(createExpiryEdit),
	}),
	defineValueAction('edit.discard', ['X'], 'discard the unsaved edit', {
		paletteMode: 'never',
		where: ['key', 'keys'],
		hint: 'discard edit',
		searchTerms: ['throw away', 'abandon', 'discard edit', 'discard draft'],
		isDestructive: true,
		getUnavailableReason: getDiscardBlockedReason,
		run: confirmDiscardEdit,
	}),
	defineValueAction('edit.delete', ['d'], 'delete the key', {
		effect: 'prepares a write',
		where: ['keys', 'key'],
		hint: 'delete',
		searchTerms: ['remove', 'erase', 'delete key'],
		isDestructive: true,
		getUnavailableReason: state =>
			getReadOnlyReason(state) ??
			getAbsentKeyReason(state) ??
			(getOpenOrCurrentKeyName(state) === undefined || !state.keys.data
				? 'the cursor is not on a key'
				: getOtherFieldEditReason(state)),
		run({state}) {
			const name = getOpenOrCurrentKeyName(state());
			const key = getCurrentScreen(state()) === 'key' ? state().key.data : undefined;
			if (name !== undefined) void state().review.beginDeletion(name, key?.wholeKey);
		},
	}),
	defineValueAction('edit.undo', ['u'], 'undo the last write or deletion of this session', {
		effect: 'prepares a write',
		paletteMode: 'in place',
		where: ['key', 'keys', 'namespaces', 'home', 'bulk', 'compare', 'transfer'],
		hint: 'undo',
		getHintPlace: getUndoHintPlace,
		searchTerms: [
			'revert',
			'take back',
			'undo last change',
			'revert last change',
			'take it back',
			'restore deleted key',
			'roll back',
		],
		getUnavailableReason: state =>
			getReadOnlyReason(state) ?? (state.review.lastWrite ? undefined : describeNothingToUndo()),
		run: ({state}) => void state().review.beginUndo(),
	}),
	defineEditorAction('editor.leave', ['esc'], 'close the editor; the draft is kept', {
		hint: 'close (draft kept)',
		run: ({state}) => state().edits.leave(),
	}),
	defineEditorAction('editor.elsewhere', ['ctrl-o'], 'continue in $EDITOR', {
		hint: '$EDITOR',
		run: continueInEditor,
	}),
	...createFormActions(defineForm('editor', 'Editor'), 'quit; the draft is kept'),
];

/** Names the ways back that outlive the session. */
const describeNothingToUndo = (): string =>
	`nothing left to undo in this session: ${nameKey('trash.open', 'V')} opens the trash, ${nameKey('key.history', 'H')} the history of a key; rule changes are undone in their list`;
