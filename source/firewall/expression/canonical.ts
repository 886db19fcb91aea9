import {analyse} from './analyse.ts';
import type {Argument, Expression, Index, Literal, Operand, RightSide} from './grammar/tree.ts';

/**
 * Formats an expression in a canonical form: operators as words, single spaces, one form of quotes and
 * numbers, no redundant parentheses, sets sorted without duplicates. Expressions with the same canonical form
 * match the same requests. Undefined if the text cannot be parsed.
 */
export function canonical(text: string): string | undefined {
	const {tree} = analyse(text);
	return tree && written(tree, 'top');
}

type Within = 'top' | 'argument' | 'not' | 'and' | 'or' | 'xor';

/** Writes an expression inside another, with parentheses where needed. */
function written(expression: Expression, within: Within): string {
	switch (expression.kind) {
		case 'group':
			return written(expression.inner, within);
		case 'not':
			return `not ${written(expression.operand, 'not')}`;
		case 'logical': {
			const {operator} = expression;
			const text = partsOf(expression)
				.map(part => written(part, operator))
				.join(` ${operator} `);
			return within === 'top' ? text : `(${text})`;
		}
		case 'bare':
			return ofOperand(expression.operand);
		case 'comparison': {
			const {left, operator, right} = expression;
			const [only] = right.kind === 'set' ? right.items : [];
			// A set of one value equals that value; a range or a network stays a set.
			const isOne =
				right.kind === 'set' &&
				only &&
				only.kind !== 'range' &&
				only.kind !== 'network' &&
				right.items.every(item => ofLiteral(item) === ofLiteral(only));
			return isOne
				? `${ofOperand(left)} eq ${ofLiteral(only)}`
				: `${ofOperand(left)} ${operator} ${ofRight(right)}`;
		}
	}
}

/** Returns the operands, including those of nested groups with the same operator. */
function partsOf({operator, operands}: Expression & {kind: 'logical'}): readonly Expression[] {
	return operands.flatMap(operand => {
		let inner = operand;
		while (inner.kind === 'group') inner = inner.inner;
		return inner.kind === 'logical' && inner.operator === operator ? partsOf(inner) : [operand];
	});
}

function ofOperand(operand: Operand): string {
	switch (operand.kind) {
		case 'field':
			return `${operand.name}${operand.indexes.map(ofIndex).join('')}`;
		case 'call':
			return `${operand.name}(${operand.arguments.map(ofArgument).join(', ')})${operand.indexes.map(ofIndex).join('')}`;
		default:
			return ofLiteral(operand);
	}
}

const ofArgument = (argument: Argument): string =>
	argument.kind === 'expression' ? written(argument.expression, 'argument') : ofOperand(argument);

function ofIndex(index: Index): string {
	switch (index.kind) {
		case 'position':
			return `[${index.position}]`;
		case 'key':
			// Map keys allow plain quotes only.
			return `[${index.key.kind === 'string' ? quoted(index.key.value) : ofLiteral(index.key)}]`;
		case 'each':
			return '[*]';
	}
}

function ofRight(right: RightSide): string {
	switch (right.kind) {
		case 'set':
			return `{${[...new Set(right.items.map(ofLiteral))].sort().join(' ')}}`;
		case 'list':
			return `$${right.name}`;
		default:
			return ofOperand(right);
	}
}

function ofLiteral(literal: Literal): string {
	switch (literal.kind) {
		case 'string':
			return rawString(literal.value);
		case 'integer':
		case 'boolean':
			return String(literal.value);
		case 'address':
		case 'network':
			return literal.text.toLowerCase();
		case 'range':
			return `${ofLiteral(literal.first)}..${ofLiteral(literal.last)}`;
		case 'bytes':
			return literal.value.map(byte => byte.toString(16).padStart(2, '0')).join(':');
	}
}

/** Writes a raw string, which means the same after every operator. */
function rawString(value: string): string {
	let marks = '#';
	while (value.includes(`"${marks}`)) marks += '#';
	return `r${marks}"${value}"${marks}`;
}

const quoted = (value: string): string => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
