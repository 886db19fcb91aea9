import {nameKey} from '../../keyboard/named-keys.ts';
import {getCurrentUnsavedEdit} from './slice.ts';

/**
 * Appends a notice of the unsaved edit to the status line of a screen of keys. It fits the half that stays if
 * the middle of 80 columns is cut.
 */
export function withUnsavedNotice<State>(formatStatus: (state: State) => string) {
	return (state: State & Parameters<typeof getCurrentUnsavedEdit>[0]): string => {
		const text = formatStatus(state);
		if (!getCurrentUnsavedEdit(state)) return text;
		return [
			text,
			`unsaved edit: ${nameKey('edit.value', 'e')} continues, ${nameKey('edit.discard', 'X')} discards`,
		]
			.filter(Boolean)
			.join('   ');
	};
}
