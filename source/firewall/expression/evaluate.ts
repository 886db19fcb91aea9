import {stoppable} from '../../text/stoppable.ts';
import {type Address, networkOf, readAddress, readNetwork, readRange} from './grammar/addresses.ts';
import type {ComparisonOperator, Expression, Index, Literal, Operand, RightSide} from './grammar/tree.ts';
import type {SampleRequest, Value} from './sample-requests.ts';

/** One value per element, from `[*]`. */
class Each {
	readonly values: readonly Value[];
	constructor(values: readonly Value[]) {
		this.values = values;
	}
}

type Worked = Value | Each;
type Truth = boolean | readonly boolean[];

/**
 * True if an expression matches a request. An operation that cannot be evaluated locally (a regular
 * expression in another syntax) is true for every second request, so that it matches neither all nor no
 * traffic.
 */
export const holds = (expression: Expression, request: SampleRequest): boolean =>
	some(truthOf(expression, request));

/** Reduces one result per element to a single result; `any` and `all` do this themselves. */
const some = (truth: Truth): boolean => (typeof truth === 'boolean' ? truth : truth.some(Boolean));

function truthOf(expression: Expression, request: SampleRequest): Truth {
	switch (expression.kind) {
		case 'group':
			return truthOf(expression.inner, request);
		case 'not':
			return mapped(truthOf(expression.operand, request), truth => !truth);
		case 'logical': {
			const truths = expression.operands.map(operand => truthOf(operand, request));
			return truths.reduce((one, other) => joined(expression.operator, one, other));
		}
		case 'bare':
			return bare(expression.operand, request);
		case 'comparison':
			return compared(expression, request);
	}
}

const mapped = (truth: Truth, change: (one: boolean) => boolean): Truth =>
	typeof truth === 'boolean' ? change(truth) : truth.map(change);

function joined(operator: 'and' | 'or' | 'xor', one: Truth, other: Truth): Truth {
	const join = (a: boolean, b: boolean): boolean =>
		operator === 'and' ? a && b : operator === 'or' ? a || b : a !== b;
	if (typeof one === 'boolean') return mapped(other, truth => join(one, truth));
	if (typeof other === 'boolean') return one.map(truth => join(truth, other));
	return one.map((truth, index) => join(truth, other[index] ?? false));
}

function bare(operand: Operand, request: SampleRequest): Truth {
	const value = worked(operand, request);
	if (value instanceof Each) return value.values.map(one => one === true);
	return value === true;
}

function compared({left, operator, right}: Expression & {kind: 'comparison'}, request: SampleRequest): Truth {
	const value = worked(left, request);
	const compare = (one: Value) => comparison(one, operator, right, request);
	return value instanceof Each ? value.values.map(compare) : compare(value);
}

function worked(operand: Operand, request: SampleRequest): Worked {
	switch (operand.kind) {
		case 'field':
			return indexed(request.field(operand.name), operand.indexes);
		case 'call':
			return indexed(called(operand, request), operand.indexes);
		default:
			return literalValue(operand);
	}
}

/** Returns the value of a literal; undefined for networks and ranges. */
export function literalValue(one: Literal): Value {
	switch (one.kind) {
		case 'string':
		case 'boolean':
			return one.value;
		case 'integer':
			return Number(one.value);
		case 'bytes':
			return String.fromCharCode(...one.value);
		case 'address': {
			const read = readAddress(one.text);
			return read.ok ? {version: read.version, value: read.value} : undefined;
		}
		case 'network':
		case 'range':
			return undefined;
	}
}

function indexed(value: Worked, indexes: readonly Index[]): Worked {
	return indexes.reduce<Worked>((now, index) => {
		if (now instanceof Each) return new Each(now.values.map(one => at(one, index)));
		if (index.kind === 'each')
			return new Each(isList(now) ? now : isMap(now) ? [...now.byName.values()] : []);
		return at(now, index);
	}, value);
}

function at(value: Value, index: Index): Value {
	if (isMap(value))
		return index.kind === 'key' ? value.byName.get(String(literalValue(index.key))) : undefined;
	return isList(value) && index.kind === 'position' ? value[index.position] : undefined;
}

