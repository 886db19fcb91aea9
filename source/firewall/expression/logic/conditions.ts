import {parseIpAddress, parseNetwork} from '../grammar/addresses.ts';
import type {ComparisonOperator, Expression, Literal, Operand} from '../grammar/tree.ts';
import {findShapes} from './patterns.ts';
import {isAscii, isShapeImplied, type Shape, type Shapes} from './shapes.ts';

/** A bound between two values, in the order of all texts, numbers or addresses. */
export type Bound = string | bigint;
/** The values from a bound, up to but not including another; without a bound, all. */
export type Interval = readonly [from: Bound | undefined, to: Bound | undefined];

export type ComparedKind = 'text' | 'number' | 'address' | 'boolean';

/** What a condition requires of one value. It is false if the value is missing. */
export type Requirement =
	| {
			readonly kind: 'intervals';
			readonly intervals: readonly Interval[];
			/** True for `ne`: the values outside. */
			readonly isOutside: boolean;
	  }
	| (Omit<Shapes, 'matches'> & {
			readonly kind: 'predicate';
			/** Different for different predicates of one operand. */
			readonly id: string;
			/** Evaluates a known value; undefined if the service may do that differently. */
			readonly evaluate: (value: Bound) => boolean | undefined;
	  });

/** A condition on one value: that of an operand, or the result of a comparison of two fields. */
export type ValueCondition = {
	readonly subject: Operand | (Expression & {kind: 'comparison'});
	readonly valueKind: ComparedKind | undefined;
	readonly requirement: Requirement;
};

/** Interprets a comparison, or a condition without one. */
export function readCondition(
	node: Expression & {kind: 'comparison' | 'bare'},
	text: string,
): ValueCondition {
	return node.kind === 'comparison' ? readComparison(node, text) : readBare(node.operand, text);
}

function readBare(operand: Operand, text: string): ValueCondition {
	const position = operand.kind === 'call' ? calledPositions[operand.name] : undefined;
	if (operand.kind === 'call' && position) {
		const [subject, literal, ...rest] = operand.arguments;
		if (subject && subject.kind !== 'expression' && literal?.kind === 'string' && rest.length === 0) {
			const shape = {position, text: literal.value, folded: false};
			const id = `${position} ${text.slice(literal.start, literal.end)}`;
			return readTextCondition(subject, {shapes: [shape], isExact: true}, literal, id);
		}
	}
	return {subject: operand, valueKind: 'boolean', requirement: isTrue};
}

const calledPositions: Readonly<Record<string, 'beginning' | 'end'>> = {
	starts_with: 'beginning',
	ends_with: 'end',
};

const isTrue = {kind: 'intervals', intervals: [[1n, 2n]], isOutside: false} as const;

function readComparison(comparison: Expression & {kind: 'comparison'}, text: string): ValueCondition {
	const {left, operator, right} = comparison;
	if (right.kind === 'field' || right.kind === 'call')
		return {subject: comparison, valueKind: 'boolean', requirement: isTrue};
	if (operator === 'bitwise_and' && right.kind === 'integer' && right.value === 0n)
		return {subject: left, valueKind: 'number', requirement: {...isTrue, intervals: []}};
	const literals = right.kind === 'set' ? right.items : [right];
	const intervals = literals.flatMap(item => {
		const interval = findInterval(operator, item);
		return interval ? [interval] : [];
	});
	const [firstLiteral] = literals;
	const valueKind = firstLiteral && findValueKind(firstLiteral);
	if (intervals.length === literals.length) {
		const requirement = {kind: 'intervals', intervals, isOutside: operator === 'ne'} as const;
		return {subject: left, valueKind, requirement};
	}
	const id = `${operator} ${text.slice(right.start, right.end)}`;
	if (right.kind === 'string') return readTextCondition(left, findShapes(operator, right.value), right, id);
	const mask = operator === 'bitwise_and' && right.kind === 'integer' ? right.value : undefined;
	const evaluate = (value: Bound) =>
		mask !== undefined && typeof value === 'bigint' ? (value & mask) !== 0n : undefined;
	return {
		subject: left,
		valueKind,
		requirement: {kind: 'predicate', id, shapes: [], isExact: false, evaluate},
	};
}

