import {isLargeEnough} from '../../components/layout.ts';
import type {Key} from '../../keyboard/key.ts';
import type {LedgeState, StateWith} from '../../store/ledge-store.ts';
import type {Action, App, InputContext} from './app.ts';
import {ownCommandsGroup, type Screens} from './screen.ts';
import {getCurrentScreen, type Screen} from './screen-name.ts';

type ActionKeys = Pick<Action, 'id' | 'keys' | 'title'>;
type ActionPlacement = Pick<Action, 'group' | 'where'>;

/**
 * Creates a function that defines actions of one group, bound in `where` unless an action names another
 * context.
 */
export const createActionFactory =
	(group: Action['group'], where: Action['where']) =>
	(
		id: string,
		keys: Action['keys'],
		title: string,
		options: Omit<Action, keyof (ActionKeys & ActionPlacement)> & Partial<ActionPlacement>,
	): Action => ({group, where, ...options, id, keys, title});

export const defineGlobalAction = createActionFactory('Everywhere', 'everywhere');

/**
 * Handlers of an action on the selection. Without a selection it is unavailable because of `missingReason`;
 * `getRefusal` returns why it cannot be done at all, whatever is selected.
 */
export const withSelection = <Found>(
	find: (state: LedgeState) => Found | undefined,
	missingReason: string,
	execute: (app: App, selection: Found, key: Key) => void,
	getRefusal?: (state: LedgeState) => string | undefined,
): Pick<Action, 'getUnavailableReason' | 'run'> => ({
	getUnavailableReason: state =>
		getRefusal?.(state) ?? (find(state) === undefined ? missingReason : undefined),
	run(app, key) {
		const selection = find(app.state());
		if (selection !== undefined) execute(app, selection, key);
	},
});

/** Other words for filtering a list. */
export const filterTerms = ['search', 'find', 'find by name', 'look for', 'narrow', 'where is'] as const;

/** Starts typing the filter of a list. */
export const filterBehavior: Pick<Action, 'hint' | 'searchTerms' | 'paletteMode' | 'run'> = {
	hint: 'filter',
	paletteMode: 'at once',
	searchTerms: filterTerms,
	run: app => app.state().dialog.beginFilter(),
};

/** Returns why no area can be opened. */
export const getSettingsProblem = ({
	connection: {data: connection},
}: StateWith<'connection'>): string | undefined =>
	connection?.problem ? 'the settings cannot be read' : undefined;

/** Returns why nothing can be written. */
export const getReadOnlyReason = ({
	connection: {data: connection},
}: StateWith<'connection'>): string | undefined => (connection?.readOnly ? 'ledge is read-only' : undefined);

/**
 * Hides the hint of the undo if it would only say what to do instead, or on the screen of a run that it does
 * not undo.
 */
export function getUndoHintPlace(
	state: StateWith<'review', 'lastWrite'> & StateWith<'bulk', 'data'> & StateWith<'navigation', 'stack'>,
): 'none' | undefined {
	if (state.review.lastWrite?.type === 'irreversible') return 'none';
	switch (getCurrentScreen(state)) {
		case 'transfer':
			return 'none';
		case 'bulk': {
			const {stage, trashBatch} = state.bulk.data ?? {};
			const hasEnded = stage?.state === 'done' || stage?.state === 'stopped';
			return hasEnded && trashBatch ? undefined : 'none';
		}
		default:
			return undefined;
	}
}

/** First words of titles that name no action, such as "one row down" or "statistics". */
const wordsForNoAction: ReadonlySet<string> = new Set(
	'one next previous to bulk statistics metrics emergency what command'.split(' '),
);

/** Says in a sentence that an action is unavailable: "Can't edit: the cursor is not on a key." */
export function describeUnavailable(
	{title, hint = '', group}: Pick<Action, 'title' | 'hint'> & Partial<Pick<Action, 'group'>>,
	reason: string,
): string {
	const sentenceEnd = /[.!?]$/.test(reason) ? '' : '.';
	if (group === ownCommandsGroup) return `Can't run "${title}": ${reason}${sentenceEnd}`;
	const [firstWord = ''] = title.split(/[ :;]/, 1);
	if (wordsForNoAction.has(firstWord))
		return `${reason.replace(/^(?!ledge\b)./u, letter => letter.toUpperCase())}${sentenceEnd}`;
	const isHintPhrase = hint.split(' ', 1)[0] === firstWord && !hint.includes('…') && !hint.includes('/');
	const [phrase] = isHintPhrase ? [hint] : title.split(/ \(|[:;] /, 1);
	return `Can't ${phrase}: ${reason}${sentenceEnd}`;
}

/** Handlers of an action that copies a text to the clipboard. */
export const withClipboardCopy = (
	find: (state: LedgeState) => string | undefined,
	missingReason: string,
	getRefusal?: (state: LedgeState) => string | undefined,
) =>
	withSelection(
		find,
		missingReason,
		({state, terminal}, text) => state().messages.say(terminal.copy(text)),
		getRefusal,
	);

/** Returns what handles the keys now. */
export function getInputContext(state: LedgeState): InputContext {
	if (!isLargeEnough(state.navigation.viewport)) return 'too small';
	const dialog = state.dialog.current;
	if (dialog) return dialog.kind === 'help' && dialog.isSearching ? 'help search' : dialog.kind;
	return state.dialog.isFiltering ? 'filter' : getScreenContext(state);
}

/**
 * Returns the context of the current screen, ignoring dialogs over it: `SCREEN menu` if the screen has a text
 * input but letters are shortcuts in the current step, else the screen.
 */
export function getScreenContext(state: LedgeState): InputContext {
	const screen = getCurrentScreen(state);
	const {textInput} = state.navigation.screens[screen];
	return !textInput || textInput.isTyping(state) ? screen : `${screen} menu`;
}

/**
 * True if the action's keys work in a context. `everywhere` means all screens on which letters are not text.
 */
export const isActionBound = ({where}: Action, context: InputContext, screens: Screens): boolean =>
	where === 'everywhere'
		? context in screens && screens[context as Screen].textInput === undefined
		: where.includes(context);

/** True if the action's keys work in the context and it belongs to the current step. */
export const isActionActive = (action: Action, context: InputContext, state: LedgeState): boolean =>
	isActionBound(action, context, state.navigation.screens) && action.isActive?.(state) !== false;

/** Of actions with the same key, prefers those of the screen to the global ones. */
export function preferScreenActions(actions: readonly Action[]): readonly Action[] {
	const screenActions = actions.filter(({where}) => where !== 'everywhere');
	return screenActions.length > 0 ? screenActions : actions;
}

/** Creates a predicate for actions that exist only in some parts of a screen. */
export const createPartPredicate =
	<State, Part>(getPart: (state: State) => Part | undefined) =>
	(...parts: readonly Part[]) =>
	(state: State): boolean =>
		parts.some(part => part === getPart(state));
