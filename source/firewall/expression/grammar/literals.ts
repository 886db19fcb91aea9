import type {ValueType} from '../vocabulary/value-type.ts';
import {hostBits, readAddress, readNetwork, readRange} from './addresses.ts';
import {almostAddress, rangeWithDash} from './almost-addresses.ts';
import {integerMeant, looksLikeInteger, readInteger} from './integers.ts';
import type {Span} from './problem.ts';
import {endsInClass} from './quotes.ts';
import {type Reading, shown, spanOf} from './reading.ts';
import {requoted, type StringValue, stringValue} from './strings.ts';
import type {Lexeme} from './token.ts';
import type {Literal} from './tree.ts';
import {isAfterMatches, wordForString} from './words-for-strings.ts';

/** A literal; undefined if it was invalid, which was reported. */
type LiteralRead = {readonly literal: Literal | undefined; readonly string?: StringValue};

/** Maximum number of `#` around a raw string. */
const mostHashes = 255;

/** Reads a string and reports mistakes in its quotes and escapes. */
export function readString(reading: Reading, lexeme: Lexeme): LiteralRead {
	const {quoted} = lexeme;
	if (!quoted) return {literal: undefined};
	const span: Span = {start: lexeme.start, end: lexeme.end};
	const inRegex = quoted.form === 'regex' || isAfterMatches(reading, lexeme);
	if (quoted.form === 'foreign') {
		const content = reading.text.slice(quoted.from, quoted.to);
		reading.unreadable(
			quoted.closed ? span : {start: span.start, end: quoted.from},
			'Strings need straight double quotes: "…".',
			{engine: 'expected " or r', correction: {span, text: requoted(content, inRegex)}},
		);
		return {literal: undefined};
	}
	if (quoted.isStray) {
		// Between two values without a space, the quote is all that separates them.
		const separates = /[^\s,;}]/.test(reading.text.charAt(span.end));
		reading.unreadable(span, 'This quote belongs to no text: numbers and addresses have none.', {
			engine: 'could not find an ending quote',
			correction: separates ? ' ' : '',
		});
		return {literal: undefined};
	}
	const closing = quoted.form === 'raw' ? `"${'#'.repeat(quoted.hashes)}` : '"';
	if (!quoted.closed) {
		const opening = {start: span.start, end: quoted.from};
		reading.unreadable(opening, `Nothing closes this quote: ${shown(closing)} is missing.`, {
			engine: 'could not find an ending quote',
			mistake: 'open quote',
			correction:
				quoted.hashes > mostHashes
					? undefined
					: unclosedCorrection(
							reading.text,
							span,
							quoted.form === 'raw',
							inRegex && endsInClass(reading.text, quoted.from, quoted.to) ? `]${closing}` : closing,
						),
		});
		return {literal: undefined};
	}
	if (quoted.hashes > mostHashes) {
		reading.unreadable(span, `A raw string has at most ${mostHashes} #: this one has ${quoted.hashes}.`, {
			engine: 'invalid raw string hash count',
		});
		return {literal: undefined};
	}
	halfCharacter(reading, span);
	const string = stringValue(reading.text, quoted);
	for (const {start, end, sentence, correction} of string.escapes)
		reading.unreadable({start, end}, sentence, {engine: 'expected ", xHH or OOO after \\', correction});
	const form = quoted.form === 'raw' ? {raw: quoted.hashes} : 'quoted';
	return {literal: {kind: 'string', ...span, value: string.value, form}, string};
}

/** Reports an unpaired surrogate, which cannot be sent. */
function halfCharacter(reading: Reading, {start, end}: Span): void {
	const text = reading.text.slice(start, end);
	if (text.isWellFormed()) return;
	const place = text.search(/\p{Surrogate}/u);
	reading.broken = true;
	reading.error(
		{start: start + place, end: start + place + 1},
		'This is half of a character, which cannot be sent: write the character again.',
	);
}

