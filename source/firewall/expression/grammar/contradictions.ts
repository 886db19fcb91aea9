import {parseIpAddress} from './addresses.ts';
import type {Parser} from './parser.ts';
import {abbreviate} from './parser.ts';
import type {Expression} from './tree.ts';

type Comparison = Expression & {kind: 'comparison'};

/**
 * Warns of `x ne "a" or x ne "b"`, which is always true, and of `x eq "a" and x eq "b"`, which never is. The
 * service accepts both expressions, and a rule with the first one acts on all traffic.
 */
export function warnOfContradiction(parser: Parser, expression: Expression & {kind: 'logical'}): void {
	if (expression.operator === 'xor') return;
	const operator = expression.operator === 'or' ? 'ne' : 'eq';
	const earlierValues = new Map<string, {readonly value: string; readonly start: number}>();
	const comparisons = expression.operands.map(operand => findComparison(operand, operator));
	for (const [index, comparison] of comparisons.entries()) {
		const operand = expression.operands[index];
		const value = comparison && getComparedValue(comparison);
		if (!comparison || !operand || value === undefined) continue;
		const name = parser.slice(comparison.left);
		const earlierValue = earlierValues.get(name);
		if (!earlierValue) earlierValues.set(name, {value, start: operand.start});
		else if (earlierValue.value !== value) {
			const coversAllOperands =
				operator === 'ne' &&
				comparisons.every(
					operandComparison => operandComparison && parser.slice(operandComparison.left) === name,
				);
			const values = comparisons
				.map(operandComparison => (operandComparison ? parser.slice(operandComparison.right) : ''))
				.join(' ');
			parser.warning(
				{start: earlierValue.start, end: operand.end},
				operator === 'ne'
					? `This is always true: ${abbreviate(name)} always differs from at least one of these values. To exclude them all, use "and", or "not … in {…}".`
					: `This is never true: ${abbreviate(name)} has only one value. To match any of these, use "or", or "in {…}".`,
				{
					code: operator === 'ne' ? 'L031' : 'L032',
					correction: coversAllOperands
						? {span: {start: expression.start, end: expression.end}, text: `not ${name} in {${values}}`}
						: undefined,
				},
			);
			return;
		}
	}
}

function findComparison(expression: Expression, operator: 'eq' | 'ne'): Comparison | undefined {
	let current = expression;
	while (current.kind === 'group') current = current.inner;
	return current.kind === 'comparison' &&
		current.operator === operator &&
		getComparedValue(current) !== undefined
		? current
		: undefined;
}

function getComparedValue({right}: Comparison): string | undefined {
	switch (right.kind) {
		case 'string':
		case 'integer':
			return String(right.value);
		case 'address': {
			const address = parseIpAddress(right.text);
			return address.ok ? `${address.version} ${address.value}` : undefined;
		}
		default:
			return undefined;
	}
}
