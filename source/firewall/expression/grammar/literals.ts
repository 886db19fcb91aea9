import type {ValueType} from '../vocabulary/value-type.ts';
import {hostBitsMessage, parseIpAddress, parseNetwork, parseRange} from './addresses.ts';
import {correctDashedRange, reportForeignAddress} from './foreign-addresses.ts';
import {extractAsNumber, looksLikeInteger, readInteger} from './integers.ts';
import {abbreviate, joinSpans, type Parser} from './parser.ts';
import type {Span} from './problem.ts';
import {isInClassAtEnd} from './quotes.ts';
import {readStringValue, requote, type StringValue} from './strings.ts';
import type {Lexeme} from './token.ts';
import type {Literal} from './tree.ts';
import {isAfterMatches, reportUnquotedString} from './words-for-strings.ts';

/** A literal; undefined if it was invalid, which was reported. */
type ParsedLiteral = {readonly literal: Literal | undefined; readonly string?: StringValue};

/** Maximum number of `#` around a raw string. */
const maxHashes = 255;

/** Reads a string and reports mistakes in its quotes and escapes. */
export function readString(parser: Parser, lexeme: Lexeme): ParsedLiteral {
	const {quoted} = lexeme;
	if (!quoted) return {literal: undefined};
	const span: Span = {start: lexeme.start, end: lexeme.end};
	const inRegex = quoted.form === 'regex' || isAfterMatches(parser, lexeme);
	if (quoted.form === 'foreign') {
		const content = parser.text.slice(quoted.contentStart, quoted.contentEnd);
		parser.syntaxError(
			quoted.closed ? span : {start: span.start, end: quoted.contentStart},
			'Strings need straight double quotes: "…".',
			{engineMessage: 'expected " or r', correction: {span, text: requote(content, inRegex)}},
		);
		return {literal: undefined};
	}
	if (quoted.isStray) {
		// Between two values without a space, the quote is all that separates them.
		const separates = /[^\s,;}]/.test(parser.text.charAt(span.end));
		parser.syntaxError(span, "Unexpected quote: numbers and addresses aren't quoted.", {
			engineMessage: 'could not find an ending quote',
			correction: separates ? ' ' : '',
		});
		return {literal: undefined};
	}
	const closing = quoted.form === 'raw' ? `"${'#'.repeat(quoted.hashes)}` : '"';
	if (!quoted.closed) {
		const openingQuote = {start: span.start, end: quoted.contentStart};
		parser.syntaxError(openingQuote, `This quote is not closed: ${abbreviate(closing)} is missing.`, {
			engineMessage: 'could not find an ending quote',
			mistake: 'open quote',
			correction:
				quoted.hashes > maxHashes
					? undefined
					: buildClosingQuote(
							parser.text,
							span,
							quoted.form === 'raw',
							inRegex && isInClassAtEnd(parser.text, quoted.contentStart, quoted.contentEnd)
								? `]${closing}`
								: closing,
						),
		});
		return {literal: undefined};
	}
	if (quoted.hashes > maxHashes) {
		parser.syntaxError(span, `A raw string can have at most ${maxHashes} #; this one has ${quoted.hashes}.`, {
			engineMessage: 'invalid raw string hash count',
		});
		return {literal: undefined};
	}
	checkSurrogates(parser, span);
	const string = readStringValue(parser.text, quoted);
	for (const {start, end, sentence, correction} of string.invalidEscapes)
		parser.syntaxError({start, end}, sentence, {
			engineMessage: 'expected ", xHH or OOO after \\',
			correction,
		});
	const form = quoted.form === 'raw' ? {raw: quoted.hashes} : 'quoted';
	return {literal: {kind: 'string', ...span, value: string.value, form}, string};
}

/** Reports an unpaired surrogate, which cannot be sent. */
function checkSurrogates(parser: Parser, {start, end}: Span): void {
	const text = parser.text.slice(start, end);
	if (text.isWellFormed()) return;
	const index = text.search(/\p{Surrogate}/u);
	parser.broken = true;
	parser.error(
		{start: start + index, end: start + index + 1},
		"This is only half of a character and can't be sent: type the character again.",
	);
}

