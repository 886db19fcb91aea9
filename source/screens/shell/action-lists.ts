import type {LedgeState} from '../../store/ledge-store.ts';
import {formatQuantity} from '../../text/figures.ts';
import {
	getInputContext,
	getScreenContext,
	isActionActive,
	isActionBound,
	preferScreenActions,
} from './action.ts';
import {containsText, formatActionSentence, matchActions} from './action-search.ts';
import type {Action, InputContext} from './app.ts';
import {type Jump, listHelpGroups, listScreens, type Screens, type TextKeys} from './screen.ts';
import {getCurrentScreen, type Screen} from './screen-name.ts';
import {listTextKeys} from './text-keys.ts';

/** A row of the palette. */
export type PaletteRow =
	| {
			readonly kind: 'action';
			readonly action: Action;
			readonly reason: string | undefined;
			/** What must be chosen first; set if the action runs from another screen. */
			readonly route?: {readonly choice: string | undefined; readonly choosesOnScreen: boolean} | undefined;
	  }
	| ({readonly kind: 'jump'} & Jump);

/** Formats a context for the palette; all steps of a screen have one name. */
function formatContextName(context: InputContext, screens: Screens): string {
	const name = context.replace(/ menu$/, '');
	return name in screens ? (screens[name as keyof Screens].label ?? name) : name;
}

/** Describes where else an action can be done. */
function describeOtherPlaces({where}: Action, screen: InputContext, screens: Screens): string {
	if (where === 'everywhere') return 'only on other screens';
	const places = new Set(where.map(context => formatContextName(context, screens)));
	return places.has(formatContextName(screen, screens))
		? 'only in another step'
		: `only on ${joinFirst([...places])}`;
}

/** Maximum number of screens to name in a row of the palette. */
const maxNamedPlaces = 2;

/** Names the first places and counts the others: "keys, search and 3 more screens". */
function joinFirst(places: readonly string[]): string {
	const otherCount = places.length - maxNamedPlaces;
	if (otherCount <= 0) return places.join(' and ');
	return `${places.slice(0, maxNamedPlaces).join(', ')} and ${formatQuantity(otherCount, 'more screen')}`;
}

/** Ranking penalties; the lowest total comes first. A worse kind of match costs about ten more. */
const penalties = {
	exactly: 0,
	'by words': 10,
	'by beginnings': 20,
	'in part': 31,
	scattered: 40,
	isMove: 5,
	/** Some words match an action that works everywhere; those of the screen come first. */
	everywhere: 1,
	/** The action runs on another screen (`elsewhere`), or its row is chosen there (`chosenThere`). */
	elsewhere: 3,
	chosenThere: 9,
	/** The action is unavailable now (`notNow`), or cannot run from this screen (`notHere`). */
	notNow: 11,
	notHere: 14,
	/** A destructive action matched by a prefix of its words. */
	partialDestructive: 9,
	jump: {
		'the name': 5,
		'its first words': 10.5,
		'some of its words': 10.6,
		'its beginning': 19,
		'a part of it': 26,
	},
	/** The name of a zone or its first label comes before any action, and its beginning before all but exact words. */
	zoneJump: {'the name': -1, 'its first words': -1, 'its beginning': 9.5},
} as const;

/**
 * Builds the rows of the palette: matching actions, except those of dialogs, and matching places, the best
 * first; an unavailable action ranks lower. Actions of another step of the current screen are left out; an
 * action with two keys in different places is listed once.
 */
