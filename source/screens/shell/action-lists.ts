import type {LedgeState} from '../../store/ledge-store.ts';
import {belongsTo, contextOf, keyed, screenContext, worksIn} from './action.ts';
import {holdsText, searchActions, sentenceOf} from './action-search.ts';
import type {Action, Context} from './app.ts';
import {entriesOf, groupsOf, type Jump, type Screens, type TextKeys} from './screen.ts';
import {textKeysIn} from './text-keys.ts';

/** A row of the palette. */
export type PaletteRow =
	| {
			readonly kind: 'action';
			readonly action: Action;
			readonly reason: string | undefined;
			/** If it runs from another screen: what is chosen first. */
			readonly elsewhere?: {readonly needs: string | undefined; readonly isChosenThere: boolean} | undefined;
	  }
	| ({readonly kind: 'jump'} & Jump);

/** Formats a context for the palette; all steps of a screen have one name. */
function placeName(context: Context, screens: Screens): string {
	const name = context.replace(/ menu$/, '');
	return name in screens ? (screens[name as keyof Screens].called ?? name) : name;
}

/** Describes where else an action can be done. */
function elsewhere({where}: Action, screen: Context, screens: Screens): string {
	if (where === 'everywhere') return 'on other screens';
	const places = new Set(where.map(context => placeName(context, screens)));
	return places.has(placeName(screen, screens)) ? 'in another step' : `on ${[...places].join(', ')}`;
}

/** Ranking penalties: the lowest total comes first. One kind of match is ten better than the next. */
const worth = {
	exactly: 0,
	'by words': 10,
	'by beginnings': 20,
	'in part': 31,
	scattered: 40,
	isMove: 5,
	/** Runs on another screen, at once or after a choice; or its target is chosen there. */
	elsewhere: 3,
	chosenThere: 9,
	/** Unavailable now; available only on other screens. */
	notNow: 11,
	notHere: 14,
	/** A destructive action matched by a prefix of its words. */
	destroys: 9,
	jump: {'the name': 5, 'its beginning': 19, 'a part of it': 26},
} as const;

/**
 * Builds the rows of the palette: matching actions, except those of dialogs, and matching places, the best
 * first and what can be done here before what cannot. Actions of another step of the current screen are left
 * out; an action with two keys in different places is listed once.
 */
export function paletteRows(
	actions: readonly Action[],
	state: LedgeState,
	query: string,
): readonly PaletteRow[] {
	const screen = screenContext(state);
	const {screens} = state.navigation;
	const listed = actions
		.filter(action => action.group !== 'Dialogs' && !action.keys.includes(':'))
		.filter(action => !worksIn(action, screen, screens) || belongsTo(action, screen, state));
	const found = searchActions(query, listed).map(({action, naming, place}) => {
		const row = rowOf(action, screen, state);
		const isPart = naming === 'by beginnings' && action.destroys;
		return {
			row,
			worth:
				worth[naming] +
				availability(row) +
				(action.isMove ? worth.isMove : 0) +
				(isPart ? worth.destroys : 0),
			place,
		};
	});
	const sought = query.trim() === '' ? [] : jumpsTo(state, screen, query);
	const inOrder = [...found, ...sought]
		.toSorted((one, other) => one.worth - other.worth || one.place - other.place)
		.map(({row}) => row);
	const first = new Map(inOrder.toReversed().map(row => [nameOf(row), row]));
	return inOrder.filter(row => first.get(nameOf(row)) === row);
}

const nameOf = (row: PaletteRow): string =>
	row.kind === 'action' ? sentenceOf(row.action) : `${row.what} ${row.name}`;

function rowOf(action: Action, screen: Context, state: LedgeState): Extract<PaletteRow, {kind: 'action'}> {
	const {screens} = state.navigation;
	if (worksIn(action, screen, screens)) return {kind: 'action', action, reason: action.unavailable?.(state)};
	const way = isForm(screen, screens) ? undefined : action.fromElsewhere;
	if (!way) return {kind: 'action', action, reason: elsewhere(action, screen, screens)};
	return {
		kind: 'action',
		action,
		reason: way.unavailable?.(state),
		elsewhere: {needs: way.needs(state), isChosenThere: way.isChosenThere(state)},
	};
}

