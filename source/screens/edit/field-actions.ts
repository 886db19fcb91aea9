import {nameKey} from '../../keyboard/named-keys.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {getBufferText} from '../../text/buffer/buffer.ts';
import {parseScalarInput} from '../../text/json/edit.ts';
import {
	foldOrLeaveAtCursor,
	type TreeCursor,
	toggleFoldAtCursor,
	unfoldOrEnterAtCursor,
} from '../../text/json/tree-cursor.ts';
import {getCurrentField} from '../key/slice.ts';
import {formatJsonPath, type JsonField} from '../key/tree.ts';
import {createActionFactory, getReadOnlyReason} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import {createTreeEdit, type EditorEntry, isEditChanged, toEditableScalar} from './edit.ts';
import {
	getAbsentKeyReason,
	getCurrentEdit,
	getCurrentUnsavedEdit,
	getKeyPlace,
	getOtherEditReason,
} from './slice.ts';
import {
	addField,
	continueAsTree,
	deleteField,
	getNodeAtCursor,
	getTargetContainer,
	hasField,
	renameField,
	replaceField,
	type TreeEntry,
	undoTreeChange,
} from './tree-entry.ts';

const defineFieldAction = createActionFactory('Editor', ['editor menu']);

type FieldState = StateWith<'key' | 'keys' | 'connection'> &
	StateWith<'navigation', 'stack'> &
	StateWith<'edits', 'list' | 'currentId'>;

/** Returns the tree in the editor. */
function getTreeEntry(state: StateWith<'edits', 'list' | 'currentId'>): TreeEntry | undefined {
	const entry = getCurrentEdit(state)?.entry;
	return entry?.kind === 'tree' ? entry : undefined;
}

/** Returns the tree in the editor or, on the screen of a value, the one shown. */
function getShownTree(state: FieldState): TreeCursor | undefined {
	if (getCurrentScreen(state) === 'editor') return getTreeEntry(state);
	const view = getCurrentField(state) && state.key.data?.view;
	return view?.tree && {tree: view.tree, cursor: view.cursors.json};
}

const getNoTreeReason = (state: FieldState): string | undefined =>
	getReadOnlyReason(state) ??
	getAbsentKeyReason(state) ??
	(getShownTree(state) ? getOtherEditReason(state, 'edit') : 'only JSON shown as a tree has fields');

/** Returns why there is no field to delete or rename: at the top is the whole value. */
function getNoFieldReason(state: FieldState): string | undefined {
	const position = getShownTree(state);
	return position && getNodeAtCursor(position) === 0
		? 'the cursor is not on a field'
		: getNoTreeReason(state);
}

/**
 * Returns why a key that means the field on screen does not mean the whole key instead, while another unsaved
 * edit prevents a change of the field.
 */
export function getOtherFieldEditReason(state: FieldState): string | undefined {
	const position = getCurrentScreen(state) === 'key' ? getShownTree(state) : undefined;
	return position && getNodeAtCursor(position) !== 0 ? getOtherEditReason(state, 'edit') : undefined;
}

export const isOnBoolean = (field: Pick<JsonField, 'kind'> | undefined): boolean =>
	field?.kind === 'true' || field?.kind === 'false';

/**
 * Runs a change of the tree in the editor; opens that first for the value on screen. An unsaved edit of the
 * key is continued instead, and nothing else changes; only with `joinsField`, the edit of one field becomes a
 * tree, which is then changed too.
 */
function changeInEditor(
	app: App,
	changeTree: (entry: TreeEntry) => void,
	{joinsField = false}: {readonly joinsField?: boolean} = {},
): void {
	const {state} = app;
	const changeCurrentTree = () => {
		const entry = getTreeEntry(state());
		if (entry) changeTree(entry);
	};
	if (getCurrentScreen(state()) === 'editor') {
		changeCurrentTree();
		return;
	}
	const keys = state().keys.data;
	const key = state().key.data;
	const position = getShownTree(state());
	if (!keys || !key?.wholeKey || !position) return;
	const continuedEdit = getCurrentUnsavedEdit(state());
	const newEdit = createTreeEdit(getKeyPlace(keys, key.name), key.wholeKey, position);
	state().edits.begin(continuedEdit ?? newEdit, () => {
		const edit = getCurrentEdit(state());
		state().navigation.go('editor');
		const joinedEntry =
			joinsField && edit?.entry.kind === 'field' ? joinField(edit.entry, position) : undefined;
		if (edit && joinedEntry) {
			state().edits.replaceEntry(edit.id, joinedEntry);
			changeCurrentTree();
		} else if (edit && isEditChanged(edit))
			state().messages.warn('Continuing the unsaved edit; nothing else changed.');
		else changeCurrentTree();
	});
}