/** Builds a closing quote, after a backslash if an odd number of these would escape it. */
function buildClosingQuote(text: string, span: Span, isRaw: boolean, closing: string) {
	const insertionPoint = {start: span.end, end: span.end};
	let backslashStart = span.end;
	while (backslashStart > span.start + 1 && text.charAt(backslashStart - 1) === '\\') backslashStart--;
	return {
		span: insertionPoint,
		text: !isRaw && (span.end - backslashStart) % 2 === 1 ? `\\${closing}` : closing,
	};
}

/** True if a word is a literal of some type and not a name. */
export const looksLikeLiteral = (text: string): boolean =>
	looksLikeInteger(text) ||
	looksLikeBytes(text) ||
	/^[0-9a-fA-F.:]*[.:][0-9a-fA-F.:]*(?:\/[0-9]*)?$/.test(text) ||
	correctDashedRange(text) !== undefined;

const looksLikeBytes = (text: string): boolean => /^[0-9a-fA-F]{2}(?:[:.-][0-9a-fA-F]{2})+$/.test(text);

/** Reads a word as a value of a type; undefined if the type is unknown or has no literals. */
function readWord(parser: Parser, lexeme: Lexeme, type: ValueType | undefined): ParsedLiteral {
	switch (type?.kind) {
		case 'Integer':
			return {literal: readIntegerOrRange(parser, lexeme)};
		case 'IP':
			return {literal: reportForeignAddress(parser, lexeme) ? undefined : readAddressLiteral(parser, lexeme)};
		case 'String':
		case 'Bytes':
			if (looksLikeBytes(lexeme.text)) return {literal: toBytesLiteral(lexeme)};
			return {literal: reportUnquotedString(parser, lexeme)};
		default:
			return {literal: undefined};
	}
}

const toBytesLiteral = (lexeme: Lexeme): Literal => ({
	kind: 'bytes',
	start: lexeme.start,
	end: lexeme.end,
	value: lexeme.text.split(/[:.-]/).map(byte => Number.parseInt(byte, 16)),
});

function readIntegerOrRange(parser: Parser, lexeme: Lexeme): Literal | undefined {
	const dots = lexeme.text.indexOf('..');
	if (dots < 0) return readIntegerLiteral(parser, lexeme, lexeme.text);
	const [firstText, lastText] = [lexeme.text.slice(0, dots), lexeme.text.slice(dots + 2)];
	const firstInteger = readIntegerLiteral(parser, {start: lexeme.start, end: lexeme.start + dots}, firstText);
	const lastInteger = readIntegerLiteral(parser, {start: lexeme.start + dots + 2, end: lexeme.end}, lastText);
	if (firstInteger?.kind !== 'integer' || lastInteger?.kind !== 'integer') return undefined;
	if (firstInteger.value > lastInteger.value) {
		parser.error(joinSpans(firstInteger, lastInteger), 'The lower number of a range must come first.', {
			engineMessage: 'incompatible range bounds',
			correction: `${lastText}..${firstText}`,
		});
		return undefined;
	}
	return {kind: 'range', start: lexeme.start, end: lexeme.end, first: firstInteger, last: lastInteger};
}

function readIntegerLiteral(parser: Parser, {start, end}: Span, text: string): Literal | undefined {
	const span = {start, end};
	const integer = readInteger(text);
	if (!integer.ok) {
		const dashedRange = /^([0-9]+)-([0-9]+)$/.exec(text);
		const correction = dashedRange ? `${dashedRange[1]}..${dashedRange[2]}` : integer.correction;
		parser.syntaxError(
			end > start ? span : {start: start - 2, end: start},
			dashedRange ? `Write a range with two dots: ${correction}.` : integer.sentence,
			{
				engineMessage: integer.engineMessage,
				mistake: dashedRange ? 'dash in a range' : undefined,
				correction: correction === undefined ? undefined : {span, text: correction},
			},
		);
		return undefined;
	}
	if (integer.form === 'octal') warnOctal(parser, span, text, integer.value);
	return {kind: 'integer', ...span, value: integer.value, form: integer.form};
}

/** Warns that a number starting with 0 is octal. */
export function warnOctal(parser: Parser, span: Span, text: string, value: bigint): void {
	const decimalText = text.replace(/^0+(?=.)/, '');
	parser.warning(
		span,
		decimalText === String(value)
			? `A number that starts with 0 is octal: write ${abbreviate(text)} as ${value}.`
			: `${abbreviate(text)} is octal because it starts with 0, so it means ${value}. Write ${value}, or ${decimalText} if you meant that.`,
		{code: 'L001', correction: String(value)},
	);
}

