import type {LedgeState} from '../../store/ledge-store.ts';
import {getScreenContext} from './action.ts';
import type {TextKeys} from './screen.ts';
import {getCurrentScreen} from './screen-name.ts';

/** Keys of every text (edit-keys.ts); the readme lists their aliases. */
export const commonTextKeys: readonly TextKeys[] = [
	{keys: ['left', 'right', 'alt-b', 'alt-f'], title: 'by characters, by words'},
	{keys: ['ctrl-a', 'ctrl-e'], title: 'to the beginning or end of the line'},
	{keys: ['ctrl-w', 'ctrl-u'], title: 'delete the word, or the line up to the cursor'},
	{keys: ['ctrl-_', 'ctrl-y'], title: 'undo, redo'},
];

/** Keys of an expression. */
export const expressionKeys: readonly TextKeys[] = [
	{keys: ['up', 'down'], title: 'in the completions; without them by lines'},
	{keys: ['pageup', 'pagedown'], title: 'five completions up or down'},
	{keys: ['ctrl-n', 'ctrl-p'], title: 'show the completions, and move in them'},
	{keys: ['alt-enter'], title: 'a new line in the expression'},
	...commonTextKeys,
];

/** Lists the keys of the text being typed on the current screen, if any. */
export function listTextKeys(state: LedgeState): readonly TextKeys[] {
	const screen = getCurrentScreen(state);
	return getScreenContext(state) === screen
		? (state.navigation.screens[screen].text?.listKeys?.(state) ?? [])
		: [];
}
