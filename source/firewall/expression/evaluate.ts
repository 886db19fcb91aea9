import {applyFunction} from './apply-function.ts';
import {type FieldValue, isAddress, isEqualValue, isListValue, isMapValue} from './field-value.ts';
import {parseIpAddress, parseNetwork, parseRange, toNetworkAddress} from './grammar/addresses.ts';
import type {
	ComparisonOperator,
	Expression,
	Index,
	Literal,
	LogicalOperator,
	Operand,
	RightSide,
} from './grammar/tree.ts';
import {testPattern, toRegExp, wildcardToRegExp} from './patterns.ts';
import type {SampleRequest} from './sample-requests.ts';
import {createUnknownOperation, mergeUnknown, Unknown} from './unknown.ts';

/** One value per element, from `[*]`. */
class PerElement {
	readonly values: readonly FieldValue[];
	constructor(values: readonly FieldValue[]) {
		this.values = values;
	}
}

type EvaluatedValue = FieldValue | PerElement;
type Result = boolean | Unknown;
/** A result, or one per element. An unknown result can also stand for an unknown number of elements. */
type Truth = Result | readonly Result[];

/**
 * A request whose missing information is unknown, instead of approximated: the fields that it does not
 * record, and operations that cannot be evaluated locally.
 */
export type ExactRequest = Pick<SampleRequest, 'field'> & {readonly isExact: true};

type EvaluatedRequest = SampleRequest | ExactRequest;

/**
 * True if an expression matches a request. An operation that cannot be evaluated locally (a regular
 * expression in another syntax) is true for every second request, so that it matches neither all nor no
 * traffic.
 */
export const matchesRequest = (expression: Expression, request: SampleRequest): boolean =>
	evaluateRequest(expression, request) === true;

/**
 * Returns whether an expression matches a request, or what would have to be known to decide that. A part that
 * decides the result does so whatever is unknown in another: false and unknown is false.
 */
export const evaluateRequest = (expression: Expression, request: EvaluatedRequest): Result =>
	reduceToAny(evaluateTruth(expression, request));

/** Reduces one result per element to a single result; `any` and `all` do this themselves. */
const reduceToAny = (truth: Truth): Result => (isPerElement(truth) ? joinResults('or', truth) : truth);

const isPerElement = (truth: Truth): truth is readonly Result[] => Array.isArray(truth);

function evaluateTruth(expression: Expression, request: EvaluatedRequest): Truth {
	switch (expression.kind) {
		case 'group':
			return evaluateTruth(expression.inner, request);
		case 'not':
			return mapTruth(evaluateTruth(expression.operand, request), negateResult);
		case 'logical': {
			const truths = expression.operands.map(operand => evaluateTruth(operand, request));
			return truths.reduce((one, other) => combineTruths(expression.operator, one, other));
		}
		case 'bare':
			return evaluateBare(expression.operand, request);
		case 'comparison':
			return evaluateComparison(expression, request);
	}
}

const mapTruth = (truth: Truth, change: (one: Result) => Result): Truth =>
	isPerElement(truth) ? truth.map(change) : change(truth);

const negateResult = (result: Result): Result => (typeof result === 'boolean' ? !result : result);

function combineTruths(operator: LogicalOperator, one: Truth, other: Truth): Truth {
	if (isPerElement(one) && isPerElement(other))
		return one.map((result, index) => combineResults(operator, result, other[index] ?? false));
	if (!isPerElement(one) && !isPerElement(other)) return combineResults(operator, one, other);
	const [result, results] = isPerElement(one) ? [other as Result, one] : [one, other as readonly Result[]];
	if (typeof result === 'boolean') return results.map(element => combineResults(operator, result, element));
	return results.filter(element => element instanceof Unknown).reduce(mergeUnknown, result);
}

