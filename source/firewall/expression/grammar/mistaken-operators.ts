import {computeEditDistance} from '../checks/edit-distance.ts';
import {reportPlusAfterLeftSide} from './joined-texts.ts';
import {comparisonOperators, foreignOperators, listComparisonOperators} from './operators.ts';
import {abbreviate, joinSpans, type Parser, type TypedOperand} from './reading.ts';
import type {Lexeme} from './token.ts';
import type {ComparisonOperator} from './tree.ts';
import {reportBetween, reportFunctionAsOperator} from './words-for-operators.ts';

export type IntendedOperator = {
	readonly operator: ComparisonOperator;
	readonly written: Lexeme;
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
	const lower = current.text.toLowerCase();
	if (reportFunctionAsOperator(parser, left, current) || reportBetween(parser, left, current))
		return undefined;
	if (reportPlusAfterLeftSide(parser, left, current)) return undefined;
	const negated = findNegation(parser, current);
	if (negated) {
		parser.syntaxError(
			joinSpans(current, negated.end),
			`not comes before the whole condition: not ${abbreviate(name)} ${negated.operator} ….`,
			{
				engine: 'expected ComparisonOp',
				correction: {
					span: {start: left.operand.start, end: negated.end.end},
					text: `not ${name} ${negated.operator}`,
				},
			},
		);
		parser.index += negated.length;
		const operator = comparisonOperators.get(negated.operator);
		return operator && {operator, written: negated.end, negated: true};
	}
	const {next} = parser;
	if (
		lower === 'strict' &&
		next &&
		(correctSpelling(next.text.toLowerCase()) ?? next.text.toLowerCase()) === 'wildcard'
	) {
		parser.syntaxError(joinSpans(current, next), 'strict wildcard is written with one space.', {
			engine: 'expected ComparisonOp',
			correction: 'strict wildcard',
		});
		parser.index += 2;
		return {operator: 'strict wildcard', written: {...next, start: current.start}};
	}
	const intended = comparisonOperators.has(lower)
		? lower
		: (foreignOperators.get(lower) ?? correctSpelling(lower));
	const operator = intended === undefined ? undefined : comparisonOperators.get(intended);
	if (intended !== undefined && operator) {
		parser.syntaxError(
			current,
			intended === lower
				? 'Operators are written in lower case.'
				: `"${abbreviate(current.text)}" is not an operator; did you mean ${intended}?`,
			{engine: 'expected ComparisonOp', correction: intended},
		);
		parser.index++;
		return {operator, written: current};
	}
	parser.syntaxError(
		current,
		left.type
			? `An operator is expected here: ${listComparisonOperators(left.type).join(', ') || 'and, or, xor'}.`
			: 'An operator is expected here.',
		{engine: 'expected ComparisonOp'},
	);
	parser.skipUnreadable();
	return undefined;
}

/** Corrects up to two wrong letters. Short operators are too similar to correct. */
const correctSpelling = (lower: string): string | undefined =>
	lower.length < 5
		? undefined
		: ['contains', 'matches', 'wildcard'].find(word => computeEditDistance(lower, word, 2) !== undefined);

/**
 * Finds a negation inside a condition: `not in`, `!in`, `not contains`, `does not contain`, `is not`, `!~`.
 */
function findNegation(parser: Parser, current: Lexeme) {
	const {next, lexemes, index} = parser;
	if (current.text === '!~') return {operator: 'matches', end: current, length: 1};
	if (!next) return undefined;
	if (current.text.toLowerCase() === 'is' && next.text.toLowerCase() === 'not')
		return {operator: 'eq', end: next, length: 2};
	const first = current.text.toLowerCase();
	if ((first === 'does' || first === 'do') && next.text.toLowerCase() === 'not') {
		const word = lexemes[index + 2];
		const intended = word && (foreignOperators.get(word.text.toLowerCase()) ?? word.text.toLowerCase());
		if (!word || !intended || !comparisonOperators.has(intended) || !lexemes[index + 3]) return undefined;
		return {operator: intended, end: word, length: 3};
	}
	const isNegated = first === 'not' || current.text === '!';
	const known = comparisonOperators.has(next.text) && lexemes[index + 2];
	return isNegated && known ? {operator: next.text, end: next, length: 2} : undefined;
}
