import {findFuzzyMatches} from '../../text/fuzzy.ts';
import type {Action} from './app.ts';

/**
 * How well words match an action, the best first. `in part`: some words are in none of its names;
 * `scattered`: only the letters of a word occur in order.
 */
type NameMatch = 'exactly' | 'by words' | 'by beginnings' | 'in part' | 'scattered';

type ActionMatch = {
	readonly action: Action;
	readonly matchKind: NameMatch;
	/** Rank among matches of the same kind; lower is better. */
	readonly rank: number;
};

/**
 * Searches actions by title, hint, other names, and then group. Stop words and plurals are ignored, and
 * synonyms are equal. If there are none, actions that contain the letters of a single word in order, from the
 * starts of words, are `scattered` matches. A destructive action is found only by its own verbs, so that other words and enter
 * never run it. An empty query returns all, in order.
 */
export function matchActions(query: string, actions: readonly Action[]): readonly ActionMatch[] {
	const queryWords = parseQueryWords(query);
	if (queryWords.length === 0) return actions.map(action => ({action, matchKind: 'exactly', rank: 0}));
	const matches = actions.flatMap((action): readonly ActionMatch[] => {
		const match = matchAction(queryWords, action, query);
		return match ? [{action, ...match}] : [];
	});
	// The letters of several words match too many names.
	if (matches.length > 0 || /\W/.test(query.trim())) return matches;
	const harmlessActions = actions.filter(({isDestructive}) => !isDestructive);
	return findFuzzyMatches(query, harmlessActions, formatActionSentence)
		.filter(({candidate, positions}) => entersWordsAtStart(formatActionSentence(candidate), positions))
		.map(({candidate}, rank): ActionMatch => ({action: candidate, matchKind: 'scattered', rank}));
}

/** True if the first position in each word is its start, as in `shwkys` for "show the keys". */
const entersWordsAtStart = (text: string, positions: readonly number[]): boolean =>
	positions.every(
		(position, index) =>
			!/\w/.test(text.charAt(position - 1)) ||
			(index > 0 && !/\W/.test(text.slice(positions[index - 1], position))),
	);

/** True if any name or key of the action contains the text, for incremental search. */
export const containsText = ({title, keys, hint = '', searchTerms = []}: Action, text: string): boolean =>
	[title, ...keys, hint, ...searchTerms].join(' ').toLowerCase().includes(text.toLowerCase());

/** Formats an action as the palette names it. */
export const formatActionSentence = ({group, title}: Action): string => `${group.toLowerCase()}: ${title}`;

function matchAction(
	queryWords: readonly string[],
	action: Action,
	query: string,
): Omit<ActionMatch, 'action'> | undefined {
	const {isDestructive} = action;
	const {names, titleWords, nameWords, groupNameWords, verbs, exactNames} = getActionNames(action);
	if (
		isDestructive &&
		!queryWords.some(word => verbs.some(verb => isSynonym(verb, word) || verb.startsWith(word)))
	)
		return undefined;
	const queryText = splitWords(query).join(' ');
	if (exactNames.has(queryText)) return {matchKind: 'exactly', rank: 0};
	if ([titleWords, ...names].some(name => isSameName(name, queryWords)))
		return {matchKind: 'exactly', rank: 0.1};
	const wordMatches = queryWords.map(word => {
		const exactPosition = findPosition(nameWords, titleWords, groupNameWords, nameWord => nameWord === word);
		const synonymPosition =
			exactPosition ??
			findPosition(nameWords, titleWords, groupNameWords, nameWord => isSynonym(nameWord, word));
		if (synonymPosition !== undefined) return {isWhole: true, place: exactPosition ?? synonymPosition + 0.1};
		return {
			isWhole: false,
			place: findPosition(nameWords, titleWords, groupNameWords, nameWord => nameWord.startsWith(word)),
		};
	});
	const missingCount = wordMatches.filter(({place}) => place === undefined).length;
	// A destructive action must match every word.
	if (missingCount === queryWords.length || (missingCount > 0 && isDestructive)) return undefined;
	// One name with all words ranks before names that have them together.
	const isOneName = [titleWords, ...names].some(name =>
		queryWords.every(word => name.some(nameWord => isSynonym(nameWord, word))),
	);
	const rank = wordMatches.reduce((sum, {place = 0}) => sum + place, isOneName ? 0 : 0.5);
	if (missingCount > 0) return {matchKind: 'in part', rank: rank + missingCount * missingWordPenalty};
	return {matchKind: wordMatches.every(({isWhole}) => isWhole) ? 'by words' : 'by beginnings', rank};
}

