import {isCovered, toAddressRange} from './address-set.ts';
import {canonicalizeOperand, canonicalizeTree} from './canonical.ts';
import {matchesRequest} from './evaluate.ts';
import {type Expression, isLiteral, type Literal, type Operand} from './grammar/tree.ts';
import {parseAllowingConstants} from './traffic-share.ts';

/** Maximum number of pairs of conditions that are compared; beyond it, nothing is claimed. */
const maxComparisons = 20_000;

/**
 * True if every request that matches `tree` also matches `otherTree`. Proven from the form of the conditions,
 * so it is never wrong, but false for many expressions of which it is true: with regular expressions, lists,
 * or different fields, only equal conditions count.
 */
export function isImplied(tree: Expression, otherTree: Expression): boolean {
	const [one, other] = [prepare(tree), prepare(otherTree)];
	return one.key === other.key || proves(one.formula, other.formula, {remaining: maxComparisons});
}

/** What is compared of an expression; equal keys mean the same. */
type Prepared = {readonly key: string; readonly formula: Formula};

/** Cache: each rule of a zone is compared with all others. */
const preparedTrees = new WeakMap<Expression, Prepared>();

function prepare(tree: Expression): Prepared {
	const prepared = preparedTrees.get(tree) ?? {
		key: canonicalizeTree(tree, 'top'),
		formula: toFormula(tree, false),
	};
	preparedTrees.set(tree, prepared);
	return prepared;
}

/** Like `isImplied`, for texts; false if one cannot be parsed. */
export function impliesExpression(expression: string, otherExpression: string): boolean {
	const [tree, otherTree] = [expression, otherExpression].map(parseCached);
	return tree !== undefined && otherTree !== undefined && isImplied(tree, otherTree);
}

/** Cache, as above. */
const trees = new Map<string, Expression | undefined>();

function parseCached(expression: string): Expression | undefined {
	if (!trees.has(expression)) {
		if (trees.size >= 2_000) trees.clear();
		trees.set(expression, parseAllowingConstants(expression));
	}
	return trees.get(expression);
}

/** An expression without groups and with negations only at its conditions. */
type Formula =
	| {readonly kind: 'and' | 'or'; readonly parts: readonly Formula[]}
	| {readonly kind: 'condition'; readonly condition: Condition; readonly isNegated: boolean};

/** A condition on one value, as far as its form is known. */
type Condition = {
	/** Equal for conditions with the same meaning. */
	readonly key: string;
	/** The compared value; undefined if only equal conditions can be compared. */
	readonly subject?: string;
	/** Literals that equal the value of each request that matches; undefined if there may be others. */
	readonly values?: readonly Literal[];
	/** Numbers or addresses that match, and no others. */
	readonly ranges?: readonly ValueRange[];
	/** A text that a matching value begins with, ends with, or contains. */
	readonly part?: {readonly place: 'start' | 'end' | 'anywhere'; readonly text: string};
	/** True if a value matches; undefined if that is not certain. */
	matches?(value: Literal): boolean | undefined;
};

/** A range of integers (version 0) or addresses; both ends are included. */
type ValueRange = {readonly version: 0 | 4 | 6; readonly first: bigint; readonly last: bigint};

/** Counts down, so that long expressions take no longer than a moment. */
type Budget = {remaining: number};

function toFormula(expression: Expression, isNegated: boolean): Formula {
	switch (expression.kind) {
		case 'group':
			return toFormula(expression.inner, isNegated);
		case 'not':
			return toFormula(expression.operand, !isNegated);
		case 'logical':
			if (expression.operator !== 'xor')
				return {
					kind: (expression.operator === 'and') === isNegated ? 'or' : 'and',
					parts: expression.operands.map(operand => toFormula(operand, isNegated)),
				};
			return {kind: 'condition', condition: {key: canonicalizeTree(expression, 'top')}, isNegated};
		default:
			return {kind: 'condition', condition: toCondition(expression), isNegated};
	}
}

