import {analyse} from './analyse.ts';
import type {Argument, Expression, Index, Literal, Operand, RightSide} from './grammar/tree.ts';

/**
 * Formats an expression in a canonical form: operators as words, single spaces, one form of quotes and
 * numbers, no redundant parentheses, sets sorted without duplicates. Expressions with the same canonical form
 * match the same requests. Undefined if the text cannot be parsed.
 */
export function canonicalize(text: string): string | undefined {
	const {tree} = analyse(text);
	return tree && canonicalizeTree(tree, 'top');
}

type OuterContext = 'top' | 'argument' | 'not' | 'and' | 'or' | 'xor';

/** Returns the canonical form of an expression inside another, with parentheses where needed. */
export function canonicalizeTree(expression: Expression, outerContext: OuterContext): string {
	switch (expression.kind) {
		case 'group':
			return canonicalizeTree(expression.inner, outerContext);
		case 'not':
			return `not ${canonicalizeTree(expression.operand, 'not')}`;
		case 'logical': {
			const {operator} = expression;
			const text = flattenOperands(expression)
				.map(part => canonicalizeTree(part, operator))
				.join(` ${operator} `);
			return outerContext === 'top' ? text : `(${text})`;
		}
		case 'bare':
			return canonicalizeOperand(expression.operand);
		case 'comparison': {
			const {left, operator, right} = expression;
			const [firstItem] = right.kind === 'set' ? right.items : [];
			// A set of one value equals that value; a range or a network stays a set.
			const isSingleValue =
				right.kind === 'set' &&
				firstItem &&
				firstItem.kind !== 'range' &&
				firstItem.kind !== 'network' &&
				right.items.every(item => canonicalizeLiteral(item) === canonicalizeLiteral(firstItem));
			return isSingleValue
				? `${canonicalizeOperand(left)} eq ${canonicalizeLiteral(firstItem)}`
				: `${canonicalizeOperand(left)} ${operator} ${canonicalizeRightSide(right)}`;
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

export function canonicalizeOperand(operand: Operand): string {
	switch (operand.kind) {
		case 'field':
			return `${operand.name}${operand.indexes.map(canonicalizeIndex).join('')}`;
		case 'call':
			return `${operand.name}(${operand.arguments.map(canonicalizeArgument).join(', ')})${operand.indexes.map(canonicalizeIndex).join('')}`;
		default:
			return canonicalizeLiteral(operand);
	}
}

const canonicalizeArgument = (argument: Argument): string =>
	argument.kind === 'expression'
		? canonicalizeTree(argument.expression, 'argument')
		: canonicalizeOperand(argument);

function canonicalizeIndex(index: Index): string {
	switch (index.kind) {
		case 'position':
			return `[${index.position}]`;
		case 'key':
			// Map keys allow plain quotes only.
			return `[${index.key.kind === 'string' ? quoteKey(index.key.value) : canonicalizeLiteral(index.key)}]`;
		case 'each':
			return '[*]';
	}
}

function canonicalizeRightSide(right: RightSide): string {
	switch (right.kind) {
		case 'set':
			return `{${[...new Set(right.items.map(canonicalizeLiteral))].sort().join(' ')}}`;
		case 'list':
			return `$${right.name}`;
		default:
			return canonicalizeOperand(right);
	}
}

function canonicalizeLiteral(literal: Literal): string {
	switch (literal.kind) {
		case 'string':
			return hasByteEscapes(literal) ? quoteBytes(literal.value) : toRawString(literal.value);
		case 'integer':
		case 'boolean':
			return String(literal.value);
		case 'address':
		case 'network':
			return literal.text.toLowerCase();
		case 'range':
			return `${canonicalizeLiteral(literal.first)}..${canonicalizeLiteral(literal.last)}`;
		case 'bytes':
			return literal.value.map(byte => byte.toString(16).padStart(2, '0')).join(':');
	}
}

/** True if characters of the value may be bytes: `"\xe9"` is one byte, and `"é"` two. */
const hasByteEscapes = ({form, value, start, end}: Literal & {kind: 'string'}): boolean =>
	form === 'quoted' && end - start - 2 > value.length && /[\x80-\xff]/.test(value);

const quoteBytes = (value: string): string =>
	`"${value
		.replaceAll(/["\\]/g, '\\$&')
		.replaceAll(/[\x80-\xff]/g, character => `\\x${character.charCodeAt(0).toString(16)}`)}"`;

/** Converts a text to a raw string, which means the same after every operator. */
function toRawString(value: string): string {
	let marks = '#';
	while (value.includes(`"${marks}`)) marks += '#';
	return `r${marks}"${value}"${marks}`;
}

const quoteKey = (value: string): string => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