export function buildPaletteRows(
	actions: readonly Action[],
	state: LedgeState,
	query: string,
): readonly PaletteRow[] {
	const screen = getScreenContext(state);
	const {screens} = state.navigation;
	const candidates = actions
		.filter(({group, id}) => group !== 'Dialogs' && id !== 'palette' && id !== 'menu.palette')
		.filter(action => !isActionBound(action, screen, screens) || isActionActive(action, screen, state));
	const rankedActions = matchActions(query, candidates).map(({action, matchKind, rank}) => {
		const row = buildPaletteRow(action, screen, state);
		const isPartialMatch = matchKind === 'by beginnings' && action.isDestructive;
		return {
			row,
			penalty:
				penalties[matchKind] +
				getAvailabilityPenalty(row) +
				(action.isMove ? penalties.isMove : 0) +
				(action.where === 'everywhere' && matchKind === 'in part' ? penalties.everywhere : 0) +
				(isPartialMatch ? penalties.partialDestructive : 0),
			rank,
			isWeak: matchKind !== 'exactly' && matchKind !== 'by words' && !beginsWithQuery(action, query),
		};
	});
	const jumps = query.trim() === '' ? [] : findPaletteJumps(state, screen, query);
	const rankedRows = [...rankedActions, ...jumps].toSorted(
		(one, other) => one.penalty - other.penalty || one.rank - other.rank,
	);
	const sortedRows = placeNamesFirst(rankedRows).map(({row}) => row);
	const firstRows = new Map(sortedRows.toReversed().map(row => [formatRowName(row), row]));
	return sortedRows.filter(row => firstRows.get(formatRowName(row)) === row);
}

type RankedRow = {
	readonly row: PaletteRow;
	/** True for an action found only by search terms, or by the beginning of a word inside its title. */
	readonly isWeak?: boolean;
	/** True for a place whose name contains the query. */
	readonly isNamed?: boolean;
};

/** Puts the places whose names contain the query before the weak matches that precede them. */
function placeNamesFirst(rankedRows: readonly RankedRow[]): readonly RankedRow[] {
	const rows: RankedRow[] = [];
	for (const ranked of rankedRows)
		rows.splice(ranked.isNamed ? rows.findLastIndex(({isWeak}) => !isWeak) + 1 : rows.length, 0, ranked);
	return rows;
}

/** True if the title, the hint, or the name of an area in the title begins with the query. */
function beginsWithQuery(action: Action, query: string): boolean {
	const {title, hint = ''} = action;
	const areaName = isDigitArea(action) ? title.slice(titleStart.length).replace('the ', '') : title;
	return [title, hint, areaName].some(text => text.toLowerCase().startsWith(query.trim().toLowerCase()));
}

const formatRowName = (row: PaletteRow): string =>
	row.kind === 'action' ? formatActionSentence(row.action) : [row.noun, row.name, row.detail].join(' ');

function buildPaletteRow(
	action: Action,
	screen: InputContext,
	state: LedgeState,
): Extract<PaletteRow, {kind: 'action'}> {
	const {screens} = state.navigation;
	if (isActionBound(action, screen, screens))
		return {kind: 'action', action, reason: action.getUnavailableReason?.(state)};
	const paletteRoute = isFormContext(screen, screens) ? undefined : action.paletteRoute;
	if (!paletteRoute) return {kind: 'action', action, reason: describeOtherPlaces(action, screen, screens)};
	return {
		kind: 'action',
		action,
		reason: paletteRoute.getUnavailableReason?.(state),
		route: {choice: paletteRoute.describeChoice(state), choosesOnScreen: paletteRoute.choosesOnScreen(state)},
	};
}

function getAvailabilityPenalty({
	reason,
	route: paletteRoute,
}: Extract<PaletteRow, {kind: 'action'}>): number {
	if (reason !== undefined) return paletteRoute ? penalties.notHere : penalties.notNow;
	if (!paletteRoute) return 0;
	return paletteRoute.choosesOnScreen ? penalties.chosenThere : penalties.elsewhere;
}

/** True for the context of a form; a form must be left before anything else is done. */
const isFormContext = (screen: InputContext, screens: Screens): boolean => {
	const name = screen.replace(/ menu$/, '');
	return name in screens && screens[name as keyof Screens].textInput !== undefined;
};

/** Words that may precede a place name in a query, as in the rows themselves. */
const leadingWords = /^(?:(?:go|jump|switch|open|show|to|the|namespace|zone|domain|key):? +)+(?=\S)/i;

/** Minimum length of a query that puts names of places first; one or two letters are in too many names. */
const minNameLength = 3;

