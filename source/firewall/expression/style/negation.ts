import type {Parser} from '../grammar/parser.ts';
import type {ComparisonOperator, Expression} from '../grammar/tree.ts';
import {ungroup} from '../meaning/walk.ts';
import {findField} from '../vocabulary/fields.ts';

type Negation = Expression & {kind: 'not'};

const oppositeOperators: Partial<Record<ComparisonOperator, ComparisonOperator>> = {
	eq: 'ne',
	ne: 'eq',
	lt: 'ge',
	ge: 'lt',
	le: 'gt',
	gt: 'le',
};

/** Adds a hint to `not not a`, and to `not a eq b` if `a ne b` is the same. */
export function addNegationHint(parser: Parser, negation: Negation, isArgument: boolean): void {
	const span = {start: negation.start, end: negation.end};
	const operand = ungroup(negation.operand);
	if (operand.kind === 'not') {
		const text = parser.slice(operand.operand);
		const needsParentheses = isArgument && operand.operand.kind === 'comparison';
		parser.hint(negation, 'Two negations cancel each other out.', {
			code: 'L122',
			correction: {span, text: needsParentheses ? `(${text})` : text},
		});
	} else if (operand.kind === 'comparison') {
		const {left, operatorSpan, operator, right} = operand;
		const opposite = oppositeOperators[operator];
		const field = left.kind === 'field' && left.indexes.length === 0 ? findField(left.name) : undefined;
		// If a value may be missing, both comparisons are false without one.
		if (!opposite || !field?.type || field.plan || field.scope || 'of' in field.type) return;
		if (right.kind !== 'string' && right.kind !== 'integer' && right.kind !== 'address') return;
		const text = `${parser.text.slice(operand.start, operatorSpan.start)}${spell(parser.slice(operatorSpan), opposite)}${parser.text.slice(operatorSpan.end, operand.end)}`;
		parser.hint(negation, `${opposite} says the same without not.`, {code: 'L123', correction: {span, text}});
	}
}

const signs: Partial<Record<ComparisonOperator, string>> = {
	eq: '==',
	ne: '!=',
	lt: '<',
	le: '<=',
	gt: '>',
	ge: '>=',
};

/** Writes an operator as a word or as a sign, like another one. */
const spell = (model: string, operator: ComparisonOperator): string =>
	(/^\w/.test(model) ? undefined : signs[operator]) ?? operator;
