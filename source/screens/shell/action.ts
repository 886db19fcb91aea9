import {fits} from '../../components/layout.ts';
import type {Key} from '../../keyboard/key.ts';
import type {Restart} from '../../session/restarted.ts';
import type {Has, LedgeState, LedgeStore} from '../../store/ledge-store.ts';
import type {Dialog} from './dialog-slice.ts';
import {screenOf} from './navigation-slice.ts';
import type {Screen, Screens} from './screen.ts';

/** What takes the keys: the dialog in front, the filter that is being typed, or the screen. */
export type Context = Screen | `${Screen} menu` | 'too small' | 'filter' | Dialog['kind'];

/** What only a terminal can do; the screens ask for it, and nobody else. */
export type Terminal = {
	/** Puts text on the clipboard of the person, over SSH too. Returns a sentence about what became of it. */
	copy(text: string): string;
	/** Lends the terminal to another program until the work is done. */
	handOver<T>(work: () => Promise<T>): Promise<T>;
	suspend(): void;
	quit(): void;
	/** Ends this session of the screens and begins another one at Home; `then` is what is done first in it. */
	restart(into: Restart, then?: (app: App) => void): void;
	/** Passes a key to the field or menu of Ink in front. */
	forward(key: Key): void;
};

/** What actions act on. */
export type App = {
	readonly store: LedgeStore;
	readonly terminal: Terminal;
	readonly actions: readonly Action[];
	state(): LedgeState;
};

/**
 * One thing that a person can do: what the handler, the hints, the help, the palette and the readme are made
 * from. Keys are named as in keyboard/key.ts.
 */
export type Action = {
	readonly id: string;
	readonly keys: readonly [string, ...string[]];
	/** What it does, as the palette and the help say it. */
	readonly title: string;
	/** The word behind its key on the last line; without one the action is not shown there. */
	readonly hint?: string;
	/** Other names that people look for it by, beside the words of its title and its hint. */
	readonly words?: readonly string[];
	/** A heading of the help. */
	readonly group: string;
	/** It deletes, discards or sends something: who looks for other words than its own never finds it first. */
	readonly destroys?: true;
	/** On enter it only shows more of the row under the cursor: a second click on the row does it, too. */
	readonly opens?: true;
	/** It only moves: who looks for an action by words finds it last. */
	readonly isMove?: true;
	/** Where its keys work. `everywhere` is all screens, and no dialog. */
	readonly where: 'everywhere' | readonly Context[];
	/**
	 * Whether it belongs to the step of its screen that is in front; without it, to all of them. Where it does not, its
	 * keys are not its own, and neither the help nor the hints name it.
	 */
	isHere?(state: LedgeState): boolean;
	/** Why it cannot be done now, although it belongs here. */
	unavailable?(state: LedgeState): string | undefined;
	run(app: App, key: Key): void;
	/** How the palette does it from other screens. */
	readonly elsewhere?: Elsewhere | undefined;
};

/** How an action is done from another screen than its own: by going there, where something is chosen first. */
export type Elsewhere = {
	/** What has to be chosen: "a namespace"; `undefined` where that is clear, or nothing has to be. */
	needs(state: LedgeState): string | undefined;
	/** Whether the way ends on that screen, where a row is chosen for it. */
	isChosenThere(state: LedgeState): boolean;
	/** Why it cannot be done from here. */
	readonly unavailable?: Action['unavailable'] | undefined;
	run(app: App, key: Key): void;
};

type Keyed = Pick<Action, 'id' | 'keys' | 'title'>;
type Placed = Pick<Action, 'group' | 'where'>;

/** Makes the actions of one group, whose keys work in one place unless an action names another. */
export const actionsOf =
	(group: Action['group'], where: Action['where']) =>
	(
		id: string,
		keys: Action['keys'],
		title: string,
		rest: Omit<Action, keyof (Keyed & Placed)> & Partial<Placed>,
	): Action => ({group, where, ...rest, id, keys, title});

export const everywhere = actionsOf('Everywhere', 'everywhere');

/**
 * What an action does with what is under the cursor; where nothing is, it cannot be done, for this reason. `refused` is
 * why it cannot be done with anything.
 */
export const withFound = <Found>(
	find: (state: LedgeState) => Found | undefined,
	missing: string,
	work: (app: App, found: Found, key: Key) => void,
	refused?: (state: LedgeState) => string | undefined,
): Pick<Action, 'unavailable' | 'run'> => ({
	unavailable: state => refused?.(state) ?? (find(state) === undefined ? missing : undefined),
	run(app, key) {
		const found = find(app.state());
		if (found !== undefined) work(app, found, key);
	},
});

/** Begins to type the filter of a list. */
export const filtering: Pick<Action, 'hint' | 'words' | 'run'> = {
	hint: 'filter',
	words: ['search', 'find', 'find by name', 'look for', 'narrow'],
	run: app => app.state().dialog.beginFilter(),
};

/** Why no area can be opened. */
export const noSettings = ({connection: {data: connection}}: Has<'connection'>): string | undefined =>
	connection?.problem ? 'the settings cannot be read' : undefined;

/** Why nothing can be written. */
export const readOnly = ({connection: {data: connection}}: Has<'connection'>): string | undefined =>
	connection?.readOnly ? 'ledge is read-only' : undefined;

/** Puts a text on the clipboard. */
export const copying = (
	find: (state: LedgeState) => string | undefined,
	missing: string,
	refused?: (state: LedgeState) => string | undefined,
) =>
	withFound(find, missing, ({state, terminal}, text) => state().messages.say(terminal.copy(text)), refused);

/** What takes the keys now. */
export function contextOf(state: LedgeState): Context {
	if (!fits(state.navigation.viewport)) return 'too small';
	if (state.dialog.current) return state.dialog.current.kind;
	return state.dialog.isFiltering ? 'filter' : screenContext(state);
}

/** What the keys of the screen in front mean, whatever lies over it. */
export function screenContext(state: LedgeState): Context {
	const screen = screenOf(state);
	const {text} = state.navigation.screens[screen];
	return !text || text.isTyping(state) ? screen : `${screen} menu`;
}

/** Whether the keys of an action work in a context. `everywhere` is all screens on which letters are not text. */
export const worksIn = ({where}: Action, context: Context, screens: Screens): boolean =>
	where === 'everywhere'
		? context in screens && screens[context as Screen].text === undefined
		: where.includes(context);

/** Whether an action belongs to a context now: its keys work there, and it belongs to the step in front. */
export const belongsTo = (action: Action, context: Context, state: LedgeState): boolean =>
	worksIn(action, context, state.navigation.screens) && action.isHere?.(state) !== false;

/** Of actions with the same key, those that have it: a key of a screen never means what it means everywhere else. */
export function keyed(actions: readonly Action[]): readonly Action[] {
	const ofScreen = actions.filter(({where}) => where !== 'everywhere');
	return ofScreen.length > 0 ? ofScreen : actions;
}
