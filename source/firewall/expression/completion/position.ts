import {comparisonOperators, logicalOperators} from '../grammar/operators.ts';
import type {ExpressionFunction} from '../vocabulary/entries.ts';
import {findField} from '../vocabulary/fields.ts';
import {findFunction} from '../vocabulary/functions.ts';
import {booleanType, integerType, stringType, toArrayType, type ValueType} from '../vocabulary/value-type.ts';
import type {Part} from './scan.ts';

/** The value to the left, with its type if known. */
export type LeftOperand = {
	/** The field it is read from. */
	readonly field?: string | undefined;
	readonly type?: ValueType | undefined;
	/** True if it stands for each of several values: `[*]`. */
	readonly isEach?: boolean;
	/** The name that was just read, which a following parenthesis would call. */
	readonly word?: string;
};

/** What can come next. */
export type Position =
	/** The start of a comparison or an argument. */
	| {readonly kind: 'operand'}
	| {readonly kind: 'behind operand'; readonly left: LeftOperand}
	| {readonly kind: 'behind strict'; readonly left: LeftOperand}
	| {readonly kind: 'right side'; readonly left: LeftOperand; readonly operator: string}
	| {readonly kind: 'item'; readonly left: LeftOperand; readonly usedValues: string[]}
	| {readonly kind: 'index'; readonly left: LeftOperand; readonly indexText?: string}
	| {readonly kind: 'behind comparison'}
	/** The position follows something that is not an expression. */
	| {readonly kind: 'lost'};

/** An open bracket around a position; the innermost is last. */
export type OpenBracket =
	| {readonly kind: 'group'}
	| {readonly kind: 'set'}
	| {readonly kind: 'index'}
	| {
			readonly kind: 'call';
			readonly calledFunction: ExpressionFunction | undefined;
			/** Index of the current argument. */
			readonly argumentIndex: number;
			/** The first argument, when known. */
			readonly firstArgument: LeftOperand | undefined;
	  };

export type Situation = {readonly position: Position; readonly openBrackets: readonly OpenBracket[]};

const lostPosition: Position = {kind: 'lost'};
const operandPosition: Position = {kind: 'operand'};
const afterComparison: Position = {kind: 'behind comparison'};

/**
 * Reads the situation after some parts. Never fails: an invalid part leads to `lost` until the text is valid
 * again.
 */
export function readSituation(parts: readonly Part[]): Situation {
	let position: Position = operandPosition;
	const openBrackets: OpenBracket[] = [];
	for (const part of parts) if (part.kind !== 'space') position = advance(position, part, openBrackets);
	return {position, openBrackets};
}

/** Returns the position after one more part; adds and removes open brackets. */
function advance(position: Position, part: Part, openBrackets: OpenBracket[]): Position {
	switch (part.kind) {
		case 'string':
			return advanceValue(position, part, stringType);
		case 'word':
			return advanceWord(position, part);
		case 'sign':
			return advanceSign(position, part.text, openBrackets);
		default:
			return lostPosition;
	}
}

function advanceValue(position: Position, {text}: Part, type: ValueType | undefined): Position {
	switch (position.kind) {
		case 'operand':
			return {kind: 'behind operand', left: {type}};
		case 'right side':
			return position.operator === 'in' && !text.startsWith('$') ? lostPosition : afterComparison;
		case 'item':
			position.usedValues.push(text);
			return position;
		case 'index':
			return {...position, indexText: text};
		default:
			return lostPosition;
	}
}

function advanceWord(position: Position, part: Part): Position {
	const {text} = part;
	switch (position.kind) {
		case 'operand': {
			if (text === 'not') return operandPosition;
			if (/^-?[0-9]/.test(text)) return advanceValue(position, part, integerType);
			const type = text === 'true' || text === 'false' ? booleanType : findField(text)?.type;
			return {kind: 'behind operand', left: {field: text, type, word: text}};
		}
		case 'behind operand':
			if (logicalOperators.has(text)) return operandPosition;
			if (text === 'strict') return {kind: 'behind strict', left: position.left};
			return advanceOperator(position.left, text);
		case 'behind strict':
			return text === 'wildcard' ? advanceOperator(position.left, 'strict wildcard') : lostPosition;
		case 'behind comparison':
		case 'lost':
			return logicalOperators.has(text) ? operandPosition : lostPosition;
		default:
			return advanceValue(position, part, undefined);
	}
}