function proves(one: Formula, other: Formula, budget: Budget): boolean {
	if (--budget.remaining < 0) return false;
	if (one.kind === 'or') return one.parts.every(part => proves(part, other, budget));
	if (other.kind === 'and') return other.parts.every(part => proves(one, part, budget));
	if (one.kind === 'and' && one.parts.some(part => proves(part, other, budget))) return true;
	if (other.kind === 'condition') return one.kind === 'condition' && provesCondition(one, other);
	if (other.parts.some(part => proves(one, part, budget))) return true;
	const values = one.kind === 'condition' && !one.isNegated ? splitValues(one.condition) : [];
	return values.length > 1 && values.every(value => proves(value, other, budget));
}

/** Returns one condition per value of a set. Only what they match counts, so they have no key. */
const splitValues = ({subject, values = []}: Condition): readonly ConditionFormula[] =>
	subject === undefined
		? []
		: values.map(value => ({
				kind: 'condition',
				condition: {key: '', subject, values: [value]},
				isNegated: false,
			}));

type ConditionFormula = Extract<Formula, {kind: 'condition'}>;

function provesCondition(one: ConditionFormula, other: ConditionFormula): boolean {
	if (isConstant(other, true) || isConstant(one, false)) return true;
	if (one.condition.key === other.condition.key) return one.isNegated === other.isNegated;
	if (one.condition.subject === undefined || one.condition.subject !== other.condition.subject) return false;
	// A negated condition is also true if the value is missing, so it proves none that needs the value.
	if (one.isNegated) return other.isNegated && isSubset(other.condition, one.condition);
	return other.isNegated
		? areDisjoint(one.condition, other.condition)
		: isSubset(one.condition, other.condition);
}

const isConstant = ({condition, isNegated}: ConditionFormula, value: boolean): boolean =>
	condition.key === String(value !== isNegated);

/** True if each value that matches one condition matches another on the same subject. */
function isSubset(one: Condition, other: Condition): boolean {
	if (one.values) return one.values.every(value => other.matches?.(value) === true);
	if (one.ranges)
		return other.ranges !== undefined && one.ranges.every(range => isCovered(range, other.ranges ?? []));
	if (!one.part || !other.part) return false;
	const [{place, text}, {place: otherPlace, text: otherText}] = [one.part, other.part];
	switch (otherPlace) {
		case 'start':
			return place === 'start' && text.startsWith(otherText);
		case 'end':
			return place === 'end' && text.endsWith(otherText);
		case 'anywhere':
			return text.includes(otherText);
		default:
			return otherPlace satisfies never;
	}
}

/** True if no value matches both conditions on the same subject. */
function areDisjoint(one: Condition, other: Condition): boolean {
	if (one.values) return one.values.every(value => other.matches?.(value) === false);
	if (other.values) return other.values.every(value => one.matches?.(value) === false);
	if (one.ranges && other.ranges)
		return one.ranges.every(range => other.ranges?.every(otherRange => !areOverlapping(range, otherRange)));
	const [part, otherPart] = [one.part, other.part];
	return (
		part?.place === 'start' &&
		otherPart?.place === 'start' &&
		!part.text.startsWith(otherPart.text) &&
		!otherPart.text.startsWith(part.text)
	);
}

const areOverlapping = (one: ValueRange, other: ValueRange): boolean =>
	one.version === other.version && one.first <= other.last && other.first <= one.last;

function toCondition(expression: Expression & {kind: 'comparison' | 'bare'}): Condition {
	const key = canonicalizeTree(expression, 'top');
	if (expression.kind === 'bare') return {key, ...describeTextFunction(expression.operand)};
	const {left, operator, right} = expression;
	const subject = toSubject(left);
	if (subject === undefined || operator === 'bitwise_and' || operator === 'matches') return {key};
	const items = right.kind === 'set' ? right.items : isLiteral(right) ? [right] : [];
	if (items.length === 0 || !items.every(isExact)) return {key};
	const ranges = toRanges(operator, items);
	const hasValues = (operator === 'eq' || operator === 'in') && items.every(isSingleValue);
	return {
		key,
		subject,
		...(hasValues && {values: items}),
		...(ranges && {ranges}),
		...(operator === 'contains' &&
			right.kind === 'string' && {part: {place: 'anywhere', text: right.value} as const}),
		matches: value => testValue({...expression, left: value}, value, items),
	};
}

