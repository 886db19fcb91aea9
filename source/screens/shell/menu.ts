import type {Key} from '../../keyboard/key.ts';
import {defineGlobalAction} from './action.ts';
import type {Action, App, InputContext} from './app.ts';
import {listScreens, type Screens} from './screen.ts';

/** Keys of a menu beside a text that takes the keys for its ends. Excludes digits, which choose at once. */
export const menuStepKeys = ['enter', 'up', 'down', 'j', 'k'] as const;
/** Keys of a menu, which moves and chooses by itself. */
export const menuKeys = [...menuStepKeys, 'g', 'home', 'G', 'end'] as const;
export const forwardToMenu = ({terminal}: App, key: Key): void => terminal.forward(key);

/** Lists the contexts of forms where letters are keys, not text. */
export const listMenuContexts = (screens: Screens): readonly InputContext[] =>
	listScreens(screens).flatMap(([screen, {textInput}]): InputContext[] =>
		textInput ? [`${screen} menu`] : [],
	);

/** Creates the action that opens the palette with `:` in form steps where letters are not text. */
export const createMenuPaletteAction = (screens: Screens): Action =>
	defineGlobalAction('menu.palette', [':', 'ctrl-k'], 'command palette', {
		searchTerms: ['find action'],
		where: listMenuContexts(screens),
		run: ({state}) => state().dialog.open({kind: 'palette', query: '', cursor: 0}),
	});