function availability({reason, elsewhere: way}: Extract<PaletteRow, {kind: 'action'}>): number {
	if (reason !== undefined) return way ? worth.notHere : worth.notNow;
	if (!way) return 0;
	return way.isChosenThere ? worth.chosenThere : worth.elsewhere;
}

/** True for the context of a form, which is left before anything else is done. */
const isForm = (screen: Context, screens: Screens): boolean => {
	const name = screen.replace(/ menu$/, '');
	return name in screens && screens[name as keyof Screens].text !== undefined;
};

/** Words that may precede a place name in a query. */
const leading = /^(?:(?:go|jump|switch|open|show|to|the|namespace|zone|domain|key) +)+(?=\S)/i;

/** Finds the places whose names contain the query. */
function jumpsTo(
	state: LedgeState,
	screen: Context,
	query: string,
): readonly {readonly row: PaletteRow; readonly worth: number; readonly place: number}[] {
	const {screens} = state.navigation;
	if (isForm(screen, screens)) return [];
	const sought = query.trim().replace(leading, '');
	return entriesOf(screens)
		.flatMap(([, {jumps}]) => jumps?.(state, sought) ?? [])
		.map((jump, place) => ({
			row: {kind: 'jump', ...jump},
			worth: worth.jump[partOf(jump.name.toLowerCase(), sought.toLowerCase())],
			place,
		}));
}

function partOf(name: string, sought: string): keyof typeof worth.jump {
	if (name === sought) return 'the name';
	return name.startsWith(sought) ? 'its beginning' : 'a part of it';
}

/** A row of the help: a group heading, an action, or keys of the text being typed. */
export type HelpRow = {readonly heading: string} | {readonly action: Action} | TextKeys;

/** Groups shared by many screens, listed after a screen's own. */
const shared: ReadonlySet<Action['group']> = new Set(['Everywhere', 'Move']);

/** Lists the actions that the screen reaches by key: its own keys override the global ones. */
function worksHere(actions: readonly Action[], screen: Context, state: LedgeState): readonly Action[] {
	const own = actions.filter(action => belongsTo(action, screen, state));
	return own.filter(action =>
		action.keys.some(key => keyed(own.filter(({keys}) => keys.includes(key))).includes(action)),
	);
}

/**
 * Builds the rows of the help: the screen's actions by group and the keys of its text, filtered by the query.
 */
export function helpRows(actions: readonly Action[], state: LedgeState, query: string): readonly HelpRow[] {
	const screen = screenContext(state);
	const sought = query.trim().toLowerCase();
	const works = worksHere(actions, screen, state);
	const named = new Set(
		searchActions(sought, works).flatMap(({action, naming}) =>
			naming === 'scattered' || naming === 'in part' ? [] : [action],
		),
	);
	// // A single letter means that key, if it is bound.
	const isKey = query.length === 1 && works.some(({keys}) => keys.includes(query));
	const isFound = (action: Action): boolean =>
		isKey
			? action.keys.includes(query)
			: named.size > 0
				? named.has(action) || action.keys.includes(query)
				: holdsText(action, sought);
	const here = works.filter(isFound);
	const inOrder = [...groupsOf(state.navigation.screens).filter(group => !shared.has(group)), ...shared];
	const ofActions = inOrder.flatMap(group => {
		const own = here.filter(action => action.group === group);
		return own.length === 0 ? [] : [{heading: group}, ...own.map(action => ({action}))];
	});
	const ofText = textKeysIn(state).filter(({keys, title}) =>
		`${title} ${keys.join(' ')}`.toLowerCase().includes(sought),
	);
	return ofText.length === 0 ? ofActions : [...ofActions, {heading: 'The text'}, ...ofText];
}

/** Lists the actions for the last line: those available now, help last. */
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
