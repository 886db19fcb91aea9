import {type Outcome, readEscape} from './escapes.ts';
import {type PatternFinding, patternError} from './finding.ts';
import {characterAt, type Reader, skipSpace, startsWith} from './reader.ts';

const asciiClass =
	/\[:\^?(?:alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit):\]/y;

/** Reads a class in brackets, with classes inside it; the reader is at its bracket, and behind it afterwards. */
export function readClass(reader: Reader): PatternFinding | undefined {
	/** Where the classes begin that are open. */
	const opened = [reader.place];
	openClass(reader);
	for (;;) {
		skipSpace(reader);
		const start = opened.at(-1);
		if (start === undefined) return;
		if (reader.place >= reader.pattern.length) return unclosed(start, reader);
		if (startsWith(reader, ']')) {
			reader.place++;
			opened.pop();
			if (opened.length === 0) return;
		} else if (startsWith(reader, '[')) {
			asciiClass.lastIndex = reader.place;
			if (asciiClass.test(reader.pattern)) reader.place = asciiClass.lastIndex;
			else {
				opened.push(reader.place);
				openClass(reader);
			}
		} else if (['&&', '--', '~~'].some(operator => startsWith(reader, operator))) reader.place += 2;
		else {
			const error = readItem(reader, start);
			if (error) return error;
		}
	}
}

/** The bracket, a `^`, and what is a plain character only there: any number of `-`, or one `]`. */
function openClass(reader: Reader): void {
	reader.place++;
	skipSpace(reader);
	if (startsWith(reader, '^')) {
		reader.place++;
		skipSpace(reader);
	}
	const first = reader.place;
	while (startsWith(reader, '-')) {
		reader.place++;
		skipSpace(reader);
	}
	if (reader.place === first && startsWith(reader, ']')) reader.place++;
}

/** One character or a range of them. */
function readItem(reader: Reader, classStart: number): PatternFinding | undefined {
	const start = reader.place;
	const from = readMember(reader);
	if (!from.ok) return from.error;
	const behind = reader.place;
	skipSpace(reader);
	if (reader.place >= reader.pattern.length) return unclosed(classStart, reader);
	if (!startsWith(reader, '-')) return;
	reader.place++;
	skipSpace(reader);
	if (startsWith(reader, ']') || startsWith(reader, '-')) {
		reader.place = behind;
		skipSpace(reader);
		if (!startsWith(reader, '--')) reader.place++;
		return;
	}
	if (reader.place >= reader.pattern.length) return unclosed(classStart, reader);
	const to = readMember(reader);
	if (!to.ok) return to.error;
	if (from.atom.kind !== 'literal' || to.atom.kind !== 'literal')
		return patternError(
			start,
			reader.place,
			'invalid range boundary, must be a literal',
			'A range goes from one character to another; escape the - if it is meant itself.',
		);
	if (from.atom.code <= to.atom.code) return;
	const first = reader.pattern.slice(start, behind);
	const last = reader.pattern.slice(reader.pattern.indexOf('-', behind) + 1, reader.place);
	return patternError(
		start,
		reader.place,
		'invalid character class range, the start must be <= the end',
		'The ends of this range are the wrong way round.',
		`${last}-${first}`,
	);
}

function readMember(reader: Reader): Outcome {
	const start = reader.place;
	if (startsWith(reader, '\\')) {
		const outcome = readEscape(reader);
		if (!outcome.ok || outcome.atom.kind !== 'assertion') return outcome;
		return {
			ok: false,
			error: patternError(
				start,
				reader.place,
				'invalid escape sequence found in character class',
				'Inside brackets stand characters only, no places between them.',
			),
		};
	}
	const character = characterAt(reader);
	reader.place += character.length;
	const code = character.codePointAt(0) ?? 0;
	if (code < 0x80 || reader.flags.unicode) return {ok: true, atom: {kind: 'literal', code}};
	return {
		ok: false,
		error: patternError(
			start,
			reader.place,
			'Unicode not allowed here',
			'The service compares bytes: a class holds ASCII characters only. Use (?:a|b) for others.',
		),
	};
}

const unclosed = (start: number, {pattern}: Reader): PatternFinding =>
	patternError(start, pattern.length, 'unclosed character class', 'This bracket is never closed.');