/** Continues the edit of a field as a tree; undefined if what was typed is not valid. */
function joinField(
	field: Extract<EditorEntry, {kind: 'field'}>,
	position: TreeCursor,
): TreeEntry | undefined {
	const parsed = parseScalarInput(getBufferText(field.buffer), field.nodes.kind(field.node));
	return 'source' in parsed ? continueAsTree(field, parsed.source, position) : undefined;
}

/** Turns true under the cursor into false, and false into true. */
export const toggleBoolean = (app: App): void =>
	changeInEditor(app, () =>
		app
			.state()
			.edits.updateTree(entry =>
				replaceField(entry, entry.tree.nodes.kind(getNodeAtCursor(entry)) === 'true' ? 'false' : 'true'),
			),
	);

/** Asks for JSON, written as for any field; `kind` is that of the value it replaces. */
function askForJson(
	{state}: App,
	title: string,
	{value, kind}: {readonly value: string; readonly kind: JsonField['kind']},
	submit: (source: string) => void,
): void {
	state().dialog.openField({
		title,
		lines: [
			kind === 'string'
				? 'The text of the string.'
				: 'JSON: a number, true, false, null, a "text" in double quotes, [] or {}.',
		],
		value,
		actionLabel: 'continue',
		check(typed) {
			const parsed = parseScalarInput(typed, kind);
			return 'problem' in parsed ? parsed.problem : undefined;
		},
		submit(typed) {
			const parsed = parseScalarInput(typed, kind);
			if ('source' in parsed) submit(parsed.source);
		},
	});
}

function askForField(app: App, entry: TreeEntry): void {
	const {nodes} = entry.tree;
	const container = getTargetContainer(entry);
	const path = formatJsonPath(nodes.path(container));
	const {updateTree} = app.state().edits;
	const newValue = {value: '', kind: 'null'} as const;
	if (nodes.kind(container) === 'array') {
		askForJson(app, `New element of ${path}`, newValue, source => updateTree(one => addField(one, {source})));
		return;
	}
	askForFieldName(app, {title: `New field of ${path}`, value: '', object: container}, name =>
		askForJson(app, `Value of ${formatJsonPath([...nodes.path(container), name])}`, newValue, source =>
			updateTree(one => addField(one, {name, source})),
		),
	);
}

/** Asks for the name of a property of `object`; `node` is the property that is renamed. */
function askForFieldName(
	{state}: App,
	{title, value, object, node}: {title: string; value: string; object: number; node?: number},
	submit: (name: string) => void,
): void {
	state().dialog.openField({
		title,
		lines: ['The name as plain text, without quotes.'],
		value,
		actionLabel: 'continue',
		check(name) {
			const nodes = getTreeEntry(state())?.tree.nodes;
			if (!name.isWellFormed()) return 'The name contains half of a surrogate pair, which cannot be stored.';
			return nodes && hasField(nodes, object, name, node)
				? 'A field with this name already exists.'
				: undefined;
		},
		submit,
	});
}

function askForNewFieldName(app: App, entry: TreeEntry): void {
	const {nodes} = entry.tree;
	const node = getNodeAtCursor(entry);
	const name = nodes.name(node);
	if (name === undefined) {
		app.state().messages.warn('The elements of an array have no names.');
		return;
	}
	const title = `Rename ${formatJsonPath(nodes.path(node))}`;
	askForFieldName(app, {title, value: name, object: nodes.parent(node), node}, newName => {
		if (newName !== name) app.state().edits.updateTree(one => renameField(one, newName));
	});
}

