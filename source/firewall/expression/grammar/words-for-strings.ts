import {abbreviate, type Parser} from './parser.ts';
import type {Span} from './problem.ts';
import {requote} from './strings.ts';
import type {Lexeme} from './token.ts';

/** True for the current lexeme if it follows `matches`, or a sign for it in this or another language. */
export const isAfterMatches = (parser: Parser, lexeme: Lexeme): boolean =>
	parser.lexemes[parser.index] === lexeme && /^(?:matches|=?~)$/i.test(parser.previous?.text ?? '');

/** Reports an unquoted word in place of a string; the string ends at the next space or bracket. */
export function reportUnquotedString(parser: Parser, lexeme: Lexeme): undefined {
	const inRegex = isAfterMatches(parser, lexeme);
	if (inRegex && reportSlashedPattern(parser, lexeme)) return undefined;
	const end = Math.max(findRunEnd(parser.text, lexeme.start), lexeme.end);
	const content = parser.text.slice(lexeme.start, end);
	const adjacentString = findAdjacentString(parser, end)?.quoted;
	const isClosingQuote =
		adjacentString?.closed === false && adjacentString.contentEnd === adjacentString.contentStart;
	const span = {start: lexeme.start, end: adjacentString?.end ?? end};
	const isGlued = parser.previous?.end === lexeme.start && parser.previous.kind === 'string';
	parser.syntaxError(span, `Strings need double quotes: ${abbreviate(requote(content, false))}.`, {
		engineMessage: 'expected " or r',
		mistake: 'unquoted text',
		correction:
			adjacentString && !isClosingQuote ? undefined : `${isGlued ? ' ' : ''}${requote(content, inRegex)}`,
	});
	skipTo(parser, span);
	return undefined;
}

const wordPattern = /[^\s"(){}[\],;]+/y;

function findRunEnd(text: string, start: number): number {
	wordPattern.lastIndex = start;
	return wordPattern.test(text) ? wordPattern.lastIndex : start;
}

/** Finds the string directly after a word; empty if only the quote before the word is missing. */
function findAdjacentString({text, lexemes, index}: Parser, start: number): Lexeme | undefined {
	if (text.charAt(start) !== '"') return undefined;
	for (let lexemeIndex = index; lexemeIndex < lexemes.length; lexemeIndex++) {
		const lexeme = lexemes[lexemeIndex];
		if (!lexeme || lexeme.start >= start)
			return lexeme?.start === start && lexeme.kind === 'string' ? lexeme : undefined;
	}
	return undefined;
}

/** Moves to the last lexeme of a span. */
function skipTo(parser: Parser, span: Span): void {
	while (parser.next && parser.next.start < span.end) parser.index++;
}

const slashedPattern = /\/((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([a-z]*)(?![\w/])/y;

/** Reports `/…/i`, as other languages write a pattern. Corrects it if it cannot be a path. */
function reportSlashedPattern(parser: Parser, {start}: Lexeme): boolean {
	slashedPattern.lastIndex = start;
	const match = slashedPattern.exec(parser.text);
	if (!match) return false;
	const [matchText, pattern = '', flags = ''] = match;
	const span = {start, end: start + matchText.length};
	const endIndex = parser.findEndIndex(span);
	if (endIndex === undefined) return false;
	const supportedFlags = flags.replaceAll('g', '');
	const isPattern = flags !== '' || /[\\^$*+?()[\]{}|]/.test(pattern);
	const patternString = requote(
		`${supportedFlags ? `(?${supportedFlags})` : ''}${pattern.replaceAll('\\/', '/')}`,
		true,
	);
	parser.syntaxError(
		span,
		`Write a pattern in double quotes, not between slashes${supportedFlags ? `, and start it with (?${supportedFlags})` : ''}.`,
		{
			engineMessage: 'expected " or r',
			correction: isPattern && /^[imsx]*$/.test(supportedFlags) ? patternString : undefined,
		},
	);
	parser.index = endIndex;
	return true;
}