/** Finds the places whose names contain the query. */
function findPaletteJumps(
	state: LedgeState,
	screen: InputContext,
	query: string,
): readonly (RankedRow & {readonly penalty: number; readonly rank: number})[] {
	const {screens} = state.navigation;
	if (isFormContext(screen, screens) && !screens[getCurrentScreen(state)].staysOpen?.(state)) return [];
	const searchText = query.trim().replace(leadingWords, '');
	return listScreens(screens)
		.flatMap(([, {listJumps}]) => listJumps?.(state, searchText) ?? [])
		.map((jump, rank) => ({
			row: {kind: 'jump', ...jump},
			penalty: getJumpPenalty(jump, searchText),
			rank,
			isNamed:
				searchText.length >= minNameLength &&
				(jump.noun === 'namespace' || jump.noun === 'zone') &&
				jump.name.toLowerCase().includes(searchText.toLowerCase()),
		}));
}

function getJumpPenalty({noun, name}: Jump, searchText: string): number {
	const match = classifyMatch(name.toLowerCase(), searchText.toLowerCase());
	const zonePenalties: Partial<Record<typeof match, number>> = penalties.zoneJump;
	return (noun === 'zone' ? zonePenalties[match] : undefined) ?? penalties.jump[match];
}

function classifyMatch(name: string, searchText: string): keyof typeof penalties.jump {
	if (name === searchText) return 'the name';
	const words = ` ${name.replaceAll(/[^\p{L}\p{N}]/gu, ' ')} `;
	const isWhole = words.includes(` ${searchText.replaceAll(/[^\p{L}\p{N}]/gu, ' ')} `);
	if (!name.startsWith(searchText)) return isWhole ? 'some of its words' : 'a part of it';
	return /^[\p{L}\p{N}]/u.test(name.slice(searchText.length)) ? 'its beginning' : 'its first words';
}

/** A row of the help: a group heading, an action with the keys that run it, or keys and what they do. */
export type HelpRow =
	| {readonly heading: string}
	| {readonly action: Action; readonly keys: readonly string[]; readonly title: string}
	| TextKeys;

/** Headings shared by many screens, listed after a screen's own. */
const sharedHeadings: readonly string[] = ['Everywhere', 'Move'];

export const isSharedHeading = (heading: string): boolean => sharedHeadings.includes(heading);

const isDigitArea = ({id, keys: [key]}: Action): boolean => id.startsWith('go.') && /^\d$/.test(key ?? '');

/** Orders actions by use: those on the last line of the screen come first. */
const compareUse = (one: Action, other: Action): number =>
	Number(one.hint === undefined) - Number(other.hint === undefined);

