import {findField} from '../vocabulary/fields.ts';
import {findFunction} from '../vocabulary/functions.ts';
import {findCommentEnd} from './comments.ts';
import {comparisonOperators, isNegationOperator, logicalOperators} from './operators.ts';
import {readQuoted} from './quotes.ts';
import type {Lexeme, Token, TokenKind} from './token.ts';

const spacePattern = /[ \r\n]+/y;
const oddSpacePattern = /[\t\v\f\u0085\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]+/y;
const wordPattern = /(?:[A-Za-z0-9_.:/-]|[^\u0000-\u007f\s\u0085\u200b\u2018-\u201e\u00ab\u00bb])+/y;
const signPattern = /===|!==|==|!=|<=|>=|<>|=~|=>|=<|!~|&&|\|\||\^\^|[()[\]{}<>=!~&|^,;*]/y;
const listPattern = /\$[A-Za-z0-9_.-]*/y;
const strictWildcardPattern = /strict wildcard(?=r#*"|(?![A-Za-z0-9_.]))/iy;
const rawStringStart = /r#*"/y;

/**
 * Splits a text into lexemes without gaps and without errors. The text after `limit` becomes one unknown
 * lexeme.
 */
export function readLexemes(text: string, limit: number = text.length): Lexeme[] {
	if (text.length > limit) {
		const remainder = {kind: 'unknown', start: limit, end: text.length, text: text.slice(limit)} as const;
		return [...readLexemes(text.slice(0, limit)), remainder];
	}
	const lexemes: Lexeme[] = [];
	const memory = {unclosedQuotes: new Set<string>(), bracketDepths: {parentheses: 0, braces: 0}};
	let previousLexeme: Lexeme | undefined;
	let offset = 0;
	while (offset < text.length) {
		const commentEnd = findCommentEnd(text, offset, memory.bracketDepths.braces > 0);
		if (commentEnd > 0 && !(previousLexeme && comparisonOperators.has(previousLexeme.text))) {
			lexemes.push({kind: 'comment', start: offset, end: commentEnd, text: text.slice(offset, commentEnd)});
			offset = commentEnd;
			continue;
		}
		const quoted = readQuoted(
			text,
			offset,
			previousLexeme !== undefined && isRegexOperator(previousLexeme.text),
			memory,
		);
		const [kind, end] = quoted ? (['string', quoted.end] as const) : scanPlain(text, offset);
		const lexeme: Lexeme = quoted
			? {kind, start: offset, end, text: text.slice(offset, end), quoted}
			: {kind, start: offset, end, text: text.slice(offset, end)};
		lexemes.push(lexeme);
		if (kind !== 'space' && kind !== 'odd space') previousLexeme = lexeme;
		if (kind === 'sign') countBracket(memory.bracketDepths, lexeme.text);
		offset = end;
	}
	return trimSpaces(lexemes);
}

/** Accepts any white space before and after the expression: the engine trims it. */
function trimSpaces(lexemes: readonly Lexeme[]): Lexeme[] {
	const isContent = ({kind, text}: Lexeme): boolean =>
		kind !== 'space' && (kind !== 'odd space' || /[\u200b\ufeff]/.test(text));
	const [first, last] = [lexemes.findIndex(isContent), lexemes.findLastIndex(isContent)];
	return lexemes.map((lexeme, index) =>
		index < first || index > last ? {...lexeme, kind: 'space'} : lexeme,
	);
}

/** Converts lexemes to tokens for display and completion. */
export function toTokens(lexemes: readonly Lexeme[]): Token[] {
	return lexemes.map((lexeme, index) => ({
		start: lexeme.start,
		end: lexeme.end,
		kind: getTokenKind(lexeme, lexemes, index),
	}));
}

function getTokenKind(lexeme: Lexeme, lexemes: readonly Lexeme[], index: number): TokenKind {
	switch (lexeme.kind) {
		case 'word':
			return getWordKind(lexeme.text, lexemes, index);
		case 'sign':
			return getSignKind(lexeme.text, lexemes[index - 1]?.text);
		case 'odd space':
		case 'comment':
			return 'unknown';
		default:
			return lexeme.kind;
	}
}

function getWordKind(text: string, lexemes: readonly Lexeme[], index: number): TokenKind {
	if (logicalOperators.has(text) || isNegationOperator(text)) return 'logical';
	if (comparisonOperators.has(text)) return 'operator';
	if (text === 'true' || text === 'false') return 'boolean';
	if (findField(text)) return 'field';
	if (findFunction(text) && findNextSign(lexemes, index) === '(') return 'function';
	return /^(?:-?[0-9]|[0-9a-fA-F]{2}[:-]|[0-9a-fA-F]*:)/.test(text) ? 'number' : 'identifier';
}

function getSignKind(text: string, previousText: string | undefined): TokenKind {
	if (logicalOperators.has(text) || isNegationOperator(text)) return 'logical';
	if (comparisonOperators.has(text)) return 'operator';
	if (text === '*') return previousText === '[' ? 'punctuation' : 'unknown';
	return '()[]{},'.includes(text) ? 'punctuation' : 'unknown';
}

function findNextSign(lexemes: readonly Lexeme[], index: number): string | undefined {
	const nextLexeme = lexemes[index + 1];
	return nextLexeme?.kind === 'space' ? lexemes[index + 2]?.text : nextLexeme?.text;
}

function scanPlain(text: string, offset: number): readonly [Lexeme['kind'], number] {
	const matchEnd = (pattern: RegExp): number => {
		pattern.lastIndex = offset;
		return pattern.test(text) ? pattern.lastIndex : 0;
	};
	const spaceEnd = matchEnd(spacePattern);
	if (spaceEnd) return ['space', spaceEnd];
	const wordEnd = matchEnd(strictWildcardPattern) || matchEnd(wordPattern);
	if (wordEnd) return ['word', matchesRawString(text, offset, wordEnd) ? wordEnd - 1 : wordEnd];
	const signEnd = matchEnd(signPattern);
	if (signEnd) return ['sign', signEnd];
	const oddSpaceEnd = matchEnd(oddSpacePattern);
	if (oddSpaceEnd) return ['odd space', oddSpaceEnd];
	const listEnd = matchEnd(listPattern);
	if (listEnd) return ['list', listEnd];
	return ['unknown', offset + ((text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1)];
}

/** True if a word is an operator and the `r` of a raw string: `eqr"a"`. */
function matchesRawString(text: string, start: number, end: number): boolean {
	rawStringStart.lastIndex = end - 1;
	return rawStringStart.test(text) && comparisonOperators.has(text.slice(start, end - 1));
}

const isRegexOperator = (text: string): boolean =>
	text === '~' || text === '=~' || text === '!~' || (text.length === 7 && text.toLowerCase() === 'matches');

function countBracket(bracketDepths: {parentheses: number; braces: number}, text: string): void {
	if (text === '(') bracketDepths.parentheses++;
	else if (text === ')') bracketDepths.parentheses = Math.max(0, bracketDepths.parentheses - 1);
	else if (text === '{') bracketDepths.braces++;
	else if (text === '}') bracketDepths.braces = Math.max(0, bracketDepths.braces - 1);
}

/** Splits lexemes where the parser has cut them. */
export function cutLexemes(lexemes: readonly Lexeme[], cutOffsets: ReadonlySet<number>): readonly Lexeme[] {
	if (cutOffsets.size === 0) return lexemes;
	return lexemes.flatMap(lexeme => {
		if (lexeme.kind !== 'word') return [lexeme];
		const pieces: Lexeme[] = [];
		let start = lexeme.start;
		for (let cutStart = start + 1; cutStart <= lexeme.end; cutStart++)
			if (cutStart === lexeme.end || cutOffsets.has(cutStart)) {
				const text = lexeme.text.slice(start - lexeme.start, cutStart - lexeme.start);
				pieces.push({kind: 'word', start, end: cutStart, text});
				start = cutStart;
			}
		return pieces;
	});
}