/** The words of an action's names. */
type ActionNames = {
	readonly names: readonly (readonly string[])[];
	readonly titleWords: readonly string[];
	readonly nameWords: readonly string[];
	readonly groupNameWords: readonly string[];
	/** First word of each name. */
	readonly verbs: readonly string[];
	readonly exactNames: ReadonlySet<string>;
};

const namesCache = new WeakMap<Action, ActionNames>();

/** Splits the names of an action; cached, because every keystroke needs them. */
function getActionNames(action: Action): ActionNames {
	const cachedNames = namesCache.get(action);
	if (cachedNames) return cachedNames;
	const {title, hint = '', searchTerms = [], group} = action;
	const names = [hint, ...searchTerms].map(parseNameWords).filter(name => name.length > 0);
	const titleWords = parseNameWords(title);
	const actionNames: ActionNames = {
		names,
		titleWords,
		nameWords: names.flat(),
		groupNameWords: parseNameWords(group),
		verbs: [titleWords, ...names].flatMap(([verb = '']) => verb),
		exactNames: new Set([title, hint, ...searchTerms].map(name => splitWords(name).join(' '))),
	};
	namesCache.set(action, actionNames);
	return actionNames;
}

/** Penalty for a missing word, relative to word positions. */
const missingWordPenalty = 100;

const isSameName = (name: readonly string[], queryWords: readonly string[]): boolean =>
	name.length === queryWords.length && name.every((word, index) => isSynonym(word, queryWords[index] ?? ''));

const isSynonym = (nameWord: string, word: string): boolean =>
	nameWord === word || getSynonymKey(nameWord) === getSynonymKey(word);

/** Groups of synonyms. */
const synonymGroups: readonly (readonly string[])[] = [
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

const meanings = new Map(synonymGroups.flatMap((words, index) => words.map(word => [word, index] as const)));

/** Returns what all synonyms of a word share: the index of their group, else the word itself. */
const getSynonymKey = (word: string): string | number => meanings.get(word) ?? word;

/**
 * Returns the position of a word: other names count as the start of the title, and the group comes after it.
 */
function findPosition(
	names: readonly string[],
	title: readonly string[],
	group: readonly string[],
	isMatch: (word: string) => boolean,
): number | undefined {
	if (names.some(isMatch)) return 0;
	const position = title.findIndex(isMatch);
	if (position !== -1) return position;
	return group.some(isMatch) ? title.length : undefined;
}

const stopWords: ReadonlySet<string> = new Set(
	'a an the to of in into on from for by with and or my this that it its i want need please how do can where is am are'.split(
		' ',
	),
);

/** Splits a query without stop words, or with them if there is nothing else. */
function parseQueryWords(query: string): readonly string[] {
	const all = splitWords(query);
	const significant = all.filter(word => !stopWords.has(word));
	return (significant.length > 0 ? significant : all).map(toSingular);
}

/** Splits a name without stop words, but keeps them in names like "copy to". */
function parseNameWords(name: string): readonly string[] {
	const all = splitWords(name);
	const significant = all.filter(word => !stopWords.has(word));
	return (significant.length > 1 ? significant : all).map(toSingular);
}

const splitWords = (text: string): readonly string[] =>
	text
		.toLowerCase()
		.split(/[^\p{L}\p{N}$]+/u)
		.filter(word => word !== '');

/** Removes a plural ending. */
function toSingular(word: string): string {
	if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
	return word.length > 3 && /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}
