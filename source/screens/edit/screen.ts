import {getFailureReason} from '../drafts/form.ts';
import type {ScreenDefinition} from '../shell/screen.ts';
import {getCurrentEdit} from './slice.ts';

const names = {edit: 'edit', create: 'new', metadata: 'metadata', expiry: 'expiry'} as const;

export const editorScreen: ScreenDefinition = {
	group: 'Editor',
	buildPath(before, state) {
		const edit = getCurrentEdit(state);
		return [...before.slice(0, 2), ...(edit ? [edit.key, names[edit.origin]] : [])];
	},
	text: {isTyping: () => true, type: (state, key) => state.edits.type(key)},
	getUnsaved: (state, lost) =>
		state.edits.hasUnsaved()
			? {
					lines: [
						lost
							? `An edit is not saved, and it will be LOST: ${lost.message} ${getFailureReason(lost)}`
							: 'An edit is not saved. It is kept as a draft: U opens it, even after a restart.',
					],
				}
			: undefined,
};