function readAddressLiteral(parser: Parser, lexeme: Lexeme): Literal | undefined {
	const {text} = lexeme;
	const span = {start: lexeme.start, end: lexeme.end};
	if (text.includes('..')) {
		const range = parseRange(text);
		if (!range.ok) return reportBadAddress(parser, span, range, range.engineMessage ?? badNetworkMessage);
		const [firstText, lastText] = text.split('..');
		const middle = lexeme.start + (firstText?.length ?? 0);
		return {
			kind: 'range',
			...span,
			first: createAddress({start: lexeme.start, end: middle}, firstText ?? '', range.first.version),
			last: createAddress({start: middle + 2, end: lexeme.end}, lastText ?? '', range.last.version),
		};
	}
	if (text.includes('/')) {
		const network = parseNetwork(text);
		if (!network.ok)
			return reportBadAddress(parser, span, network, network.engineMessage ?? badNetworkMessage);
		return {kind: 'network', ...span, text, version: network.version, bits: network.bits};
	}
	const address = parseIpAddress(text);
	if (!address.ok)
		return reportBadAddress(
			parser,
			span,
			address,
			/^[0-9a-fA-F.:]/.test(text) ? badNetworkMessage : noAddressMessage,
		);
	return createAddress(span, text, address.version);
}

const badNetworkMessage = "couldn't parse address in network: invalid IP address syntax";
/** The engine's message if even the first character cannot start an address. */
const noAddressMessage = 'expected IP address character';

const createAddress = (span: Span, text: string, version: 4 | 6): Literal => ({
	kind: 'address',
	...span,
	text,
	version,
});

function reportBadAddress(
	parser: Parser,
	span: Span,
	{sentence, correction}: {sentence: string; correction?: string},
	engineMessage: string,
): undefined {
	const slash = parser.slice(span).indexOf('/');
	parser.syntaxError(
		engineMessage === hostBitsMessage ? {start: span.start, end: span.start + slash} : span,
		sentence,
		{
			engineMessage,
			correction: correction === undefined ? undefined : {span, text: correction},
		},
	);
}

/** Reads a literal of a type and moves past it. Returns undefined without a report if there is none. */
export function readLiteral(parser: Parser, type: ValueType | undefined): ParsedLiteral | undefined {
	const {current} = parser;
	if (!current) return undefined;
	let parsedLiteral: ParsedLiteral | undefined;
	if (current.kind === 'string') {
		parsedLiteral = readString(parser, current);
		if (
			type &&
			type.kind !== 'String' &&
			type.kind !== 'Bytes' &&
			!reportUnexpectedString(parser, current, type)
		)
			parsedLiteral = {literal: undefined};
	} else if (current.kind === 'word') {
		parsedLiteral = type || looksLikeLiteral(current.text) ? readWord(parser, current, type) : undefined;
	} else if (type?.kind === 'IP' && current.text === '[' && reportForeignAddress(parser, current)) {
		parsedLiteral = {literal: undefined};
	} else if (type?.kind === 'String' && (current.kind === 'unknown' || '*=~^&|<>!'.includes(current.text)))
		parsedLiteral = {literal: reportUnquotedString(parser, current)};
	if (parsedLiteral) parser.index++;
	return parsedLiteral;
}

/**
 * Reports a string in place of a number or an address, with the quotes removed if that is valid. Always
 * returns false.
 */
function reportUnexpectedString(parser: Parser, lexeme: Lexeme, type: ValueType): false {
	const content = lexeme.quoted
		? parser.text.slice(lexeme.quoted.contentStart, lexeme.quoted.contentEnd)
		: '';
	const isValid =
		type.kind === 'Integer'
			? readInteger(content).ok
			: parseIpAddress(content).ok || parseNetwork(content).ok || parseRange(content).ok;
	const expected = type.kind === 'Integer' ? 'a number' : 'an address';
	if (lexeme.quoted?.closed)
		parser.syntaxError(lexeme, `Expected ${expected}, without quotes.`, {
			engineMessage: type.kind === 'Integer' ? 'expected digit' : noAddressMessage,
			correction: isValid ? content : type.kind === 'Integer' ? extractAsNumber(content) : undefined,
		});
	return false;
}
