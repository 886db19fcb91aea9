import {type PatternFinding, patternError} from './finding.ts';
import {characterAt, type Flags, type Reader, skipSpace, startsWith} from './reader.ts';

/** A group that is open from here on, or flags that hold from here on, or what is wrong. */
export type GroupStart =
	| {readonly kind: 'group'; readonly flags: Flags}
	| {readonly kind: 'flags'; readonly flags: Flags}
	| {readonly kind: 'error'; readonly error: PatternFinding};

const wrong = (...error: Parameters<typeof patternError>): GroupStart => ({
	kind: 'error',
	error: patternError(...error),
});

const unsupported = [
	{opening: '?=', what: 'look ahead'},
	{opening: '?!', what: 'look ahead'},
	{opening: '?<=', what: 'look behind'},
	{opening: '?<!', what: 'look behind'},
] as const;

/** Reads what a group begins with; the reader is at its parenthesis. `names` are those of the groups before it. */
export function readGroupStart(reader: Reader, names: Set<string>): GroupStart {
	const start = reader.place;
	reader.place++;
	skipSpace(reader);
	for (const {opening, what} of unsupported)
		if (startsWith(reader, opening))
			return wrong(
				start,
				reader.place + opening.length,
				'look-around, including look-ahead and look-behind, is not supported',
				`The engine cannot ${what}. Use another comparison joined with and, and not, instead.`,
			);
	if (startsWith(reader, '?P=') || startsWith(reader, '?P>'))
		return wrong(
			start,
			reader.place + 3,
			'backreferences are not supported',
			'The engine cannot refer back to a group.',
		);
	for (const opening of ['?P<', '?<'])
		if (startsWith(reader, opening)) {
			reader.place += opening.length;
			return readName(reader, names);
		}
	if (!startsWith(reader, '?')) return {kind: 'group', flags: reader.flags};
	reader.place++;
	return readFlags(reader, start);
}

function readName(reader: Reader, names: Set<string>): GroupStart {
	const start = reader.place;
	let character = characterAt(reader);
	while (character !== '' && character !== '>') {
		if (!(reader.place === start ? /[\p{Alphabetic}_]/u : /[\p{Alphabetic}\p{N}_.[\]]/u).test(character))
			return wrong(
				reader.place,
				reader.place + character.length,
				'invalid capture group character',
				'The name of a group begins with a letter or _, and continues with letters, digits and _.',
			);
		reader.place += character.length;
		character = characterAt(reader);
	}
	const name = reader.pattern.slice(start, reader.place);
	if (character === '')
		return wrong(
			start,
			reader.place,
			'unclosed capture group name',
			'The name of this group needs a > behind it.',
		);
	reader.place++;
	if (name === '')
		return wrong(start, reader.place, 'empty capture group name', 'The name of this group is missing.');
	if (names.has(name))
		return wrong(
			start,
			reader.place - 1,
			'duplicate capture group name',
			'Another group has this name already.',
		);
	names.add(name);
	return {kind: 'group', flags: reader.flags};
}

/** `(?i)`, `(?i-s:`, `(?:`: the reader is behind the question mark. */
function readFlags(reader: Reader, groupStart: number): GroupStart {
	const start = reader.place;
	const seen = new Set<string>();
	let flags = reader.flags;
	for (let character = characterAt(reader); ; character = characterAt(reader)) {
		const [from, end] = [reader.place, reader.place + character.length];
		reader.place = end;
		if (character === '')
			return wrong(groupStart, end, 'expected flag but got end of regex', 'This group is never closed.');
		if (character === ':' || character === ')') {
			if (reader.pattern.charAt(from - 1) === '-' && from > start)
				return wrong(from - 1, from, 'dangling flag negation operator', 'Behind this - a flag is missing.');
			if (character === ':') return {kind: 'group', flags};
			if (from > start) return {kind: 'flags', flags};
			return wrong(start - 1, start, 'repetition operator missing expression', 'There are no flags here.');
		}
		if (!/[imsUuxR-]/.test(character))
			return wrong(
				from,
				end,
				'unrecognized flag',
				`(?${character} is nothing that the engine knows: a plain group is (?:…), flags are i, m, s, U, u, x, R.`,
			);
		if (seen.has(character))
			return wrong(
				from,
				end,
				character === '-' ? 'flag negation operator repeated' : 'duplicate flag',
				'This stands here twice.',
				'',
			);
		seen.add(character);
		const on = !seen.has('-');
		if (character === 'u') flags = {...flags, unicode: on};
		if (character === 'x') flags = {...flags, spaced: on};
	}
}
