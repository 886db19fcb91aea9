import {runStoppable} from '../../text/run-stoppable.ts';
import {
	type Address,
	parseIpAddress,
	parseNetwork,
	parseRange,
	toNetworkAddress,
} from './grammar/addresses.ts';
import type {ComparisonOperator, Expression, Index, Literal, Operand, RightSide} from './grammar/tree.ts';
import type {FieldValue, SampleRequest} from './sample-requests.ts';

/** One value per element, from `[*]`. */
class PerElement {
	readonly values: readonly FieldValue[];
	constructor(values: readonly FieldValue[]) {
		this.values = values;
	}
}

type EvaluatedValue = FieldValue | PerElement;
type Truth = boolean | readonly boolean[];

/**
 * True if an expression matches a request. An operation that cannot be evaluated locally (a regular
 * expression in another syntax) is true for every second request, so that it matches neither all nor no
 * traffic.
 */
export const matchesRequest = (expression: Expression, request: SampleRequest): boolean =>
	isAnyTrue(evaluateTruth(expression, request));

/** Reduces one result per element to a single result; `any` and `all` do this themselves. */
const isAnyTrue = (truth: Truth): boolean => (typeof truth === 'boolean' ? truth : truth.some(Boolean));

function evaluateTruth(expression: Expression, request: SampleRequest): Truth {
	switch (expression.kind) {
		case 'group':
			return evaluateTruth(expression.inner, request);
		case 'not':
			return mapTruth(evaluateTruth(expression.operand, request), truth => !truth);
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

const mapTruth = (truth: Truth, change: (one: boolean) => boolean): Truth =>
	typeof truth === 'boolean' ? change(truth) : truth.map(change);

function combineTruths(operator: 'and' | 'or' | 'xor', one: Truth, other: Truth): Truth {
	const join = (a: boolean, b: boolean): boolean =>
		operator === 'and' ? a && b : operator === 'or' ? a || b : a !== b;
	if (typeof one === 'boolean') return mapTruth(other, truth => join(one, truth));
	if (typeof other === 'boolean') return one.map(truth => join(truth, other));
	return one.map((truth, index) => join(truth, other[index] ?? false));
}

function evaluateBare(operand: Operand, request: SampleRequest): Truth {
	const value = evaluateOperand(operand, request);
	if (value instanceof PerElement) return value.values.map(one => one === true);
	return value === true;
}

function evaluateComparison(
	{left, operator, right}: Expression & {kind: 'comparison'},
	request: SampleRequest,
): Truth {
	const value = evaluateOperand(left, request);
	const compareElement = (one: FieldValue) => compareValues(one, operator, right, request);
	return value instanceof PerElement ? value.values.map(compareElement) : compareElement(value);
}

function evaluateOperand(operand: Operand, request: SampleRequest): EvaluatedValue {
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
		if (index.kind === 'each')
			return new PerElement(
				isListValue(current) ? current : isMapValue(current) ? [...current.byName.values()] : [],
			);
		return getElement(current, index);
	}, value);
}

function getElement(value: FieldValue, index: Index): FieldValue {
	if (isMapValue(value))
		return index.kind === 'key' ? value.byName.get(String(getLiteralValue(index.key))) : undefined;
	return isListValue(value) && index.kind === 'position' ? value[index.position] : undefined;
}

const isListValue = (value: EvaluatedValue): value is readonly FieldValue[] => Array.isArray(value);
const isMapValue = (value: EvaluatedValue): value is {readonly byName: ReadonlyMap<string, FieldValue>} =>
	typeof value === 'object' && 'byName' in value;
const isAddress = (value: EvaluatedValue): value is Address =>
	typeof value === 'object' && 'version' in value;

type Call = Extract<Operand, {kind: 'call'}>;

function evaluateCall(call: Call, request: SampleRequest): EvaluatedValue {
	const [firstArgument] = call.arguments;
	if (call.name === 'any' || call.name === 'all') {
		const truth =
			firstArgument === undefined
				? []
				: firstArgument.kind === 'expression'
					? evaluateTruth(firstArgument.expression, request)
					: evaluateBare(firstArgument, request);
		const truths = typeof truth === 'boolean' ? [truth] : truth;
		return call.name === 'any' ? truths.some(Boolean) : truths.every(Boolean);
	}
	const values = call.arguments.map(argument =>
		argument.kind === 'expression'
			? isAnyTrue(evaluateTruth(argument.expression, request))
			: evaluateOperand(argument, request),
	);
	const [subject, ...otherValues] = values;
	const plainValues = otherValues.map(one => (one instanceof PerElement ? undefined : one));
	if (subject instanceof PerElement)
		return new PerElement(subject.values.map(one => applyFunction(call.name, [one, ...plainValues])));
	return applyFunction(call.name, [subject, ...plainValues]);
}

/**
 * Evaluates a function; undefined if it is not supported here. Functions that decode or replace parts of a
 * text return it unchanged.
 */