/** Edits the scalar in the tree of the editor: switches a boolean, asks for any other value. */
function editField(app: App): void {
	const entry = getTreeEntry(app.state());
	if (!entry) return;
	const {nodes} = entry.tree;
	const node = getNodeAtCursor(entry);
	const kind = nodes.kind(node);
	if (isOnBoolean({kind})) {
		toggleBoolean(app);
		return;
	}
	const value = toEditableScalar(nodes.source(node), kind);
	askForJson(app, `Value of ${formatJsonPath(nodes.path(node))}`, {value, kind}, source => {
		if (source !== nodes.source(node)) app.state().edits.updateTree(one => replaceField(one, source));
	});
}

/** Edits the scalar under the cursor of the value besides the field that has an unsaved edit. */
export const editAnotherField = (app: App): void =>
	changeInEditor(app, () => editField(app), {joinsField: true});

function isOnContainer(state: FieldState): boolean {
	const entry = getTreeEntry(state);
	return entry ? entry.tree.nodes.isContainer(getNodeAtCursor(entry)) : false;
}

const moveBy =
	(move: (position: TreeCursor) => TreeCursor) =>
	({state}: App): void =>
		state().edits.updateTree(entry => ({...entry, ...move(entry)}));

/**
 * Actions on the fields of a JSON value. On the screen of the value they open the editor; they come before
 * those on the whole key, which have the same keys.
 */
export const fieldActions: readonly Action[] = [
	defineFieldAction('field.edit', ['e', 'enter'], 'edit the field; switches a boolean', {
		effect: 'prepares a write',
		paletteMode: 'never',
		hint: 'edit field',
		searchTerms: ['toggle', 'change field', 'switch'],
		getUnavailableReason: state =>
			isOnContainer(state)
				? `an object or array: ${nameKey('editor.elsewhere', 'ctrl-o')} edits the whole text`
				: undefined,
		run: editField,
	}),
	defineFieldAction('field.fold', ['enter'], 'open or close the field', {
		paletteMode: 'never',
		searchTerms: ['expand', 'collapse'],
		getUnavailableReason: state => (isOnContainer(state) ? undefined : 'nothing to fold'),
		run: moveBy(toggleFoldAtCursor),
	}),
	defineFieldAction('field.right', ['right', 'l'], 'open the field and go into it', {
		paletteMode: 'never',
		run: moveBy(unfoldOrEnterAtCursor),
	}),
	defineFieldAction('field.left', ['left', 'h'], 'close the field or go to its parent', {
		paletteMode: 'never',
		run: moveBy(foldOrLeaveAtCursor),
	}),
	defineFieldAction('field.add', ['a'], 'add a field or an element', {
		effect: 'prepares a write',
		paletteMode: 'never',
		where: ['key', 'editor menu'],
		hint: 'add field',
		searchTerms: ['add field', 'add element', 'insert field', 'append', 'new field'],
		getUnavailableReason: getNoTreeReason,
		run: app => changeInEditor(app, entry => askForField(app, entry), {joinsField: true}),
	}),
	defineFieldAction('field.delete', ['d'], 'delete the field', {
		effect: 'prepares a write',
		paletteMode: 'never',
		where: ['key', 'editor menu'],
		hint: 'delete field',
		searchTerms: ['remove field', 'delete element', 'remove element'],
		isDestructive: true,
		getUnavailableReason: getNoFieldReason,
		run: app => changeInEditor(app, () => app.state().edits.updateTree(deleteField)),
	}),
	defineFieldAction('field.rename', ['R'], 'rename the field', {
		effect: 'prepares a write',
		paletteMode: 'never',
		where: ['key', 'editor menu'],
		hint: 'rename field',
		searchTerms: ['rename property', 'change field name'],
		getUnavailableReason: getNoFieldReason,
		run: app => changeInEditor(app, entry => askForNewFieldName(app, entry)),
	}),
	defineFieldAction('field.undo', ['u', 'ctrl-_'], 'undo the last change to the fields', {
		effect: 'prepares a write',
		paletteMode: 'never',
		hint: 'undo change',
		getUnavailableReason: state =>
			getTreeEntry(state)?.past.length === 0 ? 'nothing to undo in the editor' : undefined,
		run: ({state}) => state().edits.updateTree(undoTreeChange),
	}),
];