function readTextCondition(
	subject: Operand,
	{shapes, isExact, matches}: Shapes,
	literal: Literal & {kind: 'string'},
	id: string,
): ValueCondition {
	const isKnown = isComparable(literal);
	const createCondition = (requirement: Requirement): ValueCondition => ({
		subject,
		valueKind: 'text',
		requirement,
	});
	const interval = isKnown && isExact ? toInterval(shapes) : undefined;
	if (interval) return createCondition({kind: 'intervals', intervals: [interval], isOutside: false});
	if (!isKnown) {
		const evaluate = () => undefined;
		return createCondition({kind: 'predicate', id, shapes: [], isExact: false, evaluate});
	}
	const evaluate = (value: Bound): boolean | undefined => {
		const whole = {position: 'whole', text: String(value), folded: false} as const;
		if (shapes.some(shape => (!shape.folded || isAscii(whole.text)) && !isShapeImplied(whole, shape)))
			return false;
		return isExact || matches?.(whole.text);
	};
	return createCondition({kind: 'predicate', id, shapes, isExact, evaluate});
}

/** Returns the texts of an exact shape, if they are next to each other in the order of all texts. */
function toInterval([shape]: readonly Shape[]): Interval | undefined {
	if (!shape || (shape.text === '' && shape.position !== 'whole')) return [undefined, undefined];
	if (shape.folded) return undefined;
	if (shape.position === 'whole') return [shape.text, getSuccessor(shape.text)];
	return shape.position === 'beginning' ? spanPrefix(shape.text) : undefined;
}

function findValueKind(literal: Literal | {readonly kind: 'list'}): ComparedKind | undefined {
	switch (literal.kind) {
		case 'string':
		case 'bytes':
			return 'text';
		case 'integer':
			return 'number';
		case 'address':
		case 'network':
			return 'address';
		case 'range':
			return findValueKind(literal.first);
		default:
			return undefined;
	}
}

/**
 * False for a string whose value may also be written as other characters: `\xe4` is a byte, and `ä` two of
 * them.
 */
const isComparable = ({value, form, start, end}: Literal & {kind: 'string'}): boolean =>
	isAscii(value) || form !== 'quoted' || end - start === value.length + 2;

/** Finds the values that satisfy a comparison; for `ne`, those that do not. */
function findInterval(
	operator: ComparisonOperator,
	literal: Literal | {readonly kind: 'list'},
): Interval | undefined {
	const values = findValues(literal);
	if (!values || (/^[lg]/.test(operator) && literal.kind === 'string' && !isAscii(literal.value)))
		return undefined;
	const [from, to] = values;
	switch (operator) {
		case 'eq':
		case 'ne':
		case 'in':
			return [from, to];
		case 'lt':
			return [undefined, from];
		case 'le':
			return [undefined, to];
		case 'gt':
			return [to, undefined];
		case 'ge':
			return [from, undefined];
		default:
			return undefined;
	}
}

/** Finds the values that a literal stands for. */
function findValues(
	literal: Literal | {readonly kind: 'list'},
): readonly [from: Bound, to: Bound] | undefined {
	switch (literal.kind) {
		case 'string':
			return isComparable(literal) ? [literal.value, getSuccessor(literal.value)] : undefined;
		case 'integer':
			return [literal.value, literal.value + 1n];
		case 'address': {
			const address = parseIpAddress(literal.text);
			if (!address.ok) return undefined;
			const position = toPosition(address.version, address.value);
			return [position, position + 1n];
		}
		case 'network': {
			const network = parseNetwork(literal.text);
			if (!network.ok) return undefined;
			const position = toPosition(network.version, network.value);
			return [position, position + (1n << BigInt((network.version === 4 ? 32 : 128) - network.bits))];
		}
		case 'range': {
			const [first, last] = [findValues(literal.first), findValues(literal.last)];
			return first && last && [first[0], last[1]];
		}
		default:
			return undefined;
	}
}

const ipv4AddressCount = 1n << 32n;
export const addressCount = ipv4AddressCount + (1n << 128n);
/** Places all addresses in one order: those of IPv4, then those of IPv6. */
const toPosition = (version: 4 | 6, value: bigint): bigint =>
	version === 4 ? value : ipv4AddressCount + value;

/** Returns the next number, or the next text in the order of all texts. */
export const getSuccessor = <Value extends Bound>(value: Value): Value =>
	(typeof value === 'bigint' ? value + 1n : `${value}\0`) as Value;

/** Returns the interval of all texts that start with one. */
export function spanPrefix(text: string): Interval {
	const last = text.charCodeAt(text.length - 1);
	return [text, last === 0xffff ? undefined : text.slice(0, -1) + String.fromCharCode(last + 1)];
}
