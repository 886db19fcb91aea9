import {findField} from '../vocabulary/fields.ts';
import {looksLikeLiteral} from './literals.ts';
import {comparisonOperators} from './operators.ts';
import type {Parser} from './parser.ts';
import type {Correction, Span} from './problem.ts';
import {requote} from './strings.ts';
import type {Lexeme} from './token.ts';

/** A comparison with several values: the spans of its left side and of its operator. */
type ComparedValues = {readonly left: Span; readonly operator: Span; readonly operatorText: string};

/** Maximum length of a correction that repeats the left side. */
const maxLength = 4096;

/**
 * Corrects a comparison with several values: a set for equality, one comparison per value for a part or a
 * pattern. Undefined if no form certainly means the same.
 */
export function correctSeveralValues(
	parser: Parser,
	{left, operator, operatorText}: ComparedValues,
	values: readonly string[],
	end: number,
	connective: 'or' | 'and' = 'or',
): Correction | undefined {
	const name = parser.slice(left);
	if (values.length === 0 || values.length * name.length > maxLength) return undefined;
	switch (comparisonOperators.get(operatorText)) {
		case 'eq':
			if (connective === 'and') return undefined;
			return {span: {start: operator.start, end}, text: `in {${values.join(' ')}}`};
		case 'ne':
			return {span: {start: left.start, end}, text: `not ${name} in {${values.join(' ')}}`};
		case 'contains':
		case 'matches':
		case 'wildcard':
		case 'strict wildcard':
			return {
				span: {start: left.start, end},
				text: joinConditions(values, connective, value => `${name} ${operatorText} ${value}`),
			};
		default:
			return undefined;
	}
}

/** Builds one condition per value, in parentheses if there are several. */
export function joinConditions(
	values: readonly string[],
	connective: 'or' | 'and',
	buildCondition: (value: string) => string,
): string {
	const conditions = values.map(buildCondition).join(` ${connective} `);
	return values.length > 1 ? `(${conditions})` : conditions;
}

export const describeSeveralValues = (operatorText: string): string => {
	const operator = comparisonOperators.get(operatorText);
	return operator === 'eq' || operator === 'ne'
		? 'A comparison takes one value; for multiple values, use a set: in {…}.'
		: 'A comparison takes one value: use a separate comparison for each value.';
};

/** True if a lexeme is a value: a string in valid quotes, a number, an address. */
export const isValueLexeme = (lexeme: Lexeme | undefined): lexeme is Lexeme =>
	lexeme !== undefined &&
	((lexeme.kind === 'string' && lexeme.quoted?.form !== 'foreign') ||
		(lexeme.kind === 'word' && looksLikeLiteral(lexeme.text) && !findField(lexeme.text)));

/** Formats a value in valid form; undefined if its end is uncertain. `quotesWords`: quotes a bare word. */
export function formatLexemeValue(
	parser: Parser,
	{quoted, text}: Lexeme,
	quotesWords: boolean,
): string | undefined {
	if (!quoted) return quotesWords ? `"${text}"` : text;
	if (!quoted.closed) return undefined;
	return quoted.form === 'foreign'
		? requote(parser.text.slice(quoted.contentStart, quoted.contentEnd), false)
		: text;
}
