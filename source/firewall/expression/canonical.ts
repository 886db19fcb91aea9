import {analyse} from './analyse.ts';
import type {Argument, Expression, Index, Literal, Operand, RightSide} from './grammar/tree.ts';

/**
 * Formats an expression in a canonical form: operators as words, single spaces, one form of quotes and
 * numbers, no redundant parentheses, sets sorted without duplicates. Expressions with the same canonical form
 * match the same requests. Undefined if the text cannot be parsed.
 */
export function canonicalize(text: string): string | undefined {
	const {tree} = analyse(text);
	return tree && writeExpression(tree, 'top');
}

type OuterOperator = 'top' | 'argument' | 'not' | 'and' | 'or' | 'xor';

/** Returns the canonical form of an expression inside another, with parentheses where needed. */
function writeExpression(expression: Expression, outerOperator: OuterOperator): string {
	switch (expression.kind) {
		case 'group':
			return writeExpression(expression.inner, outerOperator);
		case 'not':
			return `not ${writeExpression(expression.operand, 'not')}`;
		case 'logical': {
			const {operator} = expression;
			const text = flattenOperands(expression)
				.map(part => writeExpression(part, operator))
				.join(` ${operator} `);
			return outerOperator === 'top' ? text : `(${text})`;
		}
		case 'bare':
			return writeOperand(expression.operand);
		case 'comparison': {
			const {left, operator, right} = expression;
			const [firstItem] = right.kind === 'set' ? right.items : [];
			// A set of one value equals that value; a range or a network stays a set.
			const isSingleValue =
				right.kind === 'set' &&
				firstItem &&
				firstItem.kind !== 'range' &&
				firstItem.kind !== 'network' &&
				right.items.every(item => writeLiteral(item) === writeLiteral(firstItem));
			return isSingleValue
				? `${writeOperand(left)} eq ${writeLiteral(firstItem)}`
				: `${writeOperand(left)} ${operator} ${writeRightSide(right)}`;
		}
	}
}

/** Returns the operands, including those of nested groups with the same operator. */
function flattenOperands({operator, operands}: Expression & {kind: 'logical'}): readonly Expression[] {
	return operands.flatMap(operand => {
		let flattened = operand;
		while (flattened.kind === 'group') flattened = flattened.inner;
		return flattened.kind === 'logical' && flattened.operator === operator
			? flattenOperands(flattened)
			: [operand];
	});
}

function writeOperand(operand: Operand): string {
	switch (operand.kind) {
		case 'field':
			return `${operand.name}${operand.indexes.map(writeIndex).join('')}`;
		case 'call':
			return `${operand.name}(${operand.arguments.map(writeArgument).join(', ')})${operand.indexes.map(writeIndex).join('')}`;
		default:
			return writeLiteral(operand);
	}
}

const writeArgument = (argument: Argument): string =>
	argument.kind === 'expression' ? writeExpression(argument.expression, 'argument') : writeOperand(argument);

function writeIndex(index: Index): string {
	switch (index.kind) {
		case 'position':
			return `[${index.position}]`;
		case 'key':
			// Map keys allow plain quotes only.
			return `[${index.key.kind === 'string' ? quoteKey(index.key.value) : writeLiteral(index.key)}]`;
		case 'each':
			return '[*]';
	}
}

function writeRightSide(right: RightSide): string {
	switch (right.kind) {
		case 'set':
			return `{${[...new Set(right.items.map(writeLiteral))].sort().join(' ')}}`;
		case 'list':
			return `$${right.name}`;
		default:
			return writeOperand(right);
	}
}

function writeLiteral(literal: Literal): string {
	switch (literal.kind) {
		case 'string':
			return toRawString(literal.value);
		case 'integer':
		case 'boolean':
			return String(literal.value);
		case 'address':
		case 'network':
			return literal.text.toLowerCase();
		case 'range':
			return `${writeLiteral(literal.first)}..${writeLiteral(literal.last)}`;
		case 'bytes':
			return literal.value.map(byte => byte.toString(16).padStart(2, '0')).join(':');
	}
}

/** Converts a text to a raw string, which means the same after every operator. */
function toRawString(value: string): string {
	let marks = '#';
	while (value.includes(`"${marks}`)) marks += '#';
	return `r${marks}"${value}"${marks}`;
}

const quoteKey = (value: string): string => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
