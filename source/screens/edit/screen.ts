import {whyIn} from '../drafts/form.ts';
import type {ScreenDefinition} from '../shell/screen.ts';
import {editHere} from './slice.ts';

const names = {edit: 'edit', create: 'new', metadata: 'metadata', expiry: 'expiry'} as const;

export const editorScreen: ScreenDefinition = {
	group: 'Editor',
	path(before, state) {
		const edit = editHere(state);
		return [...before.slice(0, 2), ...(edit ? [edit.key, names[edit.origin]] : [])];
	},
	text: {isTyping: () => true, type: (state, key) => state.edits.type(key)},
	unsaved: (state, lost) =>
		state.edits.hasUnsaved()
			? {
					lines: [
						lost
							? `An edit is not saved, and it will be LOST: ${lost.message} ${whyIn(lost)}`
							: 'An edit is not saved. It is kept as a draft: U opens it, even after a restart.',
					],
				}
			: undefined,
};
