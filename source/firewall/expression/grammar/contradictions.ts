import {readAddress} from './addresses.ts';
import type {Parser} from './reading.ts';
import {abbreviate} from './reading.ts';
import type {Expression} from './tree.ts';

type Comparison = Expression & {kind: 'comparison'};

/**
 * Warns of `x ne "a" or x ne "b"`, which is always true, and of `x eq "a" and x eq "b"`, which never is. The
 * service accepts both, and a rule with the first one acts on all traffic.
 */
export function warnContradiction(parser: Parser, expression: Expression & {kind: 'logical'}): void {
	if (expression.operator === 'xor') return;
	const operator = expression.operator === 'or' ? 'ne' : 'eq';
	const seen = new Map<string, {readonly value: string; readonly start: number}>();
	const compared = expression.operands.map(operand => findComparison(operand, operator));
	for (const [place, one] of compared.entries()) {
		const operand = expression.operands[place];
		const value = one && getComparedValue(one);
		if (!one || !operand || value === undefined) continue;
		const name = parser.slice(one.left);
		const other = seen.get(name);
		if (!other) seen.set(name, {value, start: operand.start});
		else if (other.value !== value) {
			const isWhole = operator === 'ne' && compared.every(each => each && parser.slice(each.left) === name);
			const values = compared.map(each => (each ? parser.slice(each.right) : '')).join(' ');
			parser.warning(
				{start: other.start, end: operand.end},
				operator === 'ne'
					? `This is always true: whatever ${abbreviate(name)} is, it differs from one of these. With and, or as not … in {…}, it must be none of them.`
					: `This is never true: ${abbreviate(name)} has one value. With or, or as in {…}, it may be any of them.`,
				{
					correction: isWhole
						? {span: {start: expression.start, end: expression.end}, text: `not ${name} in {${values}}`}
						: undefined,
				},
			);
			return;
		}
	}
}

function findComparison(expression: Expression, operator: 'eq' | 'ne'): Comparison | undefined {
	let one = expression;
	while (one.kind === 'group') one = one.inner;
	return one.kind === 'comparison' && one.operator === operator && getComparedValue(one) !== undefined
		? one
		: undefined;
}

function getComparedValue({right}: Comparison): string | undefined {
	switch (right.kind) {
		case 'string':
		case 'integer':
			return String(right.value);
		case 'address': {
			const read = readAddress(right.text);
			return read.ok ? `${read.version} ${read.value}` : undefined;
		}
		default:
			return undefined;
	}
}
