import type {Action} from './action.ts';

/** `:` in the steps of a screen where nothing is typed, as on all other screens. */
export const menuPalette: Action = {
	id: 'menu.palette',
	keys: [':', 'ctrl-k'],
	title: 'find any action by name',
	group: 'Everywhere',
	where: ['wizard menu', 'emergency menu', 'migration menu'],
	run: ({state}) => state().open({kind: 'palette', query: '', cursor: 0}),
};
