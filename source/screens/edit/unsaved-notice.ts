import {getCurrentUnsavedEdit} from './slice.ts';

/** Prepends a notice of the unsaved edit to the status line of a screen of keys. */
export function withUnsavedNotice<State>(formatStatus: (state: State) => string) {
	return (state: State & Parameters<typeof getCurrentUnsavedEdit>[0]): string => {
		const text = formatStatus(state);
		if (!getCurrentUnsavedEdit(state)) return text;
		return ['! unsaved edit: e continues, X discards', text].filter(Boolean).join('   ');
	};
}
