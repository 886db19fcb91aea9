import {analyse} from './analyse.ts';
import type {Argument, Expression, Index, Literal, Operand, RightSide} from './grammar/tree.ts';

/**
 * Formats an expression on one line: operators as words, single spaces, groups and literals unchanged. The
 * meaning stays the same, and formatting is idempotent. Undefined if the text cannot be parsed.
 */
export function format(text: string): string | undefined {
	const {tree} = analyse(text);
	return tree && expressionText(text, tree);
}

function expressionText(text: string, expression: Expression): string {
	switch (expression.kind) {
		case 'logical':
			return expression.operands
				.map(operand => expressionText(text, operand))
				.join(` ${expression.operator} `);
		case 'not':
			return `not ${expressionText(text, expression.operand)}`;
		case 'group':
			return `(${expressionText(text, expression.inner)})`;
		case 'bare':
			return operandText(text, expression.operand);
		case 'comparison':
			return `${operandText(text, expression.left)} ${expression.operator} ${rightText(text, expression.right)}`;
	}
}

function operandText(text: string, operand: Operand): string {
	switch (operand.kind) {
		case 'field':
			return operand.name + indexesText(text, operand.indexes);
		case 'call': {
			const given = operand.arguments.map(argument => argumentText(text, argument)).join(', ');
			return `${operand.name}(${given})${indexesText(text, operand.indexes)}`;
		}
		default:
			return literalText(text, operand);
	}
}

const argumentText = (text: string, argument: Argument): string =>
	argument.kind === 'expression' ? expressionText(text, argument.expression) : operandText(text, argument);

const indexesText = (text: string, indexes: readonly Index[]): string =>
	indexes.map(index => `[${indexText(text, index)}]`).join('');

function indexText(text: string, index: Index): string {
	switch (index.kind) {
		case 'position':
			return String(index.position);
		case 'key':
			return literalText(text, index.key);
		case 'each':
			return '*';
	}
}

function rightText(text: string, right: RightSide): string {
	switch (right.kind) {
		case 'set':
			return `{${right.items.map(item => literalText(text, item)).join(' ')}}`;
		case 'list':
			return `$${right.name}`;
		default:
			return operandText(text, right);
	}
}

const literalText = (text: string, literal: Literal): string => text.slice(literal.start, literal.end);