/** Builds a closing quote, after a backslash if an odd number of these would escape it. */
function unclosedCorrection(text: string, span: Span, isRaw: boolean, closing: string) {
	const at = {start: span.end, end: span.end};
	let first = span.end;
	while (first > span.start + 1 && text.charAt(first - 1) === '\\') first--;
	return {span: at, text: !isRaw && (span.end - first) % 2 === 1 ? `\\${closing}` : closing};
}

/** True if a word is a literal of some type and not a name. */
export const looksLikeLiteral = (text: string): boolean =>
	looksLikeInteger(text) ||
	isBytes(text) ||
	/^[0-9a-fA-F.:]*[.:][0-9a-fA-F.:]*(?:\/[0-9]*)?$/.test(text) ||
	rangeWithDash(text) !== undefined;

const isBytes = (text: string): boolean => /^[0-9a-fA-F]{2}(?:[:.-][0-9a-fA-F]{2})+$/.test(text);

/** Reads a word as a value of a type; undefined if the type is unknown or has no literals. */
function readWord(reading: Reading, lexeme: Lexeme, type: ValueType | undefined): LiteralRead {
	switch (type?.kind) {
		case 'Integer':
			return {literal: integerOrRange(reading, lexeme)};
		case 'IP':
			return {literal: almostAddress(reading, lexeme) ? undefined : addresses(reading, lexeme)};
		case 'String':
		case 'Bytes':
			if (isBytes(lexeme.text)) return {literal: bytesOf(lexeme)};
			return {literal: wordForString(reading, lexeme)};
		default:
			return {literal: undefined};
	}
}

const bytesOf = (lexeme: Lexeme): Literal => ({
	kind: 'bytes',
	start: lexeme.start,
	end: lexeme.end,
	value: lexeme.text.split(/[:.-]/).map(byte => Number.parseInt(byte, 16)),
});

function integerOrRange(reading: Reading, lexeme: Lexeme): Literal | undefined {
	const dots = lexeme.text.indexOf('..');
	if (dots < 0) return integer(reading, lexeme, lexeme.text);
	const [firstText, lastText] = [lexeme.text.slice(0, dots), lexeme.text.slice(dots + 2)];
	const first = integer(reading, {start: lexeme.start, end: lexeme.start + dots}, firstText);
	const last = integer(reading, {start: lexeme.start + dots + 2, end: lexeme.end}, lastText);
	if (first?.kind !== 'integer' || last?.kind !== 'integer') return undefined;
	if (first.value > last.value) {
		reading.error(spanOf(first, last), 'The smaller number of a range comes first.', {
			engine: 'incompatible range bounds',
			correction: `${lastText}..${firstText}`,
		});
		return undefined;
	}
	return {kind: 'range', start: lexeme.start, end: lexeme.end, first, last};
}

function integer(reading: Reading, {start, end}: Span, text: string): Literal | undefined {
	const span = {start, end};
	const read = readInteger(text);
	if (!read.ok) {
		const dash = /^([0-9]+)-([0-9]+)$/.exec(text);
		const correction = dash ? `${dash[1]}..${dash[2]}` : read.correction;
		reading.unreadable(
			end > start ? span : {start: start - 2, end: start},
			dash ? `A range is written with two dots: ${correction}.` : read.sentence,
			{
				engine: read.engine,
				mistake: dash ? 'dash in a range' : undefined,
				correction: correction === undefined ? undefined : {span, text: correction},
			},
		);
		return undefined;
	}
	if (read.form === 'octal') octalWarning(reading, span, text, read.value);
	return {kind: 'integer', ...span, value: read.value, form: read.form};
}