const isList = (value: Worked): value is readonly Value[] => Array.isArray(value);
const isMap = (value: Worked): value is {readonly byName: ReadonlyMap<string, Value>} =>
	typeof value === 'object' && 'byName' in value;
const isAddress = (value: Worked): value is Address => typeof value === 'object' && 'version' in value;

type Call = Extract<Operand, {kind: 'call'}>;

function called(call: Call, request: SampleRequest): Worked {
	const [first] = call.arguments;
	if (call.name === 'any' || call.name === 'all') {
		const truth =
			first === undefined
				? []
				: first.kind === 'expression'
					? truthOf(first.expression, request)
					: bare(first, request);
		const truths = typeof truth === 'boolean' ? [truth] : truth;
		return call.name === 'any' ? truths.some(Boolean) : truths.every(Boolean);
	}
	const values = call.arguments.map(argument =>
		argument.kind === 'expression' ? some(truthOf(argument.expression, request)) : worked(argument, request),
	);
	const [subject, ...rest] = values;
	const plain = rest.map(one => (one instanceof Each ? undefined : one));
	if (subject instanceof Each)
		return new Each(subject.values.map(one => applied(call.name, [one, ...plain])));
	return applied(call.name, [subject, ...plain]);
}

/**
 * Evaluates a function; undefined if it is not supported here. Functions that decode or replace parts of a
 * text return it unchanged.
 */
function applied(name: string, [subject, ...rest]: readonly Value[]): Value {
	const text = typeof subject === 'string' ? subject : undefined;
	const other = typeof rest[0] === 'string' ? rest[0] : undefined;
	switch (name) {
		case 'len':
			if (isList(subject)) return subject.length;
			return isMap(subject) ? subject.byName.size : text === undefined ? undefined : Buffer.byteLength(text);
		case 'lower':
			return text?.toLowerCase();
		case 'upper':
			return text?.toUpperCase();
		case 'starts_with':
			return text !== undefined && other !== undefined && text.startsWith(other);
		case 'ends_with':
			return text !== undefined && other !== undefined && text.endsWith(other);
		case 'concat':
			return [subject, ...rest].map(one => (typeof one === 'object' ? '' : String(one ?? ''))).join('');
		case 'substring': {
			const [start, end] = rest;
			if (text === undefined || typeof start !== 'number') return undefined;
			return typeof end === 'number' ? text.slice(start, end) : text.slice(start);
		}
		case 'coalesce':
			return [subject, ...rest].find(one => one !== undefined);
		case 'has_key':
			return isMap(subject) ? other !== undefined && subject.byName.has(other) : undefined;
		case 'has_value':
			return isMap(subject) || isList(subject)
				? (isMap(subject) ? [...subject.byName.values()] : subject).some(one => isSame(one, rest[0]))
				: undefined;
		case 'join':
			return isList(subject) ? subject.join(other ?? '') : undefined;
		case 'split':
			return text === undefined ? [] : text.split(other ?? ' ');
		case 'cidr':
		case 'cidr6':
			return masked(subject, name === 'cidr6' ? [undefined, rest[0]] : rest);
		case 'url_decode':
		case 'decode_base64':
		case 'remove_bytes':
		case 'regex_replace':
		case 'wildcard_replace':
		case 'remove_query_args':
			return text;
		case 'to_string':
			return isAddress(subject) ? 'qz' : String(subject ?? '');
		default:
			return undefined;
	}
}

function masked(subject: Value, [four, six]: readonly Value[]): Value {
	if (!isAddress(subject)) return undefined;
	const bits = subject.version === 4 ? four : six;
	return typeof bits === 'number' ? networkOf(subject, bits) : subject;
}

