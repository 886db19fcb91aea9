import {nameKey} from '../../keyboard/named-keys.ts';
import {getFailureReason} from '../drafts/form.ts';
import type {ScreenDefinition} from '../shell/screen.ts';
import {commonTextKeys} from '../shell/text-keys.ts';
import {getCurrentEdit} from './slice.ts';
import {moveInTree} from './tree-entry.ts';

const originNames = {edit: 'edit', create: 'new', metadata: 'metadata', expiry: 'expiration'} as const;

export const editorScreen: ScreenDefinition = {
	group: 'Editor',
	buildPath(before, state) {
		const edit = getCurrentEdit(state);
		return [...before.slice(0, 2), ...(edit ? [edit.key, originNames[edit.origin]] : [])];
	},
	textInput: {
		isTyping: state => getCurrentEdit(state)?.entry.kind !== 'tree',
		handleKey: (state, key) => state.edits.type(key),
		listKeys: () => commonTextKeys,
	},
	move: (state, distance) => state.edits.updateTree(entry => moveInTree(entry, distance)),
	getUnsaved: (state, draftFailure) =>
		state.edits.hasUnsavedEdits()
			? {
					lines: [
						draftFailure
							? `There is an unsaved edit, and it will be LOST: ${draftFailure.message} ${getFailureReason(draftFailure)}`
							: `There is an unsaved edit. It is kept as a draft: ${nameKey('edits.unsaved', 'U')} opens it, even after a restart.`,
					],
				}
			: undefined,
};
