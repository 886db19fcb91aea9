import type {Argument, Expression, Operand, RightSide} from '../grammar/tree.ts';

type Call = Operand & {kind: 'call'};

/** What to call for the parts of a tree, from the outside in. */
type Visitor = {
	/** `isArgument`: true in `any` and `all`, whose argument is parsed differently. */
	readonly condition?: (condition: Expression, isArgument: boolean) => void;
	readonly call?: (call: Call) => void;
};

/** Visits all conditions and calls of an expression. */
export function walkTree(expression: Expression, visitor: Visitor, isArgument = false): void {
	visitor.condition?.(expression, isArgument);
	switch (expression.kind) {
		case 'logical':
			for (const operand of expression.operands) walkTree(operand, visitor, isArgument);
			return;
		case 'not':
			walkTree(expression.operand, visitor, isArgument);
			return;
		case 'group':
			walkTree(expression.inner, visitor, isArgument);
			return;
		case 'bare':
			walkOperand(expression.operand, visitor);
			return;
		case 'comparison':
			walkOperand(expression.left, visitor);
			walkOperand(expression.right, visitor);
			return;
		default:
			expression satisfies never;
	}
}

function walkOperand(operand: Operand | RightSide | Argument, visitor: Visitor): void {
	if (operand.kind === 'expression') walkTree(operand.expression, visitor, true);
	if (operand.kind !== 'call') return;
	visitor.call?.(operand);
	for (const argument of operand.arguments) walkOperand(argument, visitor);
}

/** Returns an expression without the parentheses around it. */
export function ungroup(expression: Expression): Expression {
	let inner = expression;
	while (inner.kind === 'group') inner = inner.inner;
	return inner;
}
