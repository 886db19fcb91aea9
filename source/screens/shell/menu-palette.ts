import type {Action, Context} from './action.ts';
import {entriesOf, type Screens} from './screen.ts';

/** `:` in the steps of a form where nothing is typed, as on all other screens. */
export const menuPalette = (screens: Screens): Action => ({
	id: 'menu.palette',
	keys: [':', 'ctrl-k'],
	title: 'command palette',
	words: ['find any action by name'],
	group: 'Everywhere',
	where: entriesOf(screens).flatMap(([screen, {text}]): Context[] => (text ? [`${screen} menu`] : [])),
	run: ({state}) => state().open({kind: 'palette', query: '', cursor: 0}),
});
