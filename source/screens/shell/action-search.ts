import {fuzzy} from '../../text/fuzzy.ts';
import type {Action} from './action.ts';

/** How well words name an action: lower is better, and `scattered` means that only its letters are there in order. */
const exactly = 0;
const byWords = 1;
const byBeginnings = 2;
const scattered = 3;

type FoundAction = {
	readonly action: Action;
	/** Whether the words that were typed are words of the action, or the beginnings of some. */
	readonly isNamed: boolean;
};

/**
 * The actions that words name, the best first: the action of exactly this name, then those that have all the words,
 * then those with words that begin so, then those whose letters come in this order. Among equals the one counts more whose
 * words come earlier. An action that destroys or sends something is only found by what it does: somebody who types other
 * words and enter must not come upon it.
 */
export function searchActions(query: string, actions: readonly Action[]): readonly FoundAction[] {
	const sought = wordsIn(query);
	if (sought.length === 0) return actions.map(action => ({action, isNamed: true}));
	const named = actions
		.map(action => ({action, ...match(sought, action)}))
		.filter(({rank}) => rank < scattered)
		.toSorted((one, other) => one.rank - other.rank || one.place - other.place)
		.map(({action}) => ({action, isNamed: true}));
	const found = new Set(named.map(({action}) => action));
	const others = actions.filter(action => !found.has(action) && !action.destroys);
	const rest = fuzzy(query, others, sentenceOf).map(({candidate}) => ({action: candidate, isNamed: false}));
	return [...named, ...rest];
}

/** Whether an action is called something with this text in it, for a search that narrows as one types. */
export const holdsText = ({title, keys, hint = '', words = []}: Action, text: string): boolean =>
	[title, ...keys, hint, ...words].join(' ').toLowerCase().includes(text.toLowerCase());

/** How the palette calls an action. */
export const sentenceOf = ({group, title}: Action): string => `${group.toLowerCase()}: ${title}`;

function match(
	sought: readonly string[],
	{title, hint = '', words = [], group, destroys}: Action,
): {readonly rank: number; readonly place: number} {
	const names = [hint, ...words].filter(name => name !== '');
	const wanted = sought.join(' ');
	const inTitle = wordsIn(title);
	const inNames = names.flatMap(wordsIn);
	if (destroys && !sought.some(word => [inTitle[0] ?? '', ...inNames].some(own => own.startsWith(word))))
		return {rank: scattered, place: 0};
	if ([title, ...names].some(name => wordsIn(name).join(' ') === wanted)) return {rank: exactly, place: 0};
	const places = sought.map(word => {
		const whole = placeOf(inNames, inTitle, wordsIn(group), own => own === word);
		return whole === undefined
			? {rank: byBeginnings, place: placeOf(inNames, inTitle, wordsIn(group), own => own.startsWith(word))}
			: {rank: byWords, place: whole};
	});
	if (places.some(({place}) => place === undefined)) return {rank: scattered, place: 0};
	return {
		rank: Math.max(...places.map(({rank}) => rank)),
		place: places.reduce((sum, {place = 0}) => sum + place, 0),
	};
}

/** Where a word is: other names count as the beginning of the title, and the group comes after all of it. */
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

const wordsIn = (text: string): readonly string[] =>
	text
		.toLowerCase()
		.split(/[^\p{L}\p{N}$]+/u)
		.filter(word => word !== '');
