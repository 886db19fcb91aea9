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
	const calledFunction = findField(name.text) ? undefined : findFunction(name.text);
	const {lexemes, index} = parser;
	const firstLexeme = lexemes[index + 1];
	if (
		!calledFunction ||
		firstLexeme?.kind !== 'word' ||
		!(findField(firstLexeme.text) || findFunction(firstLexeme.text))
	)
		return false;
	const endIndex = findNameEnd(lexemes, index + 1);
	parser.skipUnreadable();
	const end = parser.previous;
	parser.syntaxError(
		name,
		`${name.text} is a function: what it looks at follows in parentheses, as ${name.text}(${abbreviate(firstLexeme.text)}${calledFunction.parameters.length > 1 ? ', …' : ''}).`,
		{
			engine: 'expected literal "("',
			correction:
				end && endIndex !== undefined
					? buildCallCorrection(parser, {name, called: calledFunction, first: firstLexeme, endIndex, end})
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
	const lastLexeme = lexemes[endIndex - 1];
	if (!lastLexeme) return undefined;
	const field = parser.slice(joinSpans(first, lastLexeme));
	const comparison = lexemes[endIndex];
	if (called.parameters.length === 1)
		return comparison && comparisonOperators.has(comparison.text)
			? {span: joinSpans(name, lastLexeme), text: `${called.name}(${field})`}
			: undefined;
	const value = isSign(comparison, ',') ? lexemes[endIndex + 1] : comparison;
	return called.parameters.length === 2 && isValueLexeme(value) && value === end && value.quoted?.closed
		? {span: joinSpans(name, value), text: `${called.name}(${field}, ${value.text})`}
		: undefined;
}
