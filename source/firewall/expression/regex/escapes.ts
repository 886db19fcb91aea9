import type {PatternReader} from './reader.ts';

/** What one part of a pattern matches: one character, any of a class, or a position between characters. */
export type Atom = {readonly kind: 'literal'; readonly code: number} | {readonly kind: 'class' | 'assertion'};

const controls: Readonly<Record<string, number>> = {a: 7, f: 12, t: 9, n: 10, r: 13, v: 11};
const hexDigits: Readonly<Record<string, number>> = {x: 2, u: 4, U: 8};
const boundaries = ['start', 'end', 'start-half', 'end-half'];

const incompleteEscape = 'incomplete escape sequence, reached end of pattern prematurely';

/** Reads an escape. The reader is at its backslash, and after it when done. */
export function readEscape(reader: PatternReader): Atom {
	const start = reader.position++;
	const character = reader.take();
	if (character === '')
		reader.refuse(start, incompleteEscape, 'A backslash at the end escapes nothing.', '\\\\');
	if (/[0-9]/.test(character)) {
		const sentence = `The engine doesn't support backreferences (\\${character}).`;
		reader.refuse(start, 'backreferences are not supported', sentence);
	}
	if (character in hexDigits) return readHex(reader, start, hexDigits[character] ?? 2);
	if (/[pP]/.test(character)) return readUnicodeClass(reader, start);
	if (/[dswDSW]/.test(character)) return {kind: 'class'};
	const control = controls[character];
	if (control !== undefined) return {kind: 'literal', code: control};
	if (/[AzB<>]/.test(character)) return {kind: 'assertion'};
	if (character === 'b') return readBoundary(reader, start);
	if (/[!-/:-@[-`{-~\s]/.test(character) && character < '\x7f')
		return {kind: 'literal', code: character.charCodeAt(0)};
	const engineMessage = 'unrecognized escape sequence';
	return character === 'Z'
		? reader.refuse(start, engineMessage, 'Use a lower-case \\z for the end of the string.', '\\z')
		: reader.refuse(start, engineMessage, `The engine doesn't support the escape \\${character}.`, character);
}

/** Reads `\x41`, `\u0041`, `\U00000041`, or any of these with braces and any number of digits: `\x{41}`. */
function readHex(reader: PatternReader, start: number, digitCount: number): Atom {
	const isBraced = reader.consume('{');
	const digitsStart = reader.position;
	while (/[0-9a-f]/i.test(reader.unit) && (isBraced || reader.position - digitsStart < digitCount))
		reader.position++;
	const digits = reader.pattern.slice(digitsStart, reader.position);
	if (isBraced ? reader.unit !== '}' : digits.length < digitCount)
		reader.refuse(
			start,
			reader.isAtEnd ? incompleteEscape : 'invalid hexadecimal digit',
			isBraced ? 'These braces can only contain hex digits.' : `Expected ${digitCount} hex digits.`,
		);
	if (isBraced) reader.position++;
	if (digits === '') reader.refuse(start, 'hexadecimal literal empty', 'These braces need hex digits.');
	const code = Number.parseInt(digits, 16);
	if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		reader.refuse(
			start,
			'hexadecimal literal is not a Unicode scalar value',
			'There is no character with this number.',
		);
	return {kind: 'literal', code};
}

/** Reads `\pL` or `\p{Greek}`: valid only where the pattern turns Unicode on, since it is off by default. */
function readUnicodeClass(reader: PatternReader, start: number): Atom {
	const close = reader.unit === '{' ? reader.pattern.indexOf('}', reader.position) : reader.position;
	if (close < 0 || reader.isAtEnd) {
		reader.position = reader.pattern.length;
		reader.refuse(start, incompleteEscape, 'The name of a Unicode class is missing, as in \\p{Greek}.');
	}
	reader.position = close;
	reader.take();
	if (reader.flags.unicode) return {kind: 'class'};
	return reader.refuse(
		start,
		'Unicode not allowed here',
		'The service compares bytes: Unicode classes are not supported. Use classes such as [a-z] or \\w.',
	);
}

/** Reads `\b`, `\b{start}` and similar. With a number in the braces, they are a repetition, left unread. */
function readBoundary(reader: PatternReader, start: number): Atom {
	const {pattern, position} = reader;
	if (reader.unit !== '{' || !/[a-z-]/i.test(pattern.charAt(position + 1))) return {kind: 'assertion'};
	const close = pattern.indexOf('}', position);
	reader.position = close < 0 ? pattern.length : close + 1;
	if (close >= 0 && boundaries.includes(pattern.slice(position + 1, close))) return {kind: 'assertion'};
	return reader.refuse(
		start,
		close < 0
			? 'special word boundary assertion is unclosed'
			: 'unrecognized special word boundary assertion',
		`Unknown boundary. Use one of: ${boundaries.map(one => `\\b{${one}}`).join(', ')}.`,
	);
}
