import type {LedgeState} from '../../store/ledge-store.ts';
import {type Action, belongsTo, type Context, contextOf, screenContext, worksIn} from './action.ts';
import {holdsText, searchActions, sentenceOf} from './action-search.ts';
import {groupsOf, type Screens} from './screen.ts';
import {type TextKeys, textKeysIn} from './text-keys.ts';

type PaletteRow = {readonly action: Action; readonly reason: string | undefined};

/** A place where keys work, as the palette names it; the steps of one screen are one place. */
function placeName(context: Context, screens: Screens): string {
	const name = context.replace(/ menu$/, '');
	return name in screens ? (screens[name as keyof Screens].called ?? name) : name;
}

/** Where else an action can be done. */
function elsewhere({where}: Action, screen: Context, screens: Screens): string {
	if (where === 'everywhere') return 'on other screens';
	const places = new Set(where.map(context => placeName(context, screens)));
	return places.has(placeName(screen, screens)) ? 'in another step' : `on ${[...places].join(', ')}`;
}

/**
 * Every action that is not part of a dialog and that the query finds: those that it names before those that only have its
 * letters; of each, those that can be done now first, what only moves behind them, and the others with the reason. What belongs
 * to another step of the screen in front is left out; what has two keys, each in a place of its own, is listed once.
 */
export function paletteRows(
	actions: readonly Action[],
	state: LedgeState,
	query: string,
): readonly PaletteRow[] {
	const screen = screenContext(state);
	const {screens} = state;
	const rows = actions
		.filter(action => action.group !== 'Dialogs' && !action.keys.includes(':'))
		.filter(action => !worksIn(action, screen, screens) || belongsTo(action, screen, state))
		.map(action => ({
			action,
			reason: worksIn(action, screen, screens)
				? action.unavailable?.(state)
				: elsewhere(action, screen, screens),
		}));
	const reasons = new Map(rows.map(({action, reason}) => [action, reason]));
	const found = searchActions(
		query,
		rows.map(({action}) => action),
	).map(({action, isNamed}) => ({action, isNamed, reason: reasons.get(action)}));
	const place = ({action, reason}: PaletteRow) => (reason === undefined ? (action.isMove ? 1 : 0) : 2);
	const inOrder = found.toSorted(
		(one, other) => Number(other.isNamed) - Number(one.isNamed) || place(one) - place(other),
	);
	const first = new Map(inOrder.toReversed().map(row => [sentenceOf(row.action), row]));
	return inOrder.filter(row => first.get(sentenceOf(row.action)) === row);
}

/** A line of the help: the heading of a group, an action, or keys that mean something to the text being typed. */
export type HelpRow = {readonly heading: string} | {readonly action: Action} | TextKeys;

/** Groups that many screens share: what a screen has of its own comes before them. */
const shared: ReadonlySet<Action['group']> = new Set(['Everywhere', 'Move']);

/** The actions whose keys work on the screen, in their groups, and the keys of its text, narrowed by what is sought. */
export function helpRows(actions: readonly Action[], state: LedgeState, query: string): readonly HelpRow[] {
	const screen = screenContext(state);
	const sought = query.toLowerCase();
	const here = actions.filter(action => belongsTo(action, screen, state) && holdsText(action, sought));
	const inOrder = [...groupsOf(state.screens).filter(group => !shared.has(group)), ...shared];
	const ofActions = inOrder.flatMap(group => {
		const own = here.filter(action => action.group === group);
		return own.length === 0 ? [] : [{heading: group}, ...own.map(action => ({action}))];
	});
	const ofText = textKeysIn(state).filter(({keys, title}) =>
		`${title} ${keys.join(' ')}`.toLowerCase().includes(sought),
	);
	return ofText.length === 0 ? ofActions : [...ofActions, {heading: 'The text'}, ...ofText];
}

/** The actions on the last line: those of what is in front that can be done now, help the last. */
export function hintedActions(actions: readonly Action[], state: LedgeState): readonly Action[] {
	const context = contextOf(state);
	const own = actions.filter(
		action =>
			action.hint !== undefined &&
			belongsTo(action, context, state) &&
			action.unavailable?.(state) === undefined,
	);
	const reached = own.filter(({keys: [key]}, at) => own.findIndex(({keys}) => keys[0] === key) === at);
	return [...reached.filter(({id}) => id !== 'help'), ...reached.filter(({id}) => id === 'help')];
}
