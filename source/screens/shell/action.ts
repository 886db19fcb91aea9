import {fits} from '../../components/layout.ts';
import type {Key} from '../../keyboard/key.ts';
import type {Has, LedgeState} from '../../store/ledge-store.ts';
import type {Action, App, Context} from './app.ts';
import type {Screens} from './screen.ts';
import {type Screen, screenOf} from './screen-name.ts';

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
export const filtering: Pick<Action, 'hint' | 'words' | 'elsewhere' | 'run'> = {
	hint: 'filter',
	elsewhere: 'at once',
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

/** For what belongs to some parts of a screen only: in the others it is not named at all. */
export const belongingTo =
	<State, Part>(partOf: (state: State) => Part | undefined) =>
	(...parts: readonly Part[]) =>
	(state: State): boolean =>
		parts.some(part => part === partOf(state));