function combineResults(operator: LogicalOperator, one: Result, other: Result): Result {
	if (typeof one === 'boolean' && typeof other === 'boolean')
		return operator === 'and' ? one && other : operator === 'or' ? one || other : one !== other;
	const decisive = operator === 'or';
	if (operator !== 'xor' && (one === decisive || other === decisive)) return decisive;
	if (typeof one === 'boolean') return other;
	return typeof other === 'boolean' ? one : mergeUnknown(one, other);
}

const joinResults = (operator: 'and' | 'or', results: readonly Result[]): Result =>
	results.reduce((one, other) => combineResults(operator, one, other), operator === 'and');

function evaluateBare(operand: Operand, request: EvaluatedRequest): Truth {
	const value = evaluateOperand(operand, request);
	return value instanceof PerElement ? value.values.map(toResult) : toResult(value);
}

const toResult = (value: FieldValue): Result => (value instanceof Unknown ? value : value === true);

function evaluateComparison(
	{left, operator, right}: Expression & {kind: 'comparison'},
	request: EvaluatedRequest,
): Truth {
	const value = evaluateOperand(left, request);
	const compareElement = (one: FieldValue) => compareValues(one, operator, right, request);
	return value instanceof PerElement ? value.values.map(compareElement) : compareElement(value);
}

function evaluateOperand(operand: Operand, request: EvaluatedRequest): EvaluatedValue {
	switch (operand.kind) {
		case 'field':
			return applyIndexes(request.field(operand.name), operand.indexes);
		case 'call':
			return applyIndexes(evaluateCall(operand, request), operand.indexes);
		default:
			return getLiteralValue(operand);
	}
}

/** Returns the value of a literal; undefined for networks and ranges. */
export function getLiteralValue(literal: Literal): FieldValue {
	switch (literal.kind) {
		case 'string':
		case 'boolean':
			return literal.value;
		case 'integer':
			return Number(literal.value);
		case 'bytes':
			return String.fromCharCode(...literal.value);
		case 'address': {
			const parsedAddress = parseIpAddress(literal.text);
			return parsedAddress.ok ? {version: parsedAddress.version, value: parsedAddress.value} : undefined;
		}
		case 'network':
		case 'range':
			return undefined;
	}
}

function applyIndexes(value: EvaluatedValue, indexes: readonly Index[]): EvaluatedValue {
	return indexes.reduce<EvaluatedValue>((current, index) => {
		if (current instanceof PerElement)
			return new PerElement(current.values.map(one => getElement(one, index)));
		if (index.kind !== 'each' || current instanceof Unknown) return getElement(current, index);
		if (!isMapValue(current)) return new PerElement(isListValue(current) ? current : []);
		const {byName, rest} = current;
		return new PerElement([...byName.values(), ...(rest ? [rest] : [])]);
	}, value);
}

function getElement(value: FieldValue, index: Index): FieldValue {
	if (value instanceof Unknown) return value;
	if (!isMapValue(value))
		return isListValue(value) && index.kind === 'position' ? value[index.position] : undefined;
	if (index.kind !== 'key') return undefined;
	const name = String(getLiteralValue(index.key));
	return value.byName.has(name) ? value.byName.get(name) : value.rest && nameElement(value.rest, name);
}

/** Names the element of a map that is not recorded. */
const nameElement = ({fields}: Unknown, name: string): Unknown =>
	new Unknown([...fields].map(field => `${field}[${JSON.stringify(name)}]`));

type Call = Extract<Operand, {kind: 'call'}>;

