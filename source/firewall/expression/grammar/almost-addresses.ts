import {readAddress, readRange} from './addresses.ts';
import type {Span} from './problem.ts';
import type {Mistake, Parser} from './reading.ts';
import type {Lexeme} from './token.ts';

/** An address in the notation of another tool: where it ends, why it is invalid, and what it means. */
type ForeignAddress = {
	readonly end: number;
	readonly sentence: string;
	readonly mistake?: Mistake | undefined;
	readonly intended?: string | undefined;
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
	const rest = parser.text.slice(lexeme.start, lexeme.start + maxLength);
	const foreign = matchStars(rest) ?? matchBrackets(rest) ?? matchZone(rest) ?? matchDash(lexeme.text);
	if (!foreign) return false;
	const span: Span = {start: lexeme.start, end: lexeme.start + foreign.end};
	const last = parser.findEndIndex(span);
	if (last === undefined) return false;
	parser.syntaxError(span, foreign.sentence, {
		mistake: foreign.mistake,
		engine: lexeme.text === '[' ? 'expected IP address character' : 'unrecognised input',
		correction:
			foreign.intended === undefined ? undefined : buildAddressCorrection(parser, span, foreign.intended),
	});
	parser.index = last;
	return true;
}

/** Several addresses need `in` instead of `eq`. */
function buildAddressCorrection(parser: Parser, span: Span, intended: string) {
	const {previous} = parser;
	const isEqual = previous?.text === 'eq' || previous?.text === '==';
	return isEqual && /\.\.|\//.test(intended)
		? {span: {start: previous.start, end: span.end}, text: `in {${intended}}`}
		: {span, text: intended};
}

function matchStars(text: string): ForeignAddress | undefined {
	const found = /^([0-9]{1,3}(?:\.[0-9]{1,3}){0,2})((?:\.\*){1,3})(?![\w.*:/-])/.exec(text);
	if (!found) return undefined;
	const parts = found[1]?.split('.') ?? [];
	const first = [...parts, '0', '0', '0'].slice(0, 4).join('.');
	const intended = readAddress(first).ok ? `${first}/${parts.length * 8}` : undefined;
	return {
		end: found[0].length,
		sentence: `* has no meaning in an address${intended ? `: ${intended} is the network` : ''}.`,
		mistake: intended ? 'star in an address' : undefined,
		intended,
	};
}

function matchBrackets(text: string): ForeignAddress | undefined {
	const found = /^\[([0-9a-fA-F:.]+)\]/.exec(text);
	if (!found?.[1] || !readAddress(found[1]).ok) return undefined;
	return {end: found[0].length, sentence: 'Write an address without brackets.', intended: found[1]};
}

function matchZone(text: string): ForeignAddress | undefined {
	const found = /^([0-9a-fA-F:.]+)%[A-Za-z0-9_.-]+/.exec(text);
	if (!found?.[1] || !readAddress(found[1]).ok) return undefined;
	return {end: found[0].length, sentence: 'An address has no zone here: % is not taken.', intended: found[1]};
}

function matchDash(text: string): ForeignAddress | undefined {
	const intended = correctDashedRange(text);
	return intended === undefined
		? undefined
		: {
				end: text.length,
				sentence: `A range is written with two dots: ${intended}.`,
				mistake: 'dash in a range',
				intended,
			};
}

/** Corrects a range of addresses that is written with a dash. */
export function correctDashedRange(text: string): string | undefined {
	if (text.length > maxLength) return undefined;
	const [first, last, ...more] = text.split('-');
	if (first === undefined || last === undefined || more.length > 0) return undefined;
	const intended = `${first}..${last}`;
	return readRange(intended).ok ? intended : undefined;
}
