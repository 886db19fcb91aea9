import type {Span} from '../grammar/problem.ts';
import type {Expression} from '../grammar/tree.ts';

/** A part of an expression, or its negation. */
export type SignedPart = Span & {readonly node: Expression; readonly isTrue: boolean};

/** Lists the conditions that an operator joins, including those in parentheses and after `not`. */
export function listParts(
	node: Expression,
	operator: 'and' | 'or',
	isTrue: boolean,
	span: Span = node,
): readonly SignedPart[] {
	if (node.kind === 'group') return listParts(node.inner, operator, isTrue, span);
	if (node.kind === 'not') return listParts(node.operand, operator, !isTrue, span);
	const joiningOperator = isTrue ? operator : operator === 'and' ? 'or' : 'and';
	return node.kind === 'logical' && node.operator === joiningOperator
		? node.operands.flatMap(operand => listParts(operand, operator, isTrue))
		: [{node, isTrue, start: span.start, end: span.end}];
}