function evaluateCall(call: Call, request: EvaluatedRequest): EvaluatedValue {
	const [firstArgument] = call.arguments;
	if (call.name === 'any' || call.name === 'all') {
		const truth =
			firstArgument === undefined
				? []
				: firstArgument.kind === 'expression'
					? evaluateTruth(firstArgument.expression, request)
					: evaluateBare(firstArgument, request);
		return isPerElement(truth) ? joinResults(call.name === 'any' ? 'or' : 'and', truth) : truth;
	}
	const values = call.arguments.map(argument =>
		argument.kind === 'expression'
			? reduceToAny(evaluateTruth(argument.expression, request))
			: evaluateOperand(argument, request),
	);
	const [subject, ...otherValues] = values;
	const plainValues = otherValues.map(one => (one instanceof PerElement ? undefined : one));
	const isExact = 'isExact' in request;
	if (subject instanceof PerElement)
		return new PerElement(
			subject.values.map(one => applyFunction(call.name, [one, ...plainValues], isExact)),
		);
	return applyFunction(call.name, [subject, ...plainValues], isExact);
}

function compareValues(
	value: FieldValue,
	operator: ComparisonOperator,
	right: RightSide,
	request: EvaluatedRequest,
): Result {
	if (value === undefined || value instanceof Unknown) return value ?? false;
	if (right.kind === 'list') return 'isExact' in request ? createUnknownOperation(`$${right.name}`) : false;
	if (right.kind === 'set') return operator === 'in' && isInSet(value, right.items);
	const rightValue = evaluateOperand(right, request);
	if (rightValue === undefined || rightValue instanceof PerElement) return false;
	if (rightValue instanceof Unknown) return rightValue;
	if (operator === 'eq' || operator === 'ne') return isEqualValue(value, rightValue) === (operator === 'eq');
	if (typeof value === 'number') {
		if (typeof rightValue !== 'number') return false;
		if (operator !== 'bitwise_and') return satisfiesOrder(value - rightValue, operator);
		return (BigInt(value) & BigInt(Math.trunc(rightValue))) !== 0n;
	}
	if (isAddress(value) && isAddress(rightValue))
		return (
			value.version === rightValue.version && satisfiesOrder(Number(value.value - rightValue.value), operator)
		);
	if (typeof value !== 'string' || typeof rightValue !== 'string') return false;
	const fallback =
		'isExact' in request
			? createUnknownOperation(`${operator} ${JSON.stringify(rightValue)}`)
			: request.index % 2 === 0;
	switch (operator) {
		case 'contains':
			return value.includes(rightValue);
		case 'matches':
			return testPattern(value, toRegExp(rightValue)) ?? fallback;
		case 'wildcard':
			return testPattern(value, wildcardToRegExp(rightValue, 'i')) ?? fallback;
		case 'strict wildcard':
			return testPattern(value, wildcardToRegExp(rightValue, '')) ?? fallback;
		default:
			return satisfiesOrder(value === rightValue ? 0 : value < rightValue ? -1 : 1, operator);
	}
}

function satisfiesOrder(difference: number, operator: ComparisonOperator): boolean {
	switch (operator) {
		case 'lt':
			return difference < 0;
		case 'le':
			return difference <= 0;
		case 'gt':
			return difference > 0;
		case 'ge':
			return difference >= 0;
		default:
			return false;
	}
}

function isInSet(value: FieldValue, items: readonly Literal[]): boolean {
	return items.some(item => {
		switch (item.kind) {
			case 'network': {
				const network = parseNetwork(item.text);
				return isAddress(value) && network.ok && isEqualValue(toNetworkAddress(value, network.bits), network);
			}
			case 'range':
				return isBetween(value, item.first, item.last);
			default:
				return isEqualValue(value, getLiteralValue(item));
		}
	});
}

function isBetween(value: FieldValue, first: Literal, last: Literal): boolean {
	const [low, high] = [getLiteralValue(first), getLiteralValue(last)];
	if (isAddress(value) && first.kind === 'address' && last.kind === 'address') {
		const range = parseRange(`${first.text}..${last.text}`);
		return (
			range.ok &&
			range.first.version === value.version &&
			value.value >= range.first.value &&
			value.value <= range.last.value
		);
	}
	return typeof value === 'number' && typeof low === 'number' && typeof high === 'number'
		? value >= low && value <= high
		: false;
}
