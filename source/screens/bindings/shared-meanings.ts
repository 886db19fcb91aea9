import type {Action} from '../shell/app.ts';

/** Keys that mean the same on every screen; a setting `all.NAME` replaces them everywhere. */
export type SharedMeaning = {
	readonly name: string;
	/** The keys by default. The new keys take the place of the first one that an action has. */
	readonly keys: readonly string[];
	/** How the titles of its actions begin, if its keys also mean something else. */
	readonly titlePattern?: RegExp;
	readonly meaning: string;
};

export const sharedMeanings: readonly SharedMeaning[] = [
	{name: 'up', keys: ['up', 'k'], meaning: 'one row up'},
	{name: 'down', keys: ['down', 'j'], meaning: 'one row down'},
	{name: 'left', keys: ['left', 'h'], meaning: 'close, or go out'},
	{name: 'right', keys: ['right', 'l'], meaning: 'open, or go in'},
	{name: 'page-up', keys: ['pageup', 'ctrl-b'], meaning: 'one page up'},
	{name: 'page-down', keys: ['pagedown', 'ctrl-f'], meaning: 'one page down'},
	{name: 'first', keys: ['g', 'home'], meaning: 'to the first row'},
	{name: 'last', keys: ['G', 'end'], meaning: 'to the last row'},
	{
		name: 'next-tab',
		keys: ['tab'],
		titlePattern:
			/^(next (list|section)$|next list:|show the value in the next |go to the (custom|firewall) rules$|go to the filters$)/,
		meaning: 'next list, view or area',
	},
	{
		name: 'previous-tab',
		keys: ['shift-tab'],
		titlePattern:
			/^(previous (list|section)$|show the value in the previous |go to the (filters|rules|custom rules)$)/,
		meaning: 'previous list, view or area',
	},
	{name: 'new', keys: ['a'], titlePattern: /^(create|add) /, meaning: 'create or add'},
	{name: 'edit', keys: ['e'], titlePattern: /^edit /, meaning: 'edit'},
	{name: 'edit-outside', keys: ['E'], titlePattern: /^edit /, meaning: 'edit in `$EDITOR`'},
	{name: 'delete', keys: ['d'], meaning: 'delete or remove'},
	{name: 'rename', keys: ['R'], meaning: 'rename'},
	{name: 'duplicate', keys: ['D'], titlePattern: /^duplicate /, meaning: 'duplicate'},
	{name: 'undo', keys: ['u'], meaning: 'undo'},
	{name: 'select', keys: ['space'], titlePattern: /^select /, meaning: 'select the row'},
	{name: 'select-all', keys: ['A'], titlePattern: /^select /, meaning: 'select all rows'},
	{name: 'copy', keys: ['y'], titlePattern: /^copy /, meaning: 'copy text'},
	{name: 'copy-more', keys: ['Y'], titlePattern: /^copy /, meaning: 'copy another or the whole text'},
	{name: 'copy-to', keys: ['c'], meaning: 'copy data to another store'},
	{name: 'save', keys: ['w'], meaning: 'save to a file'},
	{name: 'load', keys: ['o'], meaning: 'load from a file'},
	{name: 'filter', keys: ['/'], titlePattern: /^(filter|find) /, meaning: 'filter or find'},
	{name: 'sort', keys: ['s'], meaning: 'sort'},
	{name: 'pause', keys: ['p'], meaning: 'pause, resume, turn on or off'},
	{name: 'cancel', keys: ['ctrl-x'], meaning: 'cancel what runs'},
	{name: 'details', keys: ['i'], meaning: 'what happened, and why'},
	{name: 'reload', keys: ['ctrl-r'], meaning: 'refresh'},
	{name: 'back', keys: ['esc'], meaning: 'go back'},
	{name: 'help', keys: ['?'], meaning: 'shortcuts'},
	{name: 'palette', keys: [':', 'ctrl-k'], meaning: 'command palette'},
	{name: 'suspend', keys: ['ctrl-z'], meaning: 'suspend ledge'},
	{name: 'quit', keys: ['q'], titlePattern: /^quit/, meaning: 'quit'},
];

/** True for an action that has one of the keys with this meaning. */
export const hasMeaning = (
	{keys, titlePattern}: SharedMeaning,
	action: Pick<Action, 'keys' | 'title'>,
): boolean => keys.some(key => action.keys.includes(key)) && (titlePattern?.test(action.title) ?? true);
