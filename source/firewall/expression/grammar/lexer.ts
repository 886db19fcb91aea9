import {findField} from '../vocabulary/fields.ts';
import {findFunction} from '../vocabulary/functions.ts';
import {findCommentEnd} from './comments.ts';
import {comparisonOperators, isNegationOperator, logicalOperators} from './operators.ts';
import {readQuoted} from './quotes.ts';
import type {Lexeme, Token, TokenKind} from './token.ts';

const spaces = /[ \r\n]+/y;
const oddSpaces = /[\t\v\f\u0085\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]+/y;
const wordPattern = /(?:[A-Za-z0-9_.:/-]|[^\u0000-\u007f\s\u0085\u200b\u2018-\u201e\u00ab\u00bb])+/y;
const signs = /===|!==|==|!=|<=|>=|<>|=~|=>|=<|!~|&&|\|\||\^\^|[()[\]{}<>=!~&|^,;*]/y;
const lists = /\$[A-Za-z0-9_.-]*/y;
const strictWildcard = /strict wildcard(?![A-Za-z0-9_.])/iy;

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
	const memory = {unclosed: new Set<string>(), open: {parentheses: 0, braces: 0}};
	let previousLexeme: Lexeme | undefined;
	let offset = 0;
	while (offset < text.length) {
		const comment = findCommentEnd(text, offset, memory.open.braces > 0);
		if (comment > 0 && !(previousLexeme && comparisonOperators.has(previousLexeme.text))) {
			lexemes.push({kind: 'comment', start: offset, end: comment, text: text.slice(offset, comment)});
			offset = comment;
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
		if (kind === 'sign') countBracket(memory.open, lexeme.text);
		offset = end;
	}
	return lexemes;
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
	const space = matchEnd(spaces);
	if (space) return ['space', space];
	const wordEnd = matchEnd(strictWildcard) || matchEnd(wordPattern);
	if (wordEnd) return ['word', wordEnd];
	const signEnd = matchEnd(signs);
	if (signEnd) return ['sign', signEnd];
	const spaceEnd = matchEnd(oddSpaces);
	if (spaceEnd) return ['odd space', spaceEnd];
	const list = matchEnd(lists);
	if (list) return ['list', list];
	return ['unknown', offset + ((text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1)];
}

const isRegexOperator = (text: string): boolean =>
	text === '~' || text === '=~' || text === '!~' || (text.length === 7 && text.toLowerCase() === 'matches');

function countBracket(open: {parentheses: number; braces: number}, text: string): void {
	if (text === '(') open.parentheses++;
	else if (text === ')') open.parentheses = Math.max(0, open.parentheses - 1);
	else if (text === '{') open.braces++;
	else if (text === '}') open.braces = Math.max(0, open.braces - 1);
}

/** Splits lexemes where the parser has cut them. */
export function cutLexemes(lexemes: readonly Lexeme[], cuts: ReadonlySet<number>): readonly Lexeme[] {
	if (cuts.size === 0) return lexemes;
	return lexemes.flatMap(lexeme => {
		if (lexeme.kind !== 'word') return [lexeme];
		const pieces: Lexeme[] = [];
		let start = lexeme.start;
		for (let cutStart = start + 1; cutStart <= lexeme.end; cutStart++)
			if (cutStart === lexeme.end || cuts.has(cutStart)) {
				const text = lexeme.text.slice(start - lexeme.start, cutStart - lexeme.start);
				pieces.push({kind: 'word', start, end: cutStart, text});
				start = cutStart;
			}
		return pieces;
	});
}