/** Leaves out the explanation of a title: a search and the palette show it. */
const shortenTitle = (title: string): string => title.split(/: | \(/, 1)[0] ?? title;

/** How the titles of the areas with a digit begin. */
const titleStart = 'go to ';

/** Lists the areas that digits go to in one row: "0 Home, 1 namespaces, 2 firewall rules". */
function buildAreasRow(areas: readonly Action[]): TextKeys {
	const texts = areas
		.map(
			({keys: [key], title}) =>
				`${key} ${title.slice(titleStart.length).replace(/^the |(:| of| to) .*/g, '')}`,
		)
		.toSorted();
	return {keys: [`${texts[0]?.[0]} to ${texts.at(-1)?.[0]}`], title: texts.join(', ')};
}

/**
 * Finds the keys that run an action on the screen: a screen's own keys override the global ones. With
 * `onlyNow`, of actions that share a key only the one that the key runs now has it.
 */
function createKeyFinder(
	actions: readonly Action[],
	screen: InputContext,
	state: LedgeState,
	onlyNow: boolean,
): (action: Action) => readonly string[] {
	const activeActions = actions.filter(action => isActionActive(action, screen, state));
	const ownsKey = (action: Action, key: string): boolean => {
		const bound = preferScreenActions(activeActions.filter(({keys}) => keys.includes(key)));
		if (!onlyNow) return bound.includes(action);
		const available = bound.find(one => one.getUnavailableReason?.(state) === undefined);
		return (available ?? bound[0]) === action;
	};
	return action => (activeActions.includes(action) ? action.keys.filter(key => ownsKey(action, key)) : []);
}

/**
 * Returns the key that explains the failure on the status line; undefined where no key does, because letters are
 * text or a dialog is in front.
 */
export function findFailureKey(actions: readonly Action[], state: LedgeState): string | undefined {
	if (state.messages.latest?.kind !== 'failed') return undefined;
	const findKeys = createKeyFinder(actions, getInputContext(state), state, true);
	return actions.filter(({explainsFailure}) => explainsFailure).flatMap(findKeys)[0];
}

/**
 * Builds the rows of the help: the screen's actions by group and the keys of its text, filtered by the query.
 * Without a query, each key is listed once, and the digits that go to areas are one row.
 */
export function buildHelpRows(
	actions: readonly Action[],
	state: LedgeState,
	query: string,
): readonly HelpRow[] {
	const screen = getScreenContext(state);
	const searchText = query.trim().toLowerCase();
	const findKeys = createKeyFinder(actions, screen, state, searchText === '');
	const reachableActions = actions.filter(action => findKeys(action).length > 0);
	const matches = new Set(
		matchActions(searchText, reachableActions).flatMap(({action, matchKind}) =>
			matchKind === 'scattered' || matchKind === 'in part' ? [] : [action],
		),
	);
	// A single letter means that key, if it is bound.
	const isBoundKey = query.length === 1 && reachableActions.some(({keys}) => keys.includes(query));
	const isFound = (action: Action): boolean =>
		isBoundKey
			? action.keys.includes(query)
			: matches.size > 0
				? matches.has(action) || action.keys.includes(query)
				: containsText(action, searchText);
	const matchingActions = reachableActions.filter(isFound);
	const areas = searchText === '' ? matchingActions.filter(isDigitArea) : [];
	const sortedHeadings = [
		...listHelpGroups(state.navigation.screens).filter(group => !isSharedHeading(group)),
		...sharedHeadings,
	];
	const actionRows = sortedHeadings.flatMap((heading): readonly HelpRow[] => {
		const groupActions = matchingActions
			.filter(action => action.group === heading && !areas.includes(action))
			.toSorted(compareUse);
		return groupActions.length === 0
			? []
			: [
					{heading},
					...groupActions.map(action => ({
						action,
						keys: findKeys(action),
						title: searchText === '' ? shortenTitle(action.title) : action.title,
					})),
					...(heading === 'Everywhere' && areas.length > 0 ? [buildAreasRow(areas)] : []),
				];
	});
	const textRows = listTextKeys(state).filter(({keys, title}) =>
		`${title} ${keys.join(' ')}`.toLowerCase().includes(searchText),
	);
	return textRows.length === 0 ? actionRows : [{heading: 'Text'}, ...textRows, ...actionRows];
}

/** Keys of lists by how often they are needed; their hints come first, the others follow as declared. */
const keysByUse: readonly string[] = ['enter', 'esc', 'e', 'a', 'p', 'd', '!', 'u', '/', 'O', 'space'];

const rankByUse = ({keys, defaultKeys: [key = ''] = keys}: Action): number => {
	const rank = keysByUse.indexOf(key);
	return rank === -1 ? keysByUse.length : rank;
};

/**
 * Lists the actions for the last line: those available now, each label once, in lists the most used ones first,
 * help last.
 */
export function listHintedActions(actions: readonly Action[], state: LedgeState): readonly Action[] {
	const context = getInputContext(state);
	const hintedActions = actions.filter(
		action =>
			action.hint !== undefined &&
			action.keys.length > 0 &&
			action.getHintPlace?.(state) !== 'none' &&
			isActionActive(action, context, state) &&
			action.getUnavailableReason?.(state) === undefined,
	);
	const visibleHints = hintedActions.filter(
		({keys: [key]}, index) => hintedActions.findIndex(({keys}) => keys[0] === key) === index,
	);
	const isFirst = (action: Action) => Number(action.getHintPlace?.(state) === 'first');
	const isList = context in state.navigation.screens && state.navigation.screens[context as Screen].filter;
	const sortedHints = visibleHints
		.filter(({id}) => id !== 'help')
		.toSorted(
			(one, other) => isFirst(other) - isFirst(one) || (isList ? rankByUse(one) - rankByUse(other) : 0),
		)
		.filter(({hint}, index, all) => all.findIndex(one => one.hint === hint) === index);
	return [...sortedHints, ...visibleHints.filter(({id}) => id === 'help')];
}
