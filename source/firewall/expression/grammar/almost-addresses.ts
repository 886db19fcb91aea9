import {readAddress, readRange} from './addresses.ts';
import type {Span} from './problem.ts';
import type {Mistake, Reading} from './reading.ts';
import type {Lexeme} from './token.ts';

/** An address in the notation of another tool: where it ends, why it is invalid, and what it means. */
type Almost = {
	readonly end: number;
	readonly sentence: string;
	readonly mistake?: Mistake | undefined;
	readonly meant?: string | undefined;
};

/** Maximum length of a text to examine, above that of any notation. */
const longest = 100;

/**
 * Reports an address in the notation of another tool (`192.0.2.*`, `[::1]`, `fe80::1%eth0`,
 * `192.0.2.1-192.0.2.9`) and moves to its last lexeme. Returns false if there is none.
 */
export function almostAddress(reading: Reading, lexeme: Lexeme): boolean {
	const behind = reading.text.charAt(lexeme.end);
	if (lexeme.text !== '[' && behind !== '*' && behind !== '%' && !lexeme.text.includes('-')) return false;
	const rest = reading.text.slice(lexeme.start, lexeme.start + longest);
	const almost = withStars(rest) ?? inBrackets(rest) ?? withZone(rest) ?? withDash(lexeme.text);
	if (!almost) return false;
	const span: Span = {start: lexeme.start, end: lexeme.start + almost.end};
	const last = reading.lastIn(span);
	if (last === undefined) return false;
	reading.unreadable(span, almost.sentence, {
		mistake: almost.mistake,
		engine: lexeme.text === '[' ? 'expected IP address character' : 'unrecognised input',
		correction: almost.meant === undefined ? undefined : correctionOf(reading, span, almost.meant),
	});
	reading.index = last;
	return true;
}

/** Several addresses need `in` instead of `eq`. */
function correctionOf(reading: Reading, span: Span, meant: string) {
	const {previous} = reading;
	const isEqual = previous?.text === 'eq' || previous?.text === '==';
	return isEqual && /\.\.|\//.test(meant)
		? {span: {start: previous.start, end: span.end}, text: `in {${meant}}`}
		: {span, text: meant};
}

function withStars(text: string): Almost | undefined {
	const found = /^([0-9]{1,3}(?:\.[0-9]{1,3}){0,2})((?:\.\*){1,3})(?![\w.*:/-])/.exec(text);
	if (!found) return undefined;
	const parts = found[1]?.split('.') ?? [];
	const first = [...parts, '0', '0', '0'].slice(0, 4).join('.');
	const meant = readAddress(first).ok ? `${first}/${parts.length * 8}` : undefined;
	return {
		end: found[0].length,
		sentence: `* has no meaning in an address${meant ? `: ${meant} is the network` : ''}.`,
		mistake: meant ? 'star in an address' : undefined,
		meant,
	};
}

function inBrackets(text: string): Almost | undefined {
	const found = /^\[([0-9a-fA-F:.]+)\]/.exec(text);
	if (!found?.[1] || !readAddress(found[1]).ok) return undefined;
	return {end: found[0].length, sentence: 'Write an address without brackets.', meant: found[1]};
}

function withZone(text: string): Almost | undefined {
	const found = /^([0-9a-fA-F:.]+)%[A-Za-z0-9_.-]+/.exec(text);
	if (!found?.[1] || !readAddress(found[1]).ok) return undefined;
	return {end: found[0].length, sentence: 'An address has no zone here: % is not taken.', meant: found[1]};
}

function withDash(text: string): Almost | undefined {
	const meant = rangeWithDash(text);
	return meant === undefined
		? undefined
		: {
				end: text.length,
				sentence: `A range is written with two dots: ${meant}.`,
				mistake: 'dash in a range',
				meant,
			};
}

/** Corrects a range of addresses that is written with a dash. */
export function rangeWithDash(text: string): string | undefined {
	if (text.length > longest) return undefined;
	const [first, last, ...more] = text.split('-');
	if (first === undefined || last === undefined || more.length > 0) return undefined;
	const meant = `${first}..${last}`;
	return readRange(meant).ok ? meant : undefined;
}
