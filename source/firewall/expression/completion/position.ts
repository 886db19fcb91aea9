import {comparisonOperators, logicalOperators} from '../grammar/operators.ts';
import type {ExpressionFunction} from '../vocabulary/entries.ts';
import {fieldNamed} from '../vocabulary/fields.ts';
import {functionNamed} from '../vocabulary/functions.ts';
import {arrayOf, boolean, integer, string, type ValueType} from '../vocabulary/value-type.ts';
import type {Part} from './scan.ts';

/** The value to the left, with its type if known. */
export type Left = {
	/** The field it is read from. */
	readonly field?: string | undefined;
	readonly type?: ValueType | undefined;
	/** True if it stands for each of several values: `[*]`. */
	readonly each?: boolean;
	/** The name that was just read, which a following parenthesis would call. */
	readonly word?: string;
};

/** What can come next. */
export type Position =
	/** The start of a comparison or an argument. */
	| {readonly kind: 'operand'}
	| {readonly kind: 'behind operand'; readonly left: Left}
	| {readonly kind: 'behind strict'; readonly left: Left}
	| {readonly kind: 'right side'; readonly left: Left; readonly operator: string}
	| {readonly kind: 'item'; readonly left: Left; readonly used: string[]}
	| {readonly kind: 'index'; readonly left: Left; readonly index?: string}
	| {readonly kind: 'behind comparison'}
	/** After something that is not an expression. */
	| {readonly kind: 'lost'};

/** An open bracket around a position; the innermost is last. */
export type Frame =
	| {readonly kind: 'group'}
	| {readonly kind: 'set'}
	| {readonly kind: 'index'}
	| {
			readonly kind: 'call';
			readonly called: ExpressionFunction | undefined;
			readonly argument: number;
			/** The first argument, when known. */
			readonly first: Left | undefined;
	  };

export type Situation = {readonly position: Position; readonly frames: readonly Frame[]};

const lost: Position = {kind: 'lost'};
const operand: Position = {kind: 'operand'};
const behindComparison: Position = {kind: 'behind comparison'};

/**
 * Reads the situation after some parts. Never fails: an invalid part leads to `lost` until the text is valid
 * again.
 */
export function situationBehind(parts: readonly Part[]): Situation {
	let position: Position = operand;
	const frames: Frame[] = [];
	for (const part of parts) if (part.kind !== 'space') position = behind(position, part, frames);
	return {position, frames};
}

/** Returns the position after one more part; opens and closes frames. */
function behind(position: Position, part: Part, frames: Frame[]): Position {
	switch (part.kind) {
		case 'string':
			return behindValue(position, part, string);
		case 'word':
			return behindWord(position, part);
		case 'sign':
			return behindSign(position, part.text, frames);
		default:
			return lost;
	}
}

function behindValue(position: Position, {text}: Part, type: ValueType | undefined): Position {
	switch (position.kind) {
		case 'operand':
			return {kind: 'behind operand', left: {type}};
		case 'right side':
			return position.operator === 'in' && !text.startsWith('$') ? lost : behindComparison;
		case 'item':
			position.used.push(text);
			return position;
		case 'index':
			return {...position, index: text};
		default:
			return lost;
	}
}

function behindWord(position: Position, part: Part): Position {
	const {text} = part;
	switch (position.kind) {
		case 'operand': {
			if (text === 'not') return operand;
			if (/^-?[0-9]/.test(text)) return behindValue(position, part, integer);
			const type = text === 'true' || text === 'false' ? boolean : fieldNamed(text)?.type;
			return {kind: 'behind operand', left: {field: text, type, word: text}};
		}
		case 'behind operand':
			if (logicalOperators.has(text)) return operand;
			if (text === 'strict') return {kind: 'behind strict', left: position.left};
			return behindOperator(position.left, text);
		case 'behind strict':
			return text === 'wildcard' ? behindOperator(position.left, 'strict wildcard') : lost;
		case 'behind comparison':
		case 'lost':
			return logicalOperators.has(text) ? operand : lost;
		default:
			return behindValue(position, part, undefined);
	}
}

const behindOperator = (left: Left, operator: string): Position =>
	comparisonOperators.has(operator) ? {kind: 'right side', left, operator} : lost;

function behindSign(position: Position, sign: string, frames: Frame[]): Position {
	switch (sign) {
		case '(':
			return opened(position, frames);
		case ')':
			return closed(position, frames);
		case ',':
			return nextArgument(position, frames);
		case '[':
			if (position.kind !== 'behind operand') return lost;
			frames.push({kind: 'index'});
			return {kind: 'index', left: position.left};
		case ']':
			if (position.kind !== 'index' || frames.pop()?.kind !== 'index') return lost;
			return {kind: 'behind operand', left: indexed(position.left, position.index)};
		case '*':
			return position.kind === 'index' ? {...position, index: '*'} : lost;
		case '{':
			if (position.kind !== 'right side') return lost;
			frames.push({kind: 'set'});
			return {kind: 'item', left: position.left, used: []};
		case '}':
			return position.kind === 'item' && frames.pop()?.kind === 'set' ? behindComparison : lost;
		case '!':
			return position.kind === 'operand' ? operand : lost;
		default:
			if (logicalOperators.has(sign)) return position.kind === 'operand' ? lost : operand;
			return position.kind === 'behind operand' ? behindOperator(position.left, sign) : lost;
	}
}

function opened(position: Position, frames: Frame[]): Position {
	if (position.kind === 'behind operand' && position.left.word !== undefined) {
		const called = functionNamed(position.left.word);
		frames.push({kind: 'call', called, argument: 0, first: undefined});
		return operand;
	}
	frames.push({kind: 'group'});
	return position.kind === 'operand' ? operand : lost;
}

function closed(position: Position, frames: Frame[]): Position {
	while (frames.at(-1)?.kind === 'set' || frames.at(-1)?.kind === 'index') frames.pop();
	const frame = frames.pop();
	if (frame?.kind !== 'call') return frame && position.kind !== 'operand' ? behindComparison : lost;
	const first = frame.first ?? firstOf(position);
	const returns = frame.called?.returns === 'first' ? first?.type : frame.called?.returns;
	const isEach = first?.each && frame.called && !isOverAll(frame.called);
	return {kind: 'behind operand', left: {type: returns && isEach ? arrayOf(returns) : returns}};
}

function nextArgument(position: Position, frames: Frame[]): Position {
	const frame = frames.at(-1);
	if (frame?.kind !== 'call') return lost;
	frames[frames.length - 1] = {
		...frame,
		argument: frame.argument + 1,
		first: frame.first ?? firstOf(position),
	};
	return operand;
}

const firstOf = (position: Position): Left | undefined =>
	position.kind === 'behind operand' ? position.left : undefined;

/** True for `any` and `all`, which take a comparison over several values. */
export const isOverAll = ({name}: ExpressionFunction): boolean => name === 'any' || name === 'all';

function indexed({field, type, each}: Left, index: string | undefined): Left {
	const inner = type && 'of' in type ? type.of : undefined;
	return {field, type: index === undefined ? undefined : inner, each: each === true || index === '*'};
}