const advanceOperator = (left: LeftOperand, operator: string): Position =>
	comparisonOperators.has(operator) ? {kind: 'right side', left, operator} : lostPosition;

function advanceSign(position: Position, sign: string, openBrackets: OpenBracket[]): Position {
	switch (sign) {
		case '(':
			return openParenthesis(position, openBrackets);
		case ')':
			return closeParenthesis(position, openBrackets);
		case ',':
			return startNextArgument(position, openBrackets);
		case '[':
			if (position.kind !== 'behind operand') return lostPosition;
			openBrackets.push({kind: 'index'});
			return {kind: 'index', left: position.left};
		case ']':
			if (position.kind !== 'index' || openBrackets.pop()?.kind !== 'index') return lostPosition;
			return {kind: 'behind operand', left: accessElement(position.left, position.indexText)};
		case '*':
			return position.kind === 'index' ? {...position, indexText: '*'} : lostPosition;
		case '{':
			if (position.kind !== 'right side') return lostPosition;
			openBrackets.push({kind: 'set'});
			return {kind: 'item', left: position.left, usedValues: []};
		case '}':
			return position.kind === 'item' && openBrackets.pop()?.kind === 'set' ? afterComparison : lostPosition;
		case '!':
			return position.kind === 'operand' ? operandPosition : lostPosition;
		default:
			if (logicalOperators.has(sign)) return position.kind === 'operand' ? lostPosition : operandPosition;
			return position.kind === 'behind operand' ? advanceOperator(position.left, sign) : lostPosition;
	}
}

function openParenthesis(position: Position, openBrackets: OpenBracket[]): Position {
	if (position.kind === 'behind operand' && position.left.word !== undefined) {
		const calledFunction = findFunction(position.left.word);
		openBrackets.push({kind: 'call', calledFunction, argumentIndex: 0, firstArgument: undefined});
		return operandPosition;
	}
	openBrackets.push({kind: 'group'});
	return position.kind === 'operand' ? operandPosition : lostPosition;
}

function closeParenthesis(position: Position, openBrackets: OpenBracket[]): Position {
	while (openBrackets.at(-1)?.kind === 'set' || openBrackets.at(-1)?.kind === 'index') openBrackets.pop();
	const bracket = openBrackets.pop();
	if (bracket?.kind !== 'call')
		return bracket && position.kind !== 'operand' ? afterComparison : lostPosition;
	const firstArgument = bracket.firstArgument ?? getFirstArgument(position);
	const returnType =
		bracket.calledFunction?.returns === 'first' ? firstArgument?.type : bracket.calledFunction?.returns;
	const isEach = firstArgument?.isEach && bracket.calledFunction && !isAnyOrAll(bracket.calledFunction);
	return {kind: 'behind operand', left: {type: returnType && isEach ? toArrayType(returnType) : returnType}};
}

function startNextArgument(position: Position, openBrackets: OpenBracket[]): Position {
	const bracket = openBrackets.at(-1);
	if (bracket?.kind !== 'call') return lostPosition;
	openBrackets[openBrackets.length - 1] = {
		...bracket,
		argumentIndex: bracket.argumentIndex + 1,
		firstArgument: bracket.firstArgument ?? getFirstArgument(position),
	};
	return operandPosition;
}

const getFirstArgument = (position: Position): LeftOperand | undefined =>
	position.kind === 'behind operand' ? position.left : undefined;

/** True for `any` and `all`, which take a comparison over several values. */
export const isAnyOrAll = ({name}: ExpressionFunction): boolean => name === 'any' || name === 'all';

function accessElement({field, type, isEach}: LeftOperand, index: string | undefined): LeftOperand {
	const elementType = type && 'of' in type ? type.of : undefined;
	return {
		field,
		type: index === undefined ? undefined : elementType,
		isEach: isEach === true || index === '*',
	};
}
