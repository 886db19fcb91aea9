import {findField} from '../vocabulary/fields.ts';
import {formatType, type ValueType} from '../vocabulary/value-type.ts';
import {looksLikeLiteral} from './literals.ts';
import {mayBeNewField} from './missing-names.ts';
import {abbreviate, joinSpans, type Parser, type TypedOperand} from './parser.ts';
import type {Lexeme} from './token.ts';
import type {ComparisonOperator, LeftSide, RightSide} from './tree.ts';

/** Operators that allow a field or a function on the right; the others need a literal. */
const computedOperators: ReadonlySet<ComparisonOperator> = new Set(['eq', 'ne', 'lt', 'le', 'gt', 'ge']);

/** True if a field or a call starts at a lexeme. */
export const isComputedStart = (parser: Parser, lexeme: Lexeme): boolean =>
	lexeme.kind === 'word' &&
	(findField(lexeme.text) !== undefined ||
		mayBeNewField(parser, lexeme) ||
		(parser.next?.text === '(' && !looksLikeLiteral(lexeme.text)));

/** Reads a field or a function on the right of an operator. */
export function readComputed(parser: Parser, side: LeftSide, firstLexeme: Lexeme): RightSide | undefined {
	const acceptsComputed = computedOperators.has(side.operator);
	if (!acceptsComputed)
		parser.syntaxError(firstLexeme, `${side.operator} takes a literal value, not a field or a function.`, {
			engineMessage: 'expected " or r',
		});
	const problemCount = parser.problems.length;
	const right = parser.parsingFunctions.readOperand(parser);
	if (!right || parser.gaveUp) {
		parser.broken = true;
		return undefined;
	}
	const {operand} = right;
	if (!acceptsComputed || operand.kind === 'call' || operand.kind === 'field') {
		if (acceptsComputed && parser.problems.slice(problemCount).every(({severity}) => severity !== 'error'))
			checkTypes(parser, side, right);
		return operand;
	}
	return undefined;
}

/**
 * Checks that both sides have the same type. Warns where the documentation leaves open whether they may
 * differ.
 */
function checkTypes(parser: Parser, side: LeftSide, right: TypedOperand): void {
	const {operand, type} = right;
	const span = {start: operand.start, end: operand.end};
	const comparisonSpan = joinSpans(side.left, operand);
	const [leftText, rightText] = [parser.slice(side.left), parser.slice(operand)];
	if (!type || !side.type) return;
	if (right.isEach) {
		parser.error(span, `[*] can only be used to the left of ${side.operator}.`, {
			engineMessage: 'invalid use of map each access operator',
		});
		return;
	}
	if (!isComparableType(side.type, type)) {
		const engineMessage = `expected value of type ${formatType(side.type)}, but got ${formatType(type)}`;
		const containsLeftValue =
			type.kind === 'Array' && isComparableType(type.of, side.type) && side.operator === 'eq';
		const correctText = `has_value(${rightText}, ${leftText})`;
		parser.error(
			span,
			containsLeftValue
				? `${abbreviate(rightText)} contains multiple values (${formatType(type)}): use ${abbreviate(correctText)} to look for one of them.`
				: `${abbreviate(rightText)} is of type ${formatType(type)}, but ${abbreviate(leftText)} is of type ${formatType(side.type)}: only values of the same type can be compared.`,
			{
				engineMessage,
				correction: containsLeftValue && !side.isEach ? {span: comparisonSpan, text: correctText} : undefined,
			},
		);
		return;
	}
	if (side.isEach)
		parser.warning(
			comparisonSpan,
			'It is not documented whether [*] can be compared with another field: test it in a log rule.',
			{code: 'L020'},
		);
	else if (leftText === rightText) {
		// A comparison with a missing value, which only elements can be, is false.
		const ifPresent = leftText.includes('[') ? ' if there is a value' : '';
		const result = isReflexive(side.operator) ? `always true${ifPresent}` : 'never true';
		parser.warning(comparisonSpan, `Both sides are the same: this is ${result}.`, {code: 'L030'});
	}
}

const isReflexive = (operator: ComparisonOperator): boolean =>
	operator === 'eq' || operator === 'le' || operator === 'ge';

/** True for equal types, and for strings and bytes, which can be compared with each other. */
function isComparableType(one: ValueType, other: ValueType): boolean {
	const isTextType = ({kind}: ValueType) => kind === 'String' || kind === 'Bytes';
	return (isTextType(one) && isTextType(other)) || formatType(one) === formatType(other);
}
