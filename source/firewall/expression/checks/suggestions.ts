import {fieldNamed, fields} from '../vocabulary/fields.ts';
import {functionNamed, functions} from '../vocabulary/functions.ts';
import type {Phase} from '../vocabulary/phases.ts';
import {verdictOn} from '../vocabulary/verdict.ts';
import {distanceWithin} from './edit-distance.ts';
import {otherFieldNames, otherFunctionNames} from './other-names.ts';

type Known = {
	readonly name: string;
	/** The name without dots and other signs. */
	readonly plain: string;
	readonly letters: number;
	readonly meant: string;
};

const known = (name: string, meant = name): Known => ({
	name,
	plain: plainOf(name),
	letters: lettersOf(name),
	meant,
});
const knownFields = fields.map(({name, replacement}) => known(name, replacement));
const knownFunctions = functions.map(({name}) => known(name));

/**
 * Suggests a field for an unknown name; undefined if several are equally likely, or if the likely one cannot
 * be used in the phase.
 */
export function fieldMeant(word: string, phase: Phase): string | undefined {
	const lower = word.toLowerCase();
	const name =
		otherFieldNames.get(lower) ??
		alike(lower, knownFields) ??
		(isBegun(lower, knownFields)
			? begun(lower, knownFields)
			: (withoutSegments(lower) ?? near(lower, knownFields)));
	const field = name === undefined ? undefined : fieldNamed(name);
	return field && verdictOn(field, phase).kind !== 'error' ? field.name : undefined;
}

/** Suggests a function for an unknown name, under the same conditions. */
export function functionMeant(word: string, phase: Phase): string | undefined {
	const lower = word.toLowerCase();
	const name =
		otherFunctionNames.get(lower) ??
		alike(lower, knownFunctions) ??
		(isBegun(lower, knownFunctions) ? begun(lower, knownFunctions) : near(lower, knownFunctions));
	const called = name === undefined ? undefined : functionNamed(name);
	return called && verdictOn(called, phase).kind === 'allowed' ? called.name : undefined;
}

/** Finds the name that differs only in its signs: `http.userAgent`, `startswith`. */
function alike(lower: string, names: readonly Known[]): string | undefined {
	if (lower.length > 80) return undefined;
	const wanted = plainOf(lower);
	return names.find(({plain}) => plain === wanted)?.meant;
}

const begunBy = (lower: string, names: readonly Known[]): readonly Known[] =>
	lower.length < 4 ? [] : names.filter(({name, meant}) => name === meant && name.startsWith(lower));

/** True if a word is the start of a name, so that it is not a misspelling. */
const isBegun = (lower: string, names: readonly Known[]): boolean => begunBy(lower, names).length > 0;

/** Finds the name that starts with a word; of several, the shortest, if it starts the others. */
function begun(lower: string, names: readonly Known[]): string | undefined {
	const found = begunBy(lower, names);
	const shortest = found.toSorted((one, other) => one.name.length - other.name.length)[0]?.name;
	return shortest && found.every(({name}) => name.startsWith(shortest)) ? shortest : undefined;
}

/** Finds the only name that contains the segments of a word in order: `http.uri.path`, `asnum`. */
function withoutSegments(lower: string): string | undefined {
	const segments = lower.split('.', 12);
	const isPlain = !/^raw\.|\.response\b/.test(lower);
	const found = knownFields.filter(
		({name, meant}) =>
			name === meant && !(isPlain && /^raw\.|^http\.response/.test(name)) && hasSegments(name, segments),
	);
	return found.length === 1 ? found[0]?.name : undefined;
}

function hasSegments(name: string, segments: readonly string[]): boolean {
	if (!name.endsWith(segments.at(-1) ?? '')) return false;
	let place = 0;
	for (const segment of name.split('.')) if (segment === segments[place]) place++;
	return place === segments.length;
}

const keywordsBefore = ['not', 'and', 'or', 'xor'];
/** Operators that may be glued to the end of a word, longer ones first. */
export const keywordsBehind = ['contains', 'matches', 'wildcard', 'eq', 'ne', 'lt', 'le', 'gt', 'ge', 'in'];

/** Separates a keyword glued to a name: `notssl`, `http.hosteq`. */
export function keywordApart(word: string): string | undefined {
	for (const keyword of keywordsBefore) {
		const rest = word.slice(keyword.length);
		if (word.startsWith(keyword) && isName(rest)) return `${keyword} ${rest}`;
	}
	for (const keyword of keywordsBehind) {
		const rest = word.slice(0, -keyword.length);
		if (word.endsWith(keyword) && isName(rest)) return `${rest} ${keyword}`;
	}
	return undefined;
}

export const isName = (word: string): boolean =>
	fieldNamed(word) !== undefined || functionNamed(word) !== undefined;

/**
 * Finds the nearest name; undefined if several are equally near. Compares letter by letter only what can be
 * near, since this runs on every key press.
 */
function near(lower: string, names: readonly Known[]): string | undefined {
	if (lower.length > 80) return undefined;
	const letters = lettersOf(lower);
	let most = lower.length < 6 ? 1 : lower.length < 16 ? 2 : lower.length < 28 ? 3 : 4;
	let best: string | undefined;
	let isTie = false;
	let least = most + 1;
	for (const {name, letters: others, meant} of names) {
		if (Math.abs(name.length - lower.length) > most) continue;
		if (count(letters & ~others) > most || count(others & ~letters) > most) continue;
		const distance = distanceWithin(lower, name, most);
		if (distance === undefined) continue;
		isTie = distance === least && meant !== best;
		if (distance < least) best = meant;
		least = distance;
		most = distance;
	}
	return isTie ? undefined : best;
}

function plainOf(name: string): string {
	return name.replaceAll(/[_.-]/g, '');
}

/** Returns the letters of a word as a bit set; other characters share the remaining bits. */
function lettersOf(word: string): number {
	let bits = 0;
	for (let place = 0; place < word.length; place++) bits |= 1 << ((word.charCodeAt(place) | 0x20) & 31);
	return bits;
}

function count(bits: number): number {
	let left = bits;
	let found = 0;
	for (; left; left &= left - 1) found++;
	return found;
}
