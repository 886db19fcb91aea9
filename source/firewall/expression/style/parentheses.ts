import type {Parser} from '../grammar/parser.ts';
import type {Expression} from '../grammar/tree.ts';

type Logical = Expression & {kind: 'logical'};

/** Adds a hint to `a and b or c`, where the order follows from the precedence of the operators. */
export function addParenthesesHint(parser: Parser, expression: Logical): void {
	const inner = expression.operands.find(operand => operand.kind === 'logical');
	if (inner?.kind !== 'logical') return;
	parser.hint(
		inner,
		`${findOperatorText(parser, inner)} comes before ${findOperatorText(parser, expression)}: put parentheses around this to show the order.`,
		{
			code: 'L120',
			correction: {
				span: {start: expression.start, end: expression.end},
				text: addParentheses(parser, expression),
			},
		},
	);
}

/** Returns the first operator as written. */
const findOperatorText = (parser: Parser, {operands: [first, second], operator}: Logical): string =>
	first && second ? parser.text.slice(first.end, second.start).trim() : operator;

function addParentheses(parser: Parser, {start, end, operands}: Logical): string {
	let text = '';
	let offset = start;
	for (const operand of operands) {
		text += parser.text.slice(offset, operand.start);
		text += operand.kind === 'logical' ? `(${addParentheses(parser, operand)})` : parser.slice(operand);
		offset = operand.end;
	}
	return text + parser.text.slice(offset, end);
}
