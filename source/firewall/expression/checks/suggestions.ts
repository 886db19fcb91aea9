import {computeEditDistance} from '../../../text/closest-name.ts';
import {fields, findField} from '../vocabulary/fields.ts';
import {findFunction, functions} from '../vocabulary/functions.ts';
import type {Phase} from '../vocabulary/phases.ts';
import {getVerdict} from '../vocabulary/verdict.ts';
import {otherFieldNames, otherFunctionNames} from './other-names.ts';

type KnownName = {
	readonly name: string;
	/** The name without dots and other signs. */
	readonly plain: string;
	/** A bit per letter; see `getLetterBits`. */
	readonly letterBits: number;
	/** The name to suggest: the replacement if this one is deprecated. */
	readonly suggestedName: string;
};

const createKnownName = (name: string, suggestedName = name): KnownName => ({
	name,
	plain: stripSigns(name),
	letterBits: getLetterBits(name),
	suggestedName,
});
const knownFields = fields.map(({name, replacement}) => createKnownName(name, replacement));
const knownFunctions = functions.map(({name}) => createKnownName(name));

/**
 * Suggests a field for an unknown name; undefined if several are equally likely, or if the likely one cannot
 * be used in the phase.
 */
export function suggestField(word: string, phase: Phase): string | undefined {
	const lowerWord = word.toLowerCase();
	const name =
		otherFieldNames.get(lowerWord) ??
		findIgnoringSigns(lowerWord, knownFields) ??
		(isNameStart(lowerWord, knownFields)
			? findByStart(lowerWord, knownFields)
			: (findBySegments(lowerWord) ?? findNearest(lowerWord, knownFields)));
	const field = name === undefined ? undefined : findField(name);
	return field && getVerdict(field, phase).kind !== 'error' ? field.name : undefined;
}

/** Suggests a function for an unknown name, under the same conditions. */
export function suggestFunction(word: string, phase: Phase): string | undefined {
	const lowerWord = word.toLowerCase();
	const name =
		otherFunctionNames.get(lowerWord) ??
		findIgnoringSigns(lowerWord, knownFunctions) ??
		(isNameStart(lowerWord, knownFunctions)
			? findByStart(lowerWord, knownFunctions)
			: findNearest(lowerWord, knownFunctions));
	const suggestion = name === undefined ? undefined : findFunction(name);
	return suggestion && getVerdict(suggestion, phase).kind === 'allowed' ? suggestion.name : undefined;
}

/** Finds the name that differs only in its signs: `http.userAgent`, `startswith`. */
function findIgnoringSigns(lowerWord: string, names: readonly KnownName[]): string | undefined {
	if (lowerWord.length > 80) return undefined;
	const strippedName = stripSigns(lowerWord);
	return names.find(({plain}) => plain === strippedName)?.suggestedName;
}

const listNamesStarting = (lowerWord: string, names: readonly KnownName[]): readonly KnownName[] =>
	lowerWord.length < 4
		? []
		: names.filter(({name, suggestedName}) => name === suggestedName && name.startsWith(lowerWord));

/** True if a word is the start of a name, so that it is not a misspelling. */
const isNameStart = (lowerWord: string, names: readonly KnownName[]): boolean =>
	listNamesStarting(lowerWord, names).length > 0;

/** Finds the name that starts with a word; of several, the shortest, if it starts the others. */
function findByStart(lowerWord: string, names: readonly KnownName[]): string | undefined {
	const matches = listNamesStarting(lowerWord, names);
	const shortest = matches.toSorted((one, other) => one.name.length - other.name.length)[0]?.name;
	return shortest && matches.every(({name}) => name.startsWith(shortest)) ? shortest : undefined;
}

/** Finds the only name that contains the segments of a word in order: `http.uri.path`, `asnum`. */
function findBySegments(lowerWord: string): string | undefined {
	const segments = lowerWord.split('.', 12);
	// Raw fields and those of responses are only suggested to those who ask for them.
	const skipsVariants = !/^raw\.|\.response\b/.test(lowerWord);
	const matches = knownFields.filter(
		({name, suggestedName}) =>
			name === suggestedName &&
			!(skipsVariants && /^raw\.|^http\.response/.test(name)) &&
			hasSegments(name, segments),
	);
	return matches.length === 1 ? matches[0]?.name : undefined;
}

function hasSegments(name: string, segments: readonly string[]): boolean {
	if (!name.endsWith(segments.at(-1) ?? '')) return false;
	let position = 0;
	for (const segment of name.split('.')) if (segment === segments[position]) position++;
	return position === segments.length;
}

const leadingKeywords = ['not', 'and', 'or', 'xor'];
/** Operators that may be glued to the end of a word, longer ones first. */
export const trailingKeywords = ['contains', 'matches', 'wildcard', 'eq', 'ne', 'lt', 'le', 'gt', 'ge', 'in'];

/** Separates a keyword glued to a name: `notssl`, `http.hosteq`. */
export function separateKeyword(word: string): string | undefined {
	for (const keyword of leadingKeywords) {
		const remainder = word.slice(keyword.length);
		if (word.startsWith(keyword) && isKnownName(remainder)) return `${keyword} ${remainder}`;
	}
	for (const keyword of trailingKeywords) {
		const remainder = word.slice(0, -keyword.length);
		if (word.endsWith(keyword) && isKnownName(remainder)) return `${remainder} ${keyword}`;
	}
	return undefined;
}

export const isKnownName = (word: string): boolean =>
	findField(word) !== undefined || findFunction(word) !== undefined;

/**
 * Finds the nearest name; undefined if several are equally near. Compares letter by letter only what can be
 * near, since this runs on every key press.
 */
function findNearest(lowerWord: string, names: readonly KnownName[]): string | undefined {
	if (lowerWord.length > 80) return undefined;
	const wordLetterBits = getLetterBits(lowerWord);
	let maxDistance = lowerWord.length < 6 ? 1 : lowerWord.length < 16 ? 2 : lowerWord.length < 28 ? 3 : 4;
	let best: string | undefined;
	let isTie = false;
	let bestDistance = maxDistance + 1;
	for (const {name, letterBits: nameLetters, suggestedName} of names) {
		if (Math.abs(name.length - lowerWord.length) > maxDistance) continue;
		if (
			countBits(wordLetterBits & ~nameLetters) > maxDistance ||
			countBits(nameLetters & ~wordLetterBits) > maxDistance
		)
			continue;
		const distance = computeEditDistance(lowerWord, name, maxDistance);
		if (distance === undefined) continue;
		isTie = distance === bestDistance && suggestedName !== best;
		if (distance < bestDistance) best = suggestedName;
		bestDistance = distance;
		maxDistance = distance;
	}
	return isTie ? undefined : best;
}

function stripSigns(name: string): string {
	return name.replaceAll(/[_.-]/g, '');
}

/** Returns the letters of a word as a bit set; other characters share the remaining bits. */
function getLetterBits(word: string): number {
	let bits = 0;
	for (let position = 0; position < word.length; position++)
		bits |= 1 << ((word.charCodeAt(position) | 0x20) & 31);
	return bits;
}

function countBits(bits: number): number {
	let remainingBits = bits;
	let bitCount = 0;
	for (; remainingBits; remainingBits &= remainingBits - 1) bitCount++;
	return bitCount;
}
