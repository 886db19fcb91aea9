import {computeEditDistance} from '../../../text/closest-name.ts';
import {reportPlusAfterLeftSide} from './joined-texts.ts';
import {comparisonOperators, foreignOperators, listComparisonOperators} from './operators.ts';
import {abbreviate, joinSpans, type Parser, type TypedOperand} from './parser.ts';
import type {Lexeme} from './token.ts';
import type {ComparisonOperator} from './tree.ts';
import {reportBetween, reportFunctionAsOperator} from './words-for-operators.ts';

export type IntendedOperator = {
	readonly operator: ComparisonOperator;
	readonly operatorLexeme: Lexeme;
	/** True if the opposite is intended, because of a misplaced `not`. */
	readonly negated?: boolean;
};

/**
 * Reports something else in place of an operator. Returns the intended operator and moves past it; undefined
 * if the intention is unclear.
 */
export function readMistakenOperator(
	parser: Parser,
	left: TypedOperand,
	current: Lexeme,
): IntendedOperator | undefined {
	const name = parser.slice(left.operand);
	const lowerText = current.text.toLowerCase();
	if (reportFunctionAsOperator(parser, left, current) || reportBetween(parser, left, current))
		return undefined;
	if (reportPlusAfterLeftSide(parser, left, current)) return undefined;
	const negation = findNegation(parser, current);
	if (negation) {
		parser.syntaxError(
			joinSpans(current, negation.operatorLexeme),
			`Put "not" before the whole condition: not ${abbreviate(name)} ${negation.operator} ….`,
			{
				engineMessage: 'expected ComparisonOp',
				correction: {
					span: {start: left.operand.start, end: negation.operatorLexeme.end},
					text: `not ${name} ${negation.operator}`,
				},
			},
		);
		parser.index += negation.length;
		const operator = comparisonOperators.get(negation.operator);
		return operator && {operator, operatorLexeme: negation.operatorLexeme, negated: true};
	}
	const {next} = parser;
	if (
		lowerText === 'strict' &&
		next &&
		(correctSpelling(next.text.toLowerCase()) ?? next.text.toLowerCase()) === 'wildcard'
	) {
		parser.syntaxError(joinSpans(current, next), 'Write strict wildcard with a single space.', {
			engineMessage: 'expected ComparisonOp',
			correction: 'strict wildcard',
		});
		parser.index += 2;
		return {operator: 'strict wildcard', operatorLexeme: {...next, start: current.start}};
	}
	const intendedText = comparisonOperators.has(lowerText)
		? lowerText
		: (foreignOperators.get(lowerText) ?? correctSpelling(lowerText));
	const operator = intendedText === undefined ? undefined : comparisonOperators.get(intendedText);
	if (intendedText !== undefined && operator) {
		parser.syntaxError(
			current,
			intendedText === lowerText
				? 'Operators must be lower case.'
				: `"${abbreviate(current.text)}" is not an operator; did you mean ${intendedText}?`,
			{engineMessage: 'expected ComparisonOp', correction: intendedText},
		);
		parser.index++;
		return {operator, operatorLexeme: current};
	}
	parser.syntaxError(
		current,
		left.type
			? `Expected an operator: ${listComparisonOperators(left.type).join(', ') || 'and, or, xor'}.`
			: 'Expected an operator.',
		{engineMessage: 'expected ComparisonOp'},
	);
	parser.skipUnreadable();
	return undefined;
}

/** Corrects up to two wrong letters. Short operators are too similar to correct. */
const correctSpelling = (lowerText: string): string | undefined =>
	lowerText.length < 5
		? undefined
		: ['contains', 'matches', 'wildcard'].find(word => computeEditDistance(lowerText, word, 2) !== undefined);

/**
 * Finds a negation inside a condition: `not in`, `!in`, `not contains`, `does not contain`, `is not`, `!~`.
 */
function findNegation(parser: Parser, current: Lexeme) {
	const {next, lexemes, index} = parser;
	if (current.text === '!~') return {operator: 'matches', operatorLexeme: current, length: 1};
	if (!next) return undefined;
	if (current.text.toLowerCase() === 'is' && next.text.toLowerCase() === 'not')
		return {operator: 'eq', operatorLexeme: next, length: 2};
	const lowerText = current.text.toLowerCase();
	if ((lowerText === 'does' || lowerText === 'do') && next.text.toLowerCase() === 'not') {
		const operatorWord = lexemes[index + 2];
		const intendedText =
			operatorWord &&
			(foreignOperators.get(operatorWord.text.toLowerCase()) ?? operatorWord.text.toLowerCase());
		if (!operatorWord || !intendedText || !comparisonOperators.has(intendedText) || !lexemes[index + 3])
			return undefined;
		return {operator: intendedText, operatorLexeme: operatorWord, length: 3};
	}
	const isNegated = lowerText === 'not' || current.text === '!';
	const valueLexeme = comparisonOperators.has(next.text) && lexemes[index + 2];
	return isNegated && valueLexeme ? {operator: next.text, operatorLexeme: next, length: 2} : undefined;
}
