import type {Action, Context} from './action.ts';
import {entriesOf, type Screens} from './screen.ts';

/** The keys of a menu of Ink, which moves and chooses by itself. Digits are not among them: it would choose at once. */
export const menuAction = (about: Omit<Action, 'keys' | 'run'>): Action => ({
	...about,
	keys: ['enter', 'up', 'down', 'j', 'k'],
	run: (app, key) => app.terminal.forward(key),
});

/** `:` in the steps of a form where nothing is typed, as on all other screens. */
export const menuPalette = (screens: Screens): Action => ({
	id: 'menu.palette',
	keys: [':', 'ctrl-k'],
	title: 'command palette',
	words: ['find action'],
	group: 'Everywhere',
	where: entriesOf(screens).flatMap(([screen, {text}]): Context[] => (text ? [`${screen} menu`] : [])),
	run: ({state}) => state().open({kind: 'palette', query: '', cursor: 0}),
});
