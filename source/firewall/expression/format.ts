import {analyse} from './analyse.ts';
import type {Argument, Expression, Index, Literal, Operand, RightSide} from './grammar/tree.ts';

/**
 * Formats an expression on one line: operators as words, single spaces, groups and literals unchanged. The
 * meaning stays the same, and formatting is idempotent. Undefined if the text cannot be parsed.
 */
export function formatExpression(text: string): string | undefined {
	const {tree} = analyse(text);
	return tree && formatTree(text, tree);
}

function formatTree(text: string, expression: Expression): string {
	switch (expression.kind) {
		case 'logical':
			return expression.operands.map(operand => formatTree(text, operand)).join(` ${expression.operator} `);
		case 'not':
			return `not ${formatTree(text, expression.operand)}`;
		case 'group':
			return `(${formatTree(text, expression.inner)})`;
		case 'bare':
			return formatOperand(text, expression.operand);
		case 'comparison':
			return `${formatOperand(text, expression.left)} ${expression.operator} ${formatRightSide(text, expression.right)}`;
	}
}

function formatOperand(text: string, operand: Operand): string {
	switch (operand.kind) {
		case 'field':
			return operand.name + formatIndexes(text, operand.indexes);
		case 'call': {
			const argumentTexts = operand.arguments.map(argument => formatArgument(text, argument)).join(', ');
			return `${operand.name}(${argumentTexts})${formatIndexes(text, operand.indexes)}`;
		}
		default:
			return formatLiteral(text, operand);
	}
}

const formatArgument = (text: string, argument: Argument): string =>
	argument.kind === 'expression' ? formatTree(text, argument.expression) : formatOperand(text, argument);

const formatIndexes = (text: string, indexes: readonly Index[]): string =>
	indexes.map(index => `[${formatIndex(text, index)}]`).join('');

function formatIndex(text: string, index: Index): string {
	switch (index.kind) {
		case 'position':
			return String(index.position);
		case 'key':
			return formatLiteral(text, index.key);
		case 'each':
			return '*';
	}
}

function formatRightSide(text: string, right: RightSide): string {
	switch (right.kind) {
		case 'set':
			return `{${right.items.map(item => formatLiteral(text, item)).join(' ')}}`;
		case 'list':
			return `$${right.name}`;
		default:
			return formatOperand(text, right);
	}
}

const formatLiteral = (text: string, literal: Literal): string => text.slice(literal.start, literal.end);
