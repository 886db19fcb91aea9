import {findField} from '../vocabulary/fields.ts';
import {formatType, type ValueType} from '../vocabulary/value-type.ts';
import {looksLikeLiteral} from './literals.ts';
import {abbreviate, joinSpans, type Parser, type TypedOperand} from './reading.ts';
import type {Lexeme} from './token.ts';
import type {ComparisonOperator, LeftSide, RightSide} from './tree.ts';

/** Operators that allow a field or a function on the right; the others need a literal. */
const computedOperators: ReadonlySet<ComparisonOperator> = new Set(['eq', 'ne', 'lt', 'le', 'gt', 'ge']);

/** True if a field or a call starts at a lexeme. */
export const isComputedStart = (parser: Parser, {kind, text}: Lexeme): boolean =>
	kind === 'word' &&
	(findField(text) !== undefined || (parser.next?.text === '(' && !looksLikeLiteral(text)));

/** Reads a field or a function on the right of an operator. */
export function readComputed(parser: Parser, side: LeftSide, firstLexeme: Lexeme): RightSide | undefined {
	const isTaken = computedOperators.has(side.operator);
	if (!isTaken)
		parser.syntaxError(firstLexeme, `${side.operator} takes a literal value, not a field or a function.`, {
			engine: 'expected " or r',
		});
	const problemCount = parser.problems.length;
	const right = parser.grammar.readOperand(parser);
	if (!right || parser.gaveUp) {
		parser.broken = true;
		return undefined;
	}
	const {operand} = right;
	if (!isTaken || operand.kind === 'call' || operand.kind === 'field') {
		if (isTaken && parser.problems.slice(problemCount).every(({severity}) => severity !== 'error'))
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
	const [left, name] = [parser.slice(side.left), parser.slice(operand)];
	if (!type || !side.type) return;
	if (right.isEach) {
		parser.error(span, `[*] can only be used to the left of ${side.operator}.`, {
			engine: 'invalid use of map each access operator',
		});
		return;
	}
	if (!isOneType(side.type, type)) {
		const engine = `expected value of type ${formatType(side.type)}, but got ${formatType(type)}`;
		const holdsIt = type.kind === 'Array' && isOneType(type.of, side.type) && side.operator === 'eq';
		const text = `has_value(${name}, ${left})`;
		parser.error(
			span,
			holdsIt
				? `${abbreviate(name)} contains multiple values (${formatType(type)}): use ${abbreviate(text)} to look for one of them.`
				: `${abbreviate(name)} is of type ${formatType(type)}, but ${abbreviate(left)} is of type ${formatType(side.type)}: only values of the same type can be compared.`,
			{engine, correction: holdsIt && !side.isEach ? {span: comparisonSpan, text} : undefined},
		);
		return;
	}
	if (side.isEach)
		parser.warning(
			comparisonSpan,
			'It is not documented whether [*] can be compared with another field: test it in a log rule.',
		);
	else if (left === name)
		parser.warning(
			comparisonSpan,
			`Both sides are the same: this is ${isTrueOfItself(side.operator) ? 'always' : 'never'} true.`,
		);
}

const isTrueOfItself = (operator: ComparisonOperator): boolean =>
	operator === 'eq' || operator === 'le' || operator === 'ge';

/** True for equal types, and for strings and bytes, which can be compared with each other. */
function isOneType(one: ValueType, other: ValueType): boolean {
	const isTextType = ({kind}: ValueType) => kind === 'String' || kind === 'Bytes';
	return (isTextType(one) && isTextType(other)) || formatType(one) === formatType(other);
}
