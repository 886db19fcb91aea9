import {parseIpAddress, parseRange} from './addresses.ts';
import type {Parser} from './parser.ts';
import type {Mistake, Span} from './problem.ts';
import type {Lexeme} from './token.ts';

/** An address in the notation of another tool: its length, why it is invalid, and how to write it. */
type ForeignAddress = {
	readonly length: number;
	readonly sentence: string;
	readonly mistake?: Mistake | undefined;
	readonly correctText?: string | undefined;
};

/** Maximum length of a text to examine, above that of any notation. */
const maxLength = 100;

/**
 * Reports an address in the notation of another tool (`192.0.2.*`, `[::1]`, `fe80::1%eth0`,
 * `192.0.2.1-192.0.2.9`) and moves to its last lexeme. Returns false if there is none.
 */
export function reportForeignAddress(parser: Parser, lexeme: Lexeme): boolean {
	const nextCharacter = parser.text.charAt(lexeme.end);
	if (lexeme.text !== '[' && nextCharacter !== '*' && nextCharacter !== '%' && !lexeme.text.includes('-'))
		return false;
	const remainder = parser.text.slice(lexeme.start, lexeme.start + maxLength);
	const foreignAddress =
		matchStars(remainder) ?? matchBrackets(remainder) ?? matchZone(remainder) ?? matchDash(lexeme.text);
	if (!foreignAddress) return false;
	const span: Span = {start: lexeme.start, end: lexeme.start + foreignAddress.length};
	const endIndex = parser.findEndIndex(span);
	if (endIndex === undefined) return false;
	parser.syntaxError(span, foreignAddress.sentence, {
		mistake: foreignAddress.mistake,
		engineMessage: lexeme.text === '[' ? 'expected IP address character' : 'unrecognised input',
		correction:
			foreignAddress.correctText === undefined
				? undefined
				: buildAddressCorrection(parser, span, foreignAddress.correctText),
	});
	parser.index = endIndex;
	return true;
}

/** Several addresses need `in` instead of `eq`. */
function buildAddressCorrection(parser: Parser, span: Span, correctText: string) {
	const {previous} = parser;
	const isEqual = previous?.text === 'eq' || previous?.text === '==';
	return isEqual && /\.\.|\//.test(correctText)
		? {span: {start: previous.start, end: span.end}, text: `in {${correctText}}`}
		: {span, text: correctText};
}

function matchStars(text: string): ForeignAddress | undefined {
	const match = /^([0-9]{1,3}(?:\.[0-9]{1,3}){0,2})((?:\.\*){1,3})(?![\w.*:/-])/.exec(text);
	if (!match) return undefined;
	const parts = match[1]?.split('.') ?? [];
	const firstAddress = [...parts, '0', '0', '0'].slice(0, 4).join('.');
	const correctText = parseIpAddress(firstAddress).ok ? `${firstAddress}/${parts.length * 8}` : undefined;
	return {
		length: match[0].length,
		sentence: `An address can't contain *${correctText ? `: use the network ${correctText}` : ''}.`,
		mistake: correctText ? 'star in an address' : undefined,
		correctText,
	};
}

function matchBrackets(text: string): ForeignAddress | undefined {
	const match = /^\[([0-9a-fA-F:.]+)\]/.exec(text);
	if (!match?.[1] || !parseIpAddress(match[1]).ok) return undefined;
	return {length: match[0].length, sentence: 'Write an address without brackets.', correctText: match[1]};
}

function matchZone(text: string): ForeignAddress | undefined {
	const match = /^([0-9a-fA-F:.]+)%[A-Za-z0-9_.-]+/.exec(text);
	if (!match?.[1] || !parseIpAddress(match[1]).ok) return undefined;
	return {
		length: match[0].length,
		sentence: "An address can't have a zone (%) here.",
		correctText: match[1],
	};
}

function matchDash(text: string): ForeignAddress | undefined {
	const correctText = correctDashedRange(text);
	return correctText === undefined
		? undefined
		: {
				length: text.length,
				sentence: `Write a range with two dots: ${correctText}.`,
				mistake: 'dash in a range',
				correctText,
			};
}

/** Corrects a range of addresses that is written with a dash. */
export function correctDashedRange(text: string): string | undefined {
	if (text.length > maxLength) return undefined;
	const [first, last, ...more] = text.split('-');
	if (first === undefined || last === undefined || more.length > 0) return undefined;
	const correctText = `${first}..${last}`;
	return parseRange(correctText).ok ? correctText : undefined;
}