function applyFunction(name: string, [subject, ...otherArguments]: readonly FieldValue[]): FieldValue {
	const text = typeof subject === 'string' ? subject : undefined;
	const argument = typeof otherArguments[0] === 'string' ? otherArguments[0] : undefined;
	switch (name) {
		case 'len':
			if (isListValue(subject)) return subject.length;
			return isMapValue(subject)
				? subject.byName.size
				: text === undefined
					? undefined
					: Buffer.byteLength(text);
		case 'lower':
			return text?.toLowerCase();
		case 'upper':
			return text?.toUpperCase();
		case 'starts_with':
			return text !== undefined && argument !== undefined && text.startsWith(argument);
		case 'ends_with':
			return text !== undefined && argument !== undefined && text.endsWith(argument);
		case 'concat':
			return [subject, ...otherArguments]
				.map(one => (typeof one === 'object' ? '' : String(one ?? '')))
				.join('');
		case 'substring': {
			const [start, end] = otherArguments;
			if (text === undefined || typeof start !== 'number') return undefined;
			return typeof end === 'number' ? text.slice(start, end) : text.slice(start);
		}
		case 'coalesce':
			return [subject, ...otherArguments].find(one => one !== undefined);
		case 'has_key':
			return isMapValue(subject) ? argument !== undefined && subject.byName.has(argument) : undefined;
		case 'has_value':
			return isMapValue(subject) || isListValue(subject)
				? (isMapValue(subject) ? [...subject.byName.values()] : subject).some(one =>
						isEqualValue(one, otherArguments[0]),
					)
				: undefined;
		case 'join':
			return isListValue(subject) ? subject.join(argument ?? '') : undefined;
		case 'split':
			return text === undefined ? [] : text.split(argument ?? ' ');
		case 'cidr':
		case 'cidr6':
			return maskAddress(subject, name === 'cidr6' ? [undefined, otherArguments[0]] : otherArguments);
		case 'url_decode':
		case 'decode_base64':
		case 'remove_bytes':
		case 'regex_replace':
		case 'wildcard_replace':
		case 'remove_query_args':
			return text;
		case 'to_string':
			// A text that no rule is likely to name.
			return isAddress(subject) ? 'qz' : String(subject ?? '');
		default:
			return undefined;
	}
}

function maskAddress(subject: FieldValue, [ipv4Bits, ipv6Bits]: readonly FieldValue[]): FieldValue {
	if (!isAddress(subject)) return undefined;
	const bits = subject.version === 4 ? ipv4Bits : ipv6Bits;
	return typeof bits === 'number' ? toNetworkAddress(subject, bits) : subject;
}

function compareValues(
	value: FieldValue,
	operator: ComparisonOperator,
	right: RightSide,
	request: SampleRequest,
): boolean {
	if (value === undefined) return false;
	if (operator === 'in') return isInSet(value, right);
	if (right.kind === 'set' || right.kind === 'list') return false;
	const rightValue = evaluateOperand(right, request);
	if (rightValue === undefined || rightValue instanceof PerElement) return false;
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
	const fallback = request.index % 2 === 0;
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

const isEqualValue = (one: FieldValue, other: FieldValue): boolean =>
	isAddress(one) && isAddress(other)
		? one.version === other.version && one.value === other.value
		: one === other;

/** True if a set contains a value. False for the lists of an account, which are unknown here. */
function isInSet(value: FieldValue, right: RightSide): boolean {
	if (right.kind !== 'set') return false;
	return right.items.some(item => {
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

/** Time limit per match, in milliseconds. An ordinary pattern takes less than a thousandth of it. */
const matchTimeoutMs = 250;

/** Patterns that exceeded the time limit, which are not tried again. */
const slowPatterns = new Set<string>();

/** True if a pattern matches; undefined if JavaScript cannot parse it or exceeds the time limit. */
function testPattern(value: string, pattern: RegExp | undefined): boolean | undefined {
	if (!pattern || slowPatterns.has(pattern.source)) return undefined;
	if (isQuick(pattern.source)) return pattern.test(value);
	return runStoppable(
		() => pattern.test(value),
		matchTimeoutMs,
		() => {
			if (slowPatterns.size >= 100) slowPatterns.clear();
			slowPatterns.add(pattern.source);
			return undefined;
		},
	);
}

/** True if a pattern has few repetitions and none of a group, so that it needs no time limit. */
const isQuick = (source: string): boolean =>
	(source.match(/[*+?{]/g)?.length ?? 0) <= 3 && !/\)[*+?{]/.test(source);

/** Converts a regular expression of the service to JavaScript; undefined if that is not possible. */
function toRegExp(pattern: string): RegExp | undefined {
	const [, flags = '', body = ''] = /^(?:\(\?([a-z]+)\))?([\s\S]*)$/.exec(pattern) ?? [];
	try {
		return new RegExp(body, flags.replace(/[^ims]/g, ''));
	} catch {
		return undefined;
	}
}

/** Converts a wildcard pattern: `*` is any text; `\*` and `\\` are these characters. */
function wildcardToRegExp(pattern: string, flags: string): RegExp {
	const source = pattern.replace(/\\[*\\]|\*+|[.+?^${}()|[\]\\/]/g, part => {
		if (part.startsWith('*')) return '[^]*';
		return part.length === 2 ? part : `\\${part}`;
	});
	return new RegExp(`^${source}$`, flags);
}
