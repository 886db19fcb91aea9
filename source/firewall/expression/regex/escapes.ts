import {type PatternFinding, patternError} from './finding.ts';
import {characterAt, type Reader} from './reader.ts';

/** What one part of a pattern matches: one character, any of a class, or a place between characters. */
export type Atom = {readonly kind: 'literal'; readonly code: number} | {readonly kind: 'class' | 'assertion'};

export type Outcome =
	| {readonly ok: true; readonly atom: Atom}
	| {readonly ok: false; readonly error: PatternFinding};

const fine = (atom: Atom): Outcome => ({ok: true, atom});
const wrong = (...error: Parameters<typeof patternError>): Outcome => ({
	ok: false,
	error: patternError(...error),
});

const controls: Readonly<Record<string, number>> = {a: 7, f: 12, t: 9, n: 10, r: 13, v: 11};
const hexDigits: Readonly<Record<string, number>> = {x: 2, u: 4, U: 8};
const boundaries = ['start', 'end', 'start-half', 'end-half'];

const cutOff = 'incomplete escape sequence, reached end of pattern prematurely';

/** Reads an escape; the reader is at its backslash, and behind it afterwards. */
export function readEscape(reader: Reader): Outcome {
	const start = reader.place;
	reader.place++;
	const character = characterAt(reader);
	reader.place += character.length;
	const end = reader.place;
	if (character === '') return wrong(start, end, cutOff, 'A backslash at the end escapes nothing.', '\\\\');
	if (/[0-9]/.test(character))
		return wrong(
			start,
			end,
			'backreferences are not supported',
			`The engine cannot refer back to a group (\\${character}).`,
		);
	if (character in hexDigits) return readHex(reader, start, hexDigits[character] ?? 2);
	if (/[pP]/.test(character)) return readUnicodeClass(reader, start);
	if (/[dswDSW]/.test(character)) return fine({kind: 'class'});
	const control = controls[character];
	if (control !== undefined) return fine({kind: 'literal', code: control});
	if (/[AzB<>]/.test(character)) return fine({kind: 'assertion'});
	if (character === 'b') return readBoundary(reader, start);
	if (/[!-/:-@[-`{-~\s]/.test(character) && character < '\x7f')
		return fine({kind: 'literal', code: character.charCodeAt(0)});
	return unknownEscape(start, end, character);
}

function unknownEscape(start: number, end: number, character: string): Outcome {
	const engine = 'unrecognized escape sequence';
	if (character === 'Z')
		return wrong(start, end, engine, 'The end of the text is \\z here, in lower case.', '\\z');
	return wrong(start, end, engine, `The engine knows no escape \\${character}.`, character);
}

/** `\x41`, `\u0041`, `\U00000041`, and each with braces and any number of digits: `\x{41}`. */
function readHex(reader: Reader, start: number, count: number): Outcome {
	const {pattern} = reader;
	const braced = pattern.charAt(reader.place) === '{';
	if (braced) reader.place++;
	const from = reader.place;
	while (/[0-9a-f]/i.test(pattern.charAt(reader.place)) && (braced || reader.place - from < count))
		reader.place++;
	const digits = pattern.slice(from, reader.place);
	if (braced ? pattern.charAt(reader.place) !== '}' : digits.length < count) {
		const atEnd = reader.place >= pattern.length;
		return wrong(
			start,
			reader.place,
			atEnd ? cutOff : 'invalid hexadecimal digit',
			braced ? 'Between these braces stand hex digits only.' : `Here stand ${count} hex digits.`,
		);
	}
	if (braced) reader.place++;
	if (digits === '')
		return wrong(
			start,
			reader.place,
			'hexadecimal literal empty',
			'Hex digits are missing between the braces.',
		);
	const code = Number.parseInt(digits, 16);
	if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return wrong(
			start,
			reader.place,
			'hexadecimal literal is not a Unicode scalar value',
			'No character has this number.',
		);
	return fine({kind: 'literal', code});
}

/** `\pL`, `\p{Greek}`: only where the pattern switches Unicode on, for the service has it off. */
function readUnicodeClass(reader: Reader, start: number): Outcome {
	const {pattern} = reader;
	const brace = pattern.charAt(reader.place) === '{';
	const close = brace ? pattern.indexOf('}', reader.place) : reader.place;
	if (close < 0 || reader.place >= pattern.length) {
		reader.place = pattern.length;
		return wrong(start, reader.place, cutOff, 'The name of a Unicode class is missing, as in \\p{Greek}.');
	}
	reader.place = brace ? close + 1 : close + characterAt(reader).length;
	if (reader.flags.unicode) return fine({kind: 'class'});
	return wrong(
		start,
		reader.place,
		'Unicode not allowed here',
		'The service compares bytes: there are no Unicode classes. Use classes as [a-z] or \\w.',
	);
}

/** `\b`, and `\b{start}` and its like; with a number in the braces it is a repetition. */
function readBoundary(reader: Reader, start: number): Outcome {
	const {pattern} = reader;
	if (pattern.charAt(reader.place) !== '{' || !/[a-z-]/i.test(pattern.charAt(reader.place + 1)))
		return fine({kind: 'assertion'});
	const close = pattern.indexOf('}', reader.place);
	const name = close < 0 ? '' : pattern.slice(reader.place + 1, close);
	reader.place = close < 0 ? pattern.length : close + 1;
	if (boundaries.includes(name)) return fine({kind: 'assertion'});
	return wrong(
		start,
		reader.place,
		close < 0
			? 'special word boundary assertion is unclosed'
			: 'unrecognized special word boundary assertion',
		`Such a boundary is one of ${boundaries.map(one => `\\b{${one}}`).join(', ')}.`,
	);
}
