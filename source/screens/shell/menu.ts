import type {Key} from '../../keyboard/key.ts';
import {everywhere} from './action.ts';
import type {Action, App, Context} from './app.ts';
import {entriesOf, type Screens} from './screen.ts';

/** The keys of a menu of Ink, which moves and chooses by itself. Digits are not among them: it would choose at once. */
export const menuKeys = ['enter', 'up', 'down', 'j', 'k'] as const;
export const toMenu = ({terminal}: App, key: Key): void => terminal.forward(key);

/** `:` in the steps of a form where nothing is typed, as on all other screens. */
export const menuPalette = (screens: Screens): Action =>
	everywhere('menu.palette', [':', 'ctrl-k'], 'command palette', {
		words: ['find action'],
		where: entriesOf(screens).flatMap(([screen, {text}]): Context[] => (text ? [`${screen} menu`] : [])),
		run: ({state}) => state().dialog.open({kind: 'palette', query: '', cursor: 0}),
	});
