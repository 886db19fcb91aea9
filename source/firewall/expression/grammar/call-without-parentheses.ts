import type {ExpressionFunction} from '../vocabulary/entries.ts';
import {findField} from '../vocabulary/fields.ts';
import {findFunction} from '../vocabulary/functions.ts';
import {findNameEnd, isSign} from './name-extent.ts';
import {comparisonOperators} from './operators.ts';
import {abbreviate, joinSpans, type Parser} from './parser.ts';
import type {Correction} from './problem.ts';
import {isValueLexeme} from './several-values.ts';
import type {Lexeme} from './token.ts';

/**
 * Reports missing parentheses (`starts_with http.host "a"`, `any x[*] eq "b"`), and skips the condition.
 * Returns false if none are missing.
 */
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
	const nameEndIndex = findNameEnd(lexemes, index + 1);
	parser.skipUnreadable();
	const conditionEnd = parser.previous;
	parser.syntaxError(
		name,
		`${name.text} is a function: put its arguments in parentheses, as in ${name.text}(${abbreviate(firstLexeme.text)}${calledFunction.parameters.length > 1 ? ', …' : ''}).`,
		{
			engineMessage: 'expected literal "("',
			correction:
				conditionEnd && nameEndIndex !== undefined
					? buildCallCorrection(parser, {
							name,
							calledFunction,
							firstLexeme,
							nameEndIndex,
							conditionEnd,
						})
					: undefined,
		},
	);
	return true;
}

type Call = {
	readonly name: Lexeme;
	readonly calledFunction: ExpressionFunction;
	readonly firstLexeme: Lexeme;
	readonly nameEndIndex: number;
	readonly conditionEnd: Lexeme;
};

function buildCallCorrection(
	parser: Parser,
	{name, calledFunction, firstLexeme, nameEndIndex, conditionEnd}: Call,
): Correction | undefined {
	const {lexemes} = parser;
	const condition = parser.slice(joinSpans(firstLexeme, conditionEnd));
	if (calledFunction.name === 'any' || calledFunction.name === 'all')
		return {span: joinSpans(name, conditionEnd), text: `${calledFunction.name}(${condition})`};
	const lastLexeme = lexemes[nameEndIndex - 1];
	if (!lastLexeme) return undefined;
	const field = parser.slice(joinSpans(firstLexeme, lastLexeme));
	const lexemeAfter = lexemes[nameEndIndex];
	if (calledFunction.parameters.length === 1)
		return lexemeAfter && comparisonOperators.has(lexemeAfter.text)
			? {span: joinSpans(name, lastLexeme), text: `${calledFunction.name}(${field})`}
			: undefined;
	const value = isSign(lexemeAfter, ',') ? lexemes[nameEndIndex + 1] : lexemeAfter;
	return calledFunction.parameters.length === 2 &&
		isValueLexeme(value) &&
		value === conditionEnd &&
		value.quoted?.closed
		? {span: joinSpans(name, value), text: `${calledFunction.name}(${field}, ${value.text})`}
		: undefined;
}