/** Describes `starts_with(…)` and `ends_with(…)`. */
function describeTextFunction(operand: Operand): Omit<Condition, 'key'> {
	if (operand.kind !== 'call') return {};
	const {name, arguments: givenArguments} = operand;
	const [text, part] = givenArguments;
	if ((name !== 'starts_with' && name !== 'ends_with') || givenArguments.length !== 2) return {};
	if (!text || text.kind === 'expression' || part?.kind !== 'string' || !isExact(part)) return {};
	const subject = toSubject(text);
	if (subject === undefined) return {};
	return {
		subject,
		part: {place: name === 'starts_with' ? 'start' : 'end', text: part.value},
		matches: value =>
			testValue({...operand, kind: 'bare', operand: {...operand, arguments: [value, part]}}, value, [part]),
	};
}

/** Returns the canonical form of a compared value; undefined if it stands for several values. */
function toSubject(operand: Operand): string | undefined {
	if (operand.kind !== 'field' && operand.kind !== 'call') return undefined;
	const text = canonicalizeOperand(operand);
	return text.includes('[*]') ? undefined : text;
}

/** True if a literal is compared here as the service does: no bytes, and no integer too large for a number. */
function isExact(literal: Literal): boolean {
	switch (literal.kind) {
		case 'string':
			return /^[\0-\x7f]*$/.test(literal.value);
		case 'integer':
			return Number.isSafeInteger(Number(literal.value));
		case 'range':
			return isExact(literal.first) && isExact(literal.last);
		case 'address':
		case 'network':
			return true;
		default:
			return false;
	}
}

const isSingleValue = ({kind}: Literal): boolean =>
	kind === 'string' || kind === 'integer' || kind === 'address';

/** Evaluates a condition whose compared value was replaced; undefined if the result is not certain. */
function testValue(condition: Expression, value: Literal, items: readonly Literal[]): boolean | undefined {
	const isText = value.kind === 'string';
	if (items.some(item => (item.kind === 'string') !== isText)) return undefined;
	// What cannot be evaluated is true for every second request.
	const [result, otherResult] = [0, 1].map(index =>
		matchesRequest(condition, {index, version: 4, field: () => undefined}),
	);
	return result === otherResult ? result : undefined;
}

const int64 = {first: -(2n ** 63n), last: 2n ** 63n - 1n};
const allAddresses = [
	{version: 4, first: 0n, last: 2n ** 32n - 1n},
	{version: 6, first: 0n, last: 2n ** 128n - 1n},
] as const;

/** Returns the numbers or addresses that match; undefined for texts, and for what is not ordered here. */
function toRanges(
	operator: (Expression & {kind: 'comparison'})['operator'],
	items: readonly Literal[],
): readonly ValueRange[] | undefined {
	const ranges = items.map(toRange);
	if (!ranges.every(range => range !== undefined)) return undefined;
	const [range] = ranges;
	if (operator === 'in') return ranges;
	if (!range || range.first !== range.last) return operator === 'eq' ? ranges : undefined;
	const {version, first: value} = range;
	if (operator === 'eq') return ranges;
	const wholes: readonly ValueRange[] = version === 0 ? [{version, ...int64}] : allAddresses;
	if (operator === 'ne')
		return wholes
			.flatMap(whole =>
				whole.version === version
					? [
							{...whole, last: value - 1n},
							{...whole, first: value + 1n},
						]
					: [whole],
			)
			.filter(({first, last}) => first <= last);
	if (version !== 0) return undefined;
	switch (operator) {
		case 'lt':
			return [{version, first: int64.first, last: value - 1n}];
		case 'le':
			return [{version, first: int64.first, last: value}];
		case 'gt':
			return [{version, first: value + 1n, last: int64.last}];
		case 'ge':
			return [{version, first: value, last: int64.last}];
		default:
			return undefined;
	}
}

function toRange(item: Literal): ValueRange | undefined {
	if (item.kind === 'integer') return {version: 0, first: item.value, last: item.value};
	if (item.kind === 'range' && item.first.kind === 'integer' && item.last.kind === 'integer')
		return {version: 0, first: item.first.value, last: item.last.value};
	return toAddressRange(item);
}