function comparison(
	value: Value,
	operator: ComparisonOperator,
	right: RightSide,
	request: SampleRequest,
): boolean {
	if (value === undefined) return false;
	if (operator === 'in') return isIn(value, right);
	if (right.kind === 'set' || right.kind === 'list') return false;
	const other = worked(right, request);
	if (other === undefined || other instanceof Each) return false;
	if (operator === 'eq' || operator === 'ne') return isSame(value, other) === (operator === 'eq');
	if (typeof value === 'number') {
		if (typeof other !== 'number') return false;
		if (operator !== 'bitwise_and') return inOrder(value - other, operator);
		return (BigInt(value) & BigInt(Math.trunc(other))) !== 0n;
	}
	if (isAddress(value) && isAddress(other))
		return value.version === other.version && inOrder(Number(value.value - other.value), operator);
	if (typeof value !== 'string' || typeof other !== 'string') return false;
	const unknown = request.number % 2 === 0;
	switch (operator) {
		case 'contains':
			return value.includes(other);
		case 'matches':
			return matches(value, regularExpression(other)) ?? unknown;
		case 'wildcard':
			return matches(value, wildcard(other, 'i')) ?? unknown;
		case 'strict wildcard':
			return matches(value, wildcard(other, '')) ?? unknown;
		default:
			return inOrder(value === other ? 0 : value < other ? -1 : 1, operator);
	}
}

function inOrder(difference: number, operator: ComparisonOperator): boolean {
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

const isSame = (one: Value, other: Value): boolean =>
	isAddress(one) && isAddress(other)
		? one.version === other.version && one.value === other.value
		: one === other;

/** Lists of an account are unknown here: nothing is in them. */
function isIn(value: Value, right: RightSide): boolean {
	if (right.kind !== 'set') return false;
	return right.items.some(item => {
		switch (item.kind) {
			case 'network': {
				const read = readNetwork(item.text);
				return isAddress(value) && read.ok && isSame(networkOf(value, read.bits), read);
			}
			case 'range':
				return isBetween(value, item.first, item.last);
			default:
				return isSame(value, literalValue(item));
		}
	});
}

function isBetween(value: Value, first: Literal, last: Literal): boolean {
	const [low, high] = [literalValue(first), literalValue(last)];
	if (isAddress(value) && first.kind === 'address' && last.kind === 'address') {
		const read = readRange(`${first.text}..${last.text}`);
		return (
			read.ok &&
			read.first.version === value.version &&
			value.value >= read.first.value &&
			value.value <= read.last.value
		);
	}
	return typeof value === 'number' && typeof low === 'number' && typeof high === 'number'
		? value >= low && value <= high
		: false;
}

/** Time limit per match, in milliseconds. An ordinary pattern takes less than a thousandth of it. */
const attemptMilliseconds = 250;

/** Patterns that exceeded the time limit, which are not tried again. */
const hopeless = new Set<string>();

/** True if a pattern matches; undefined if JavaScript cannot parse it or exceeds the time limit. */
function matches(value: string, pattern: RegExp | undefined): boolean | undefined {
	if (!pattern || hopeless.has(pattern.source)) return undefined;
	if (isQuick(pattern.source)) return pattern.test(value);
	return stoppable(
		() => pattern.test(value),
		attemptMilliseconds,
		() => {
			if (hopeless.size >= 100) hopeless.clear();
			hopeless.add(pattern.source);
			return undefined;
		},
	);
}

/** True if a pattern has few repetitions and none of a group, so that it needs no time limit. */
const isQuick = (source: string): boolean =>
	(source.match(/[*+?{]/g)?.length ?? 0) <= 3 && !/\)[*+?{]/.test(source);

/** Converts a regular expression of the service to JavaScript; undefined if that is not possible. */
function regularExpression(pattern: string): RegExp | undefined {
	const [, letters = '', rest = ''] = /^(?:\(\?([a-z]+)\))?([\s\S]*)$/.exec(pattern) ?? [];
	try {
		return new RegExp(rest, letters.replace(/[^ims]/g, ''));
	} catch {
		return undefined;
	}
}

/** Converts a wildcard pattern: `*` is any text; `\*` and `\\` are these characters. */
function wildcard(pattern: string, flags: string): RegExp {
	const source = pattern.replace(/\\[*\\]|\*+|[.+?^${}()|[\]\\/]/g, part => {
		if (part.startsWith('*')) return '[^]*';
		return part.length === 2 ? part : `\\${part}`;
	});
	return new RegExp(`^${source}$`, flags);
}