/** Warns that a number starting with 0 is octal. */
export function octalWarning(reading: Reading, span: Span, text: string, value: bigint): void {
	const bare = text.replace(/^0+(?=.)/, '');
	reading.warning(
		span,
		bare === String(value)
			? `A number that begins with 0 is octal: ${shown(text)} is written ${value}.`
			: `${shown(text)} is octal, since it begins with 0: it means ${value}. Write that, or ${bare} if that was meant.`,
		{correction: String(value)},
	);
}

function addresses(reading: Reading, lexeme: Lexeme): Literal | undefined {
	const {text} = lexeme;
	const span = {start: lexeme.start, end: lexeme.end};
	if (text.includes('..')) {
		const range = readRange(text);
		if (!range.ok) return badAddress(reading, span, range, range.engine ?? badNetwork);
		const [first, last] = text.split('..');
		const middle = lexeme.start + (first?.length ?? 0);
		return {
			kind: 'range',
			...span,
			first: address({start: lexeme.start, end: middle}, first ?? '', range.first.version),
			last: address({start: middle + 2, end: lexeme.end}, last ?? '', range.last.version),
		};
	}
	if (text.includes('/')) {
		const network = readNetwork(text);
		if (!network.ok) return badAddress(reading, span, network, network.engine ?? badNetwork);
		return {kind: 'network', ...span, text, version: network.version, bits: network.bits};
	}
	const read = readAddress(text);
	if (!read.ok) return badAddress(reading, span, read, /^[0-9a-fA-F.:]/.test(text) ? badNetwork : noAddress);
	return address(span, text, read.version);
}

const badNetwork = "couldn't parse address in network: invalid IP address syntax";
/** The engine's message if even the first character cannot start an address. */
const noAddress = 'expected IP address character';

const address = (span: Span, text: string, version: 4 | 6): Literal => ({
	kind: 'address',
	...span,
	text,
	version,
});

function badAddress(
	reading: Reading,
	span: Span,
	{sentence, correction}: {sentence: string; correction?: string},
	engine: string,
): undefined {
	const slash = reading.slice(span).indexOf('/');
	reading.unreadable(engine === hostBits ? {start: span.start, end: span.start + slash} : span, sentence, {
		engine,
		correction: correction === undefined ? undefined : {span, text: correction},
	});
}

/** Reads a literal of a type and moves past it. Returns undefined without a report if there is none. */
export function readLiteral(reading: Reading, type: ValueType | undefined): LiteralRead | undefined {
	const {current} = reading;
	if (!current) return undefined;
	let read: LiteralRead | undefined;
	if (current.kind === 'string') {
		read = readString(reading, current);
		if (type && type.kind !== 'String' && type.kind !== 'Bytes' && !fits(reading, current, type))
			read = {literal: undefined};
	} else if (current.kind === 'word') {
		read = type || looksLikeLiteral(current.text) ? readWord(reading, current, type) : undefined;
	} else if (type?.kind === 'IP' && current.text === '[' && almostAddress(reading, current)) {
		read = {literal: undefined};
	} else if (type?.kind === 'String' && (current.kind === 'unknown' || '*=~^&|<>!'.includes(current.text)))
		read = {literal: wordForString(reading, current)};
	if (read) reading.index++;
	return read;
}

/** Reports a string in place of a number or an address, with the quotes removed if that is valid. */
function fits(reading: Reading, lexeme: Lexeme, type: ValueType): false {
	const content = lexeme.quoted ? reading.text.slice(lexeme.quoted.from, lexeme.quoted.to) : '';
	const meant =
		type.kind === 'Integer'
			? readInteger(content).ok
			: readAddress(content).ok || readNetwork(content).ok || readRange(content).ok;
	const expected = type.kind === 'Integer' ? 'A number is' : 'An address is';
	if (lexeme.quoted?.closed)
		reading.unreadable(lexeme, `${expected} needed here, and written without quotes.`, {
			engine: type.kind === 'Integer' ? 'expected digit' : noAddress,
			correction: meant ? content : type.kind === 'Integer' ? integerMeant(content) : undefined,
		});
	return false;
}
