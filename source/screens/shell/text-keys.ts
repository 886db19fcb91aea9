import type {LedgeState} from '../../store/ledge-store.ts';
import {getScreenContext} from './action.ts';
import type {TextKeys} from './screen.ts';
import {getCurrentScreen} from './screen-name.ts';

/** Keys of every text (edit-keys.ts); the readme lists their aliases. */
export const commonTextKeys: readonly TextKeys[] = [
	{keys: ['left', 'right', 'alt-b', 'alt-f'], title: 'move by character, by word'},
	{keys: ['ctrl-a', 'ctrl-e'], title: 'move to the start or end of the line'},
	{keys: ['ctrl-w', 'ctrl-u'], title: 'delete back to a blank, or the whole line'},
	{keys: ['ctrl-_', 'ctrl-y'], title: 'undo, redo'},
];

/** Keys of an expression. */
export const expressionKeys: readonly TextKeys[] = [
	{keys: ['up', 'down'], title: 'move through the completions, otherwise by line'},
	{keys: ['pageup', 'pagedown'], title: 'move five completions'},
	{keys: ['ctrl-n', 'ctrl-p'], title: 'show completions and move through them'},
	{keys: ['alt-enter'], title: 'insert a line break'},
	...commonTextKeys,
];

/** Lists the keys of the text being typed on the current screen, if any. */
export function listTextKeys(state: LedgeState): readonly TextKeys[] {
	const screen = getCurrentScreen(state);
	return getScreenContext(state) === screen
		? (state.navigation.screens[screen].textInput?.listKeys?.(state) ?? [])
		: [];
}
