import {fuzzy} from '../../text/fuzzy.ts';
import type {Action} from './app.ts';

/**
 * How well words match an action, the best first. `in part`: some words are in none of its names;
 * `scattered`: only the letters of a word occur in order.
 */
type Naming = 'exactly' | 'by words' | 'by beginnings' | 'in part' | 'scattered';

type FoundAction = {
	readonly action: Action;
	readonly naming: Naming;
	/** Rank among matches of the same kind; lower is better. */
	readonly place: number;
};

/**
 * Searches actions by title, hint, other names, and then group. Stop words and plurals are ignored, and
 * synonyms are equal. Actions that contain the letters of a single word in order follow as `scattered`. A
 * destructive action is found only by its own verbs, so that other words and enter never run it. An empty
 * query returns all, in order.
 */
export function searchActions(query: string, actions: readonly Action[]): readonly FoundAction[] {
	const sought = soughtIn(query);
	if (sought.length === 0) return actions.map(action => ({action, naming: 'exactly', place: 0}));
	const named = actions.flatMap((action): readonly FoundAction[] => {
		const match = matchOf(sought, action, query);
		return match ? [{action, ...match}] : [];
	});
	const found = new Set(named.map(({action}) => action));
	const others = actions.filter(action => !found.has(action) && !action.destroys);
	// // The letters of several words match too many names.
	if (/\s/.test(query.trim())) return named;
	const scattered = fuzzy(query, others, sentenceOf).map(
		({candidate}, place): FoundAction => ({action: candidate, naming: 'scattered', place}),
	);
	return [...named, ...scattered];
}

/** True if any name or key of the action contains the text, for incremental search. */
export const holdsText = ({title, keys, hint = '', words = []}: Action, text: string): boolean =>
	[title, ...keys, hint, ...words].join(' ').toLowerCase().includes(text.toLowerCase());

/** Formats an action as the palette names it. */
export const sentenceOf = ({group, title}: Action): string => `${group.toLowerCase()}: ${title}`;

function matchOf(
	sought: readonly string[],
	action: Action,
	query: string,
): Omit<FoundAction, 'action'> | undefined {
	const {destroys} = action;
	const {names, inTitle, inNames, inGroup, does, whole} = namesOf(action);
	if (destroys && !sought.some(word => does.some(own => isSame(own, word) || own.startsWith(word))))
		return undefined;
	const typed = everyWord(query).join(' ');
	if (whole.has(typed)) return {naming: 'exactly', place: 0};
	if ([inTitle, ...names].some(name => isSameName(name, sought))) return {naming: 'exactly', place: 0.1};
	const places = sought.map(word => {
		const literal = placeOf(inNames, inTitle, inGroup, own => own === word);
		const same = literal ?? placeOf(inNames, inTitle, inGroup, own => isSame(own, word));
		if (same !== undefined) return {isWhole: true, place: literal ?? same + 0.1};
		return {isWhole: false, place: placeOf(inNames, inTitle, inGroup, own => own.startsWith(word))};
	});
	const missing = places.filter(({place}) => place === undefined).length;
	// // A destructive action must match every word.
	if (missing === sought.length || (missing > 0 && destroys)) return undefined;
	// // One name with all words ranks before names that have them together.
	const isOneName = [inTitle, ...names].some(name =>
		sought.every(word => name.some(own => isSame(own, word))),
	);
	const place = places.reduce((sum, {place = 0}) => sum + place, isOneName ? 0 : 0.5);
	if (missing > 0) return {naming: 'in part', place: place + missing * eachMissing};
	return {naming: places.every(({isWhole}) => isWhole) ? 'by words' : 'by beginnings', place};
}

/** The words of an action's names. */
type Names = {
	readonly names: readonly (readonly string[])[];
	readonly inTitle: readonly string[];
	readonly inNames: readonly string[];
	readonly inGroup: readonly string[];
	/** First word of each name. */
	readonly does: readonly string[];
	readonly whole: ReadonlySet<string>;
};

const namesKnown = new WeakMap<Action, Names>();

/** Splits the names of an action; cached, since it is called for each key. */
function namesOf(action: Action): Names {
	const known = namesKnown.get(action);
	if (known) return known;
	const {title, hint = '', words = [], group} = action;
	const names = [hint, ...words].map(wordsIn).filter(name => name.length > 0);
	const inTitle = wordsIn(title);
	const found: Names = {
		names,
		inTitle,
		inNames: names.flat(),
		inGroup: wordsIn(group),
		does: [inTitle, ...names].flatMap(([verb = '']) => verb),
		whole: new Set([title, hint, ...words].map(name => everyWord(name).join(' '))),
	};
	namesKnown.set(action, found);
	return found;
}

/** Penalty for a missing word, relative to word positions. */
const eachMissing = 100;

const isSameName = (name: readonly string[], sought: readonly string[]): boolean =>
	name.length === sought.length && name.every((word, at) => isSame(word, sought[at] ?? ''));

const isSame = (own: string, word: string): boolean => own === word || meaning(own) === meaning(word);

/** Groups of synonyms. */
const alike: readonly (readonly string[])[] = [
	['delete', 'remove', 'erase', 'drop', 'destroy', 'del', 'rm', 'purge'],
	['new', 'create', 'add', 'make', 'insert'],
	['edit', 'change', 'modify', 'set', 'alter'],
	['search', 'find', 'lookup'],
	['export', 'download', 'dump', 'backup'],
	['import', 'upload'],
	['expiry', 'expiration', 'ttl', 'expire', 'lifetime'],
	['compare', 'diff', 'difference', 'differ'],
	['undo', 'revert'],
	['refresh', 'reload'],
	['resume', 'continue'],
	['zone', 'domain', 'site', 'website'],
	['block', 'ban', 'deny'],
	['pause', 'disable'],
	['key', 'entry', 'record', 'item'],
	['namespace', 'store', 'bucket', 'database'],
	['folder', 'directory'],
];

const meanings = new Map(alike.flatMap((words, at) => words.map(word => [word, at] as const)));

const meaning = (word: string): string | number => meanings.get(word) ?? word;

/**
 * Returns the position of a word: other names count as the start of the title, and the group comes after it.
 */
function placeOf(
	names: readonly string[],
	title: readonly string[],
	group: readonly string[],
	is: (word: string) => boolean,
): number | undefined {
	if (names.some(is)) return 0;
	const place = title.findIndex(is);
	if (place !== -1) return place;
	return group.some(is) ? title.length : undefined;
}

/** Stop words. */
const small: ReadonlySet<string> = new Set(
	'a an the to of in into on from for by with and or my this that it its i want need please how do can where is am are'.split(
		' ',
	),
);

/** Splits a query without stop words, or with them if there is nothing else. */
function soughtIn(query: string): readonly string[] {
	const all = everyWord(query);
	const counting = all.filter(word => !small.has(word));
	return (counting.length > 0 ? counting : all).map(singular);
}

/** Splits a name without stop words, but keeps them in names like "copy to". */
function wordsIn(name: string): readonly string[] {
	const all = everyWord(name);
	const counting = all.filter(word => !small.has(word));
	return (counting.length > 1 ? counting : all).map(singular);
}

const everyWord = (text: string): readonly string[] =>
	text
		.toLowerCase()
		.split(/[^\p{L}\p{N}$]+/u)
		.filter(word => word !== '');

/** Removes a plural ending. */
function singular(word: string): string {
	if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
	return word.length > 3 && /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}
