import {fits} from '../../components/layout.ts';
import type {Key} from '../../keyboard/key.ts';
import type {Has, LedgeState} from '../../store/ledge-store.ts';
import type {Action, App, Context} from './app.ts';
import type {Screens} from './screen.ts';
import {type Screen, screenOf} from './screen-name.ts';

type Keyed = Pick<Action, 'id' | 'keys' | 'title'>;
type Placed = Pick<Action, 'group' | 'where'>;

/**
 * Creates a function that defines actions of one group, bound in `where` unless an action names another
 * context.
 */
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
 * Handlers of an action on the selection. Without a selection it is unavailable because of `missing`;
 * `getRefusal` returns why it cannot be done on any.
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

/** Starts typing the filter of a list. */
export const filtering: Pick<Action, 'hint' | 'words' | 'elsewhere' | 'run'> = {
	hint: 'filter',
	elsewhere: 'at once',
	words: ['search', 'find', 'find by name', 'look for', 'narrow'],
	run: app => app.state().dialog.beginFilter(),
};

/** Returns why no area can be opened. */
export const noSettings = ({connection: {data: connection}}: Has<'connection'>): string | undefined =>
	connection?.problem ? 'the settings cannot be read' : undefined;

/** Returns why nothing can be written. */
export const readOnly = ({connection: {data: connection}}: Has<'connection'>): string | undefined =>
	connection?.readOnly ? 'ledge is read-only' : undefined;

/** Handlers of an action that copies a text to the clipboard. */
export const copying = (
	find: (state: LedgeState) => string | undefined,
	missing: string,
	refused?: (state: LedgeState) => string | undefined,
) =>
	withFound(find, missing, ({state, terminal}, text) => state().messages.say(terminal.copy(text)), refused);

/** Returns what handles the keys now. */
export function contextOf(state: LedgeState): Context {
	if (!fits(state.navigation.viewport)) return 'too small';
	if (state.dialog.current) return state.dialog.current.kind;
	return state.dialog.isFiltering ? 'filter' : screenContext(state);
}

/** Returns the context of the current screen, ignoring dialogs over it. */
export function screenContext(state: LedgeState): Context {
	const screen = screenOf(state);
	const {text} = state.navigation.screens[screen];
	return !text || text.isTyping(state) ? screen : `${screen} menu`;
}

/**
 * True if the action's keys work in a context. `everywhere` means all screens on which letters are not text.
 */
export const worksIn = ({where}: Action, context: Context, screens: Screens): boolean =>
	where === 'everywhere'
		? context in screens && screens[context as Screen].text === undefined
		: where.includes(context);

/** True if the action's keys work in the context and it belongs to the current step. */
export const belongsTo = (action: Action, context: Context, state: LedgeState): boolean =>
	worksIn(action, context, state.navigation.screens) && action.isHere?.(state) !== false;

/** Of actions with the same key, prefers those of the screen to the global ones. */
export function keyed(actions: readonly Action[]): readonly Action[] {
	const ofScreen = actions.filter(({where}) => where !== 'everywhere');
	return ofScreen.length > 0 ? ofScreen : actions;
}

/** Creates a predicate for actions that exist only in some parts of a screen. */
export const belongingTo =
	<State, Part>(partOf: (state: State) => Part | undefined) =>
	(...parts: readonly Part[]) =>
	(state: State): boolean =>
		parts.some(part => part === partOf(state));
