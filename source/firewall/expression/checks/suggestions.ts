import {fields, findField} from '../vocabulary/fields.ts';
import {findFunction, functions} from '../vocabulary/functions.ts';
import type {Phase} from '../vocabulary/phases.ts';
import {getVerdict} from '../vocabulary/verdict.ts';
import {computeEditDistance} from './edit-distance.ts';
import {otherFieldNames, otherFunctionNames} from './other-names.ts';

type KnownName = {
	readonly name: string;
	/** The name without dots and other signs. */
	readonly plain: string;
	readonly letters: number;
	readonly intended: string;
};

const createKnownName = (name: string, intended = name): KnownName => ({
	name,
	plain: stripSigns(name),
	letters: getLetterBits(name),
	intended,
});
const knownFields = fields.map(({name, replacement}) => createKnownName(name, replacement));
const knownFunctions = functions.map(({name}) => createKnownName(name));

/**
 * Suggests a field for an unknown name; undefined if several are equally likely, or if the likely one cannot
 * be used in the phase.
 */
export function suggestField(word: string, phase: Phase): string | undefined {
	const lower = word.toLowerCase();
	const name =
		otherFieldNames.get(lower) ??
		findIgnoringSigns(lower, knownFields) ??
		(isNameStart(lower, knownFields)
			? findByStart(lower, knownFields)
			: (findBySegments(lower) ?? findNearest(lower, knownFields)));
	const field = name === undefined ? undefined : findField(name);
	return field && getVerdict(field, phase).kind !== 'error' ? field.name : undefined;
}

/** Suggests a function for an unknown name, under the same conditions. */
export function suggestFunction(word: string, phase: Phase): string | undefined {
	const lower = word.toLowerCase();
	const name =
		otherFunctionNames.get(lower) ??
		findIgnoringSigns(lower, knownFunctions) ??
		(isNameStart(lower, knownFunctions)
			? findByStart(lower, knownFunctions)
			: findNearest(lower, knownFunctions));
	const suggested = name === undefined ? undefined : findFunction(name);
	return suggested && getVerdict(suggested, phase).kind === 'allowed' ? suggested.name : undefined;
}

/** Finds the name that differs only in its signs: `http.userAgent`, `startswith`. */
function findIgnoringSigns(lower: string, names: readonly KnownName[]): string | undefined {
	if (lower.length > 80) return undefined;
	const stripped = stripSigns(lower);
	return names.find(({plain}) => plain === stripped)?.intended;
}

const listNamesStarting = (lower: string, names: readonly KnownName[]): readonly KnownName[] =>
	lower.length < 4 ? [] : names.filter(({name, intended}) => name === intended && name.startsWith(lower));

/** True if a word is the start of a name, so that it is not a misspelling. */
const isNameStart = (lower: string, names: readonly KnownName[]): boolean =>
	listNamesStarting(lower, names).length > 0;

/** Finds the name that starts with a word; of several, the shortest, if it starts the others. */
function findByStart(lower: string, names: readonly KnownName[]): string | undefined {
	const found = listNamesStarting(lower, names);
	const shortest = found.toSorted((one, other) => one.name.length - other.name.length)[0]?.name;
	return shortest && found.every(({name}) => name.startsWith(shortest)) ? shortest : undefined;
}

/** Finds the only name that contains the segments of a word in order: `http.uri.path`, `asnum`. */
function findBySegments(lower: string): string | undefined {
	const segments = lower.split('.', 12);
	const isPlain = !/^raw\.|\.response\b/.test(lower);
	const found = knownFields.filter(
		({name, intended}) =>
			name === intended && !(isPlain && /^raw\.|^http\.response/.test(name)) && hasSegments(name, segments),
	);
	return found.length === 1 ? found[0]?.name : undefined;
}

function hasSegments(name: string, segments: readonly string[]): boolean {
	if (!name.endsWith(segments.at(-1) ?? '')) return false;
	let place = 0;
	for (const segment of name.split('.')) if (segment === segments[place]) place++;
	return place === segments.length;
}

const leadingKeywords = ['not', 'and', 'or', 'xor'];
/** Operators that may be glued to the end of a word, longer ones first. */
export const trailingKeywords = ['contains', 'matches', 'wildcard', 'eq', 'ne', 'lt', 'le', 'gt', 'ge', 'in'];

/** Separates a keyword glued to a name: `notssl`, `http.hosteq`. */
export function separateKeyword(word: string): string | undefined {
	for (const keyword of leadingKeywords) {
		const rest = word.slice(keyword.length);
		if (word.startsWith(keyword) && isKnownName(rest)) return `${keyword} ${rest}`;
	}
	for (const keyword of trailingKeywords) {
		const rest = word.slice(0, -keyword.length);
		if (word.endsWith(keyword) && isKnownName(rest)) return `${rest} ${keyword}`;
	}
	return undefined;
}

export const isKnownName = (word: string): boolean =>
	findField(word) !== undefined || findFunction(word) !== undefined;

/**
 * Finds the nearest name; undefined if several are equally near. Compares letter by letter only what can be
 * near, since this runs on every key press.
 */
function findNearest(lower: string, names: readonly KnownName[]): string | undefined {
	if (lower.length > 80) return undefined;
	const letters = getLetterBits(lower);
	let most = lower.length < 6 ? 1 : lower.length < 16 ? 2 : lower.length < 28 ? 3 : 4;
	let best: string | undefined;
	let isTie = false;
	let least = most + 1;
	for (const {name, letters: others, intended} of names) {
		if (Math.abs(name.length - lower.length) > most) continue;
		if (countBits(letters & ~others) > most || countBits(others & ~letters) > most) continue;
		const distance = computeEditDistance(lower, name, most);
		if (distance === undefined) continue;
		isTie = distance === least && intended !== best;
		if (distance < least) best = intended;
		least = distance;
		most = distance;
	}
	return isTie ? undefined : best;
}

function stripSigns(name: string): string {
	return name.replaceAll(/[_.-]/g, '');
}

/** Returns the letters of a word as a bit set; other characters share the remaining bits. */
function getLetterBits(word: string): number {
	let bits = 0;
	for (let place = 0; place < word.length; place++) bits |= 1 << ((word.charCodeAt(place) | 0x20) & 31);
	return bits;
}

function countBits(bits: number): number {
	let left = bits;
	let found = 0;
	for (; left; left &= left - 1) found++;
	return found;
}
