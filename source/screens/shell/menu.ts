import type {Action} from './action.ts';

/** The keys of a menu of Ink, which moves and chooses by itself. Digits are not among them: it would choose at once. */
export const menuAction = (about: Omit<Action, 'keys' | 'run'>): Action => ({
	...about,
	keys: ['enter', 'up', 'down', 'j', 'k'],
	run: (app, key) => app.terminal.forward(key),
});
