import {type Atom, readEscape} from './escapes.ts';
import type {PatternReader} from './reader.ts';

const asciiClass =
	/\[:\^?(?:alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit):\]/y;

/** Reads a class in brackets, including nested ones. The reader is at its bracket, and after it when done. */
export function readClass(reader: PatternReader): void {
	/** The positions of the open classes. */
	const openBrackets = [reader.position];
	openClass(reader);
	for (let start = openBrackets.at(-1); start !== undefined; start = openBrackets.at(-1)) {
		reader.skipSpace();
		if (reader.isAtEnd) refuseUnclosedClass(start, reader);
		if (reader.consume(']')) openBrackets.pop();
		else if (reader.isAt('[')) {
			asciiClass.lastIndex = reader.position;
			if (asciiClass.test(reader.pattern)) reader.position = asciiClass.lastIndex;
			else {
				openBrackets.push(reader.position);
				openClass(reader);
			}
		} else if (!['&&', '--', '~~'].some(operator => reader.consume(operator))) readItem(reader, start);
	}
}

/** Reads the bracket, a `^`, and what is literal only there: any number of `-`, or one `]`. */
function openClass(reader: PatternReader): void {
	reader.position++;
	reader.skipSpace();
	if (reader.consume('^')) reader.skipSpace();
	const firstPosition = reader.position;
	while (reader.consume('-')) reader.skipSpace();
	if (reader.position === firstPosition) reader.consume(']');
}

/** Reads one character or a range. */
function readItem(reader: PatternReader, classStart: number): void {
	const start = reader.position;
	const lowEnd = readMember(reader);
	const lowEndPosition = reader.position;
	reader.skipSpace();
	if (reader.isAtEnd) refuseUnclosedClass(classStart, reader);
	if (!reader.consume('-')) return;
	reader.skipSpace();
	if (reader.isAt(']') || reader.isAt('-')) {
		reader.position = lowEndPosition;
		reader.skipSpace();
		if (!reader.isAt('--')) reader.position++;
		return;
	}
	if (reader.isAtEnd) refuseUnclosedClass(classStart, reader);
	const highEnd = readMember(reader);
	if (lowEnd.kind !== 'literal' || highEnd.kind !== 'literal')
		reader.refuse(
			start,
			'invalid range boundary, must be a literal',
			'A range goes from one character to another; escape the - to match it literally.',
		);
	if (lowEnd.code <= highEnd.code) return;
	const firstText = reader.pattern.slice(start, lowEndPosition);
	const lastText = reader.pattern.slice(reader.pattern.indexOf('-', lowEndPosition) + 1, reader.position);
	reader.refuse(
		start,
		'invalid character class range, the start must be <= the end',
		'The ends of this range are in the wrong order.',
		`${lastText}-${firstText}`,
	);
}

function readMember(reader: PatternReader): Atom {
	const start = reader.position;
	if (reader.isAt('\\')) {
		const atom = readEscape(reader);
		if (atom.kind !== 'assertion') return atom;
		return reader.refuse(
			start,
			'invalid escape sequence found in character class',
			'Brackets can only contain characters, not positions between them.',
		);
	}
	const code = reader.take().codePointAt(0) ?? 0;
	if (code < 0x80 || reader.flags.unicode) return {kind: 'literal', code};
	return reader.refuse(
		start,
		'Unicode not allowed here',
		'The service compares bytes: a class can only contain ASCII characters. Use (?:a|b) for others.',
	);
}

function refuseUnclosedClass(start: number, reader: PatternReader): never {
	reader.position = reader.pattern.length;
	return reader.refuse(start, 'unclosed character class', 'This bracket is not closed.');
}
