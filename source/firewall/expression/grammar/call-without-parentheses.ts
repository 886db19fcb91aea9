import type {ExpressionFunction} from '../vocabulary/entries.ts';
import {findField} from '../vocabulary/fields.ts';
import {findFunction} from '../vocabulary/functions.ts';
import {findNameEnd, isSign} from './name-extent.ts';
import {comparisonOperators} from './operators.ts';
import type {Correction} from './problem.ts';
import {abbreviate, joinSpans, type Parser} from './reading.ts';
import {isValueLexeme} from './several-values.ts';
import type {Lexeme} from './token.ts';

/** Reports missing parentheses (`starts_with http.host "a"`, `any x[*] eq "b"`), and skips the condition. */
export function reportMissingParentheses(parser: Parser, name: Lexeme): boolean {
	const called = findField(name.text) ? undefined : findFunction(name.text);
	const {lexemes, index} = parser;
	const first = lexemes[index + 1];
	if (!called || first?.kind !== 'word' || !(findField(first.text) || findFunction(first.text))) return false;
	const endIndex = findNameEnd(lexemes, index + 1);
	parser.skipUnreadable();
	const end = parser.previous;
	parser.syntaxError(
		name,
		`${name.text} is a function: what it looks at follows in parentheses, as ${name.text}(${abbreviate(first.text)}${called.parameters.length > 1 ? ', …' : ''}).`,
		{
			engine: 'expected literal "("',
			correction:
				end && endIndex !== undefined
					? buildCallCorrection(parser, {name, called, first, endIndex, end})
					: undefined,
		},
	);
	return true;
}

type Call = {
	readonly name: Lexeme;
	readonly called: ExpressionFunction;
	readonly first: Lexeme;
	readonly endIndex: number;
	readonly end: Lexeme;
};

function buildCallCorrection(
	parser: Parser,
	{name, called, first, endIndex, end}: Call,
): Correction | undefined {
	const {lexemes} = parser;
	const condition = parser.slice(joinSpans(first, end));
	if (called.name === 'any' || called.name === 'all')
		return {span: joinSpans(name, end), text: `${called.name}(${condition})`};
	const last = lexemes[endIndex - 1];
	if (!last) return undefined;
	const field = parser.slice(joinSpans(first, last));
	const comparison = lexemes[endIndex];
	if (called.parameters.length === 1)
		return comparison && comparisonOperators.has(comparison.text)
			? {span: joinSpans(name, last), text: `${called.name}(${field})`}
			: undefined;
	const value = isSign(comparison, ',') ? lexemes[endIndex + 1] : comparison;
	return called.parameters.length === 2 && isValueLexeme(value) && value === end && value.quoted?.closed
		? {span: joinSpans(name, value), text: `${called.name}(${field}, ${value.text})`}
		: undefined;
}
