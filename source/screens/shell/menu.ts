import type {Key} from '../../keyboard/key.ts';
import {everywhere} from './action.ts';
import type {Action, App, Context} from './app.ts';
import {entriesOf, type Screens} from './screen.ts';

/** Keys of an Ink menu, which moves and chooses by itself. Excludes digits, which choose at once. */
export const menuKeys = ['enter', 'up', 'down', 'j', 'k'] as const;
export const toMenu = ({terminal}: App, key: Key): void => terminal.forward(key);

/** Opens the palette with `:` in form steps without text input, as on all other screens. */
export const menuPalette = (screens: Screens): Action =>
	everywhere('menu.palette', [':', 'ctrl-k'], 'command palette', {
		words: ['find action'],
		where: entriesOf(screens).flatMap(([screen, {text}]): Context[] => (text ? [`${screen} menu`] : [])),
		run: ({state}) => state().dialog.open({kind: 'palette', query: '', cursor: 0}),
	});
