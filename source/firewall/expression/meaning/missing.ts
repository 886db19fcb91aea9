import {abbreviate, type Parser} from '../grammar/parser.ts';
import type {Argument, Expression, Operand} from '../grammar/tree.ts';
import {findField} from '../vocabulary/fields.ts';
import {type ConditionContext, hasBeside} from './condition-context.ts';

type Comparison = Expression & {kind: 'comparison'};

/** An element of a map, by its key. */
type Element = {readonly map: string; readonly key: string};

/** Warns of `headers["x"][0] ne "v"`: it is false if the header is missing, so such requests do not match. */
export function warnUnequalIfMissing(
	parser: Parser,
	comparison: Comparison,
	context: ConditionContext,
): void {
	const {left, operator, right} = comparison;
	const {negated, anySpan} = context;
	const element = findElement(left);
	if (operator !== 'ne' || negated || left.kind !== 'field' || !element || !('kind' in right)) return;
	const isEach = left.indexes.some(({kind}) => kind === 'each');
	if (isEach && anySpan === undefined) return;
	// Of two comparisons with ne, neither shows that the other one is meant so.
	const isMeant = hasBeside(
		comparison,
		context,
		({node, isTrue}) => isTrue && !isUnequal(node) && requiresElement(node, element),
	);
	if (isMeant) return;
	const equalComparison = `${parser.slice(left)} eq ${parser.slice(right)}`;
	parser.warning(
		comparison.operatorSpan,
		`ne is false if the value is missing, so requests without it don't match. To match them, use ${isEach ? 'not any(… eq …)' : 'not … eq …'}.`,
		{
			code: 'L048',
			correction: anySpan
				? {span: {start: anySpan.start, end: anySpan.end}, text: `not any(${equalComparison})`}
				: {span: {start: comparison.start, end: comparison.end}, text: `not ${equalComparison}`},
		},
	);
}

/** True for a comparison with `ne`, also of each value in `any(…)`. */
function isUnequal(node: Expression): boolean {
	if (node.kind === 'comparison') return node.operator === 'ne';
	const [argument] = node.kind === 'bare' && node.operand.kind === 'call' ? node.operand.arguments : [];
	return argument?.kind === 'expression' && isUnequal(argument.expression);
}

/** Warns of `headers["x"][0] eq ""`: it is false if the header is missing. */
export function warnEmptyComparison(parser: Parser, comparison: Comparison, context: ConditionContext): void {
	const {left, operator, right} = comparison;
	const operand = left.kind === 'call' && left.name === 'len' ? left.arguments[0] : left;
	const isEmpty =
		operand === left
			? right.kind === 'string' && right.value === ''
			: right.kind === 'integer' && right.value === 0n;
	if (operator !== 'eq' || !isEmpty || operand?.kind !== 'field') return;
	const element = findElement(operand);
	const [key] = operand.indexes;
	if (!element || key?.kind !== 'key' || isRequired(element, comparison, context)) return;
	const presenceCheck = `not has_key(${operand.name}, ${parser.slice(key.key)})`;
	parser.warning(
		comparison,
		`A missing value is not empty: use ${abbreviate(presenceCheck)} to match requests without it.`,
		{
			code: 'L049',
			correction: {
				span: context.anySpan ?? {start: comparison.start, end: comparison.end},
				text: presenceCheck,
			},
		},
	);
}

/**
 * Warns of `all` over nothing, which is true: a rule that lets requests through also matches requests without
 * the header.
 */
export function warnAllOfNothing(
	parser: Parser,
	call: Operand & {kind: 'call'},
	condition: Expression,
	context: ConditionContext,
): void {
	if (!parser.context.letsThrough || condition.kind !== 'comparison' || condition.left.kind !== 'field')
		return;
	const {name, indexes} = condition.left;
	const element = findElement(condition.left);
	const [key] = indexes;
	if (!element || key?.kind !== 'key' || isRequired(element, condition, context)) return;
	const presenceCheck = `has_key(${name}, ${parser.slice(key.key)})`;
	parser.warning(
		call,
		`all(…) is also true for requests without any value. Add ${abbreviate(presenceCheck)} to require one.`,
		{
			code: 'L050',
			correction: {
				span: {start: call.start, end: call.end},
				text: `(${presenceCheck} and ${parser.slice(call)})`,
			},
		},
	);
}

/** Functions that have no result without their first argument. */
const needsArgument = /^(?:len|lower|upper|url_decode|substring|starts_with|ends_with)$/;

/** Finds the element without which an operand is missing, too. */
function findElement(operand: Argument | undefined): Element | undefined {
	if (operand?.kind === 'call' && needsArgument.test(operand.name)) return findElement(operand.arguments[0]);
	if (operand?.kind !== 'field' || findField(operand.name)?.type?.kind !== 'Map') return undefined;
	const [index] = operand.indexes;
	return index?.kind === 'key' && index.key.kind === 'string'
		? {map: operand.name, key: index.key.value}
		: undefined;
}

/** True if a condition beside is only true for requests that have the element. */
const isRequired = (element: Element, condition: Expression, context: ConditionContext): boolean =>
	hasBeside(condition, context, ({node, isTrue}) => isTrue && requiresElement(node, element));

function requiresElement(node: Expression, element: Element): boolean {
	if (node.kind === 'comparison') return isElement(findElement(node.left), element);
	if (node.kind !== 'bare' || node.operand.kind !== 'call') return false;
	const {name, arguments: callArguments} = node.operand;
	const [first, second] = callArguments;
	if (first?.kind === 'expression') return name === 'any' && requiresElement(first.expression, element);
	if (name === 'has_key' && first?.kind === 'field' && second?.kind === 'string')
		return isElement({map: first.name, key: second.value}, element);
	return isElement(findElement(node.operand), element);
}

const isElement = (one: Element | undefined, other: Element): boolean =>
	one !== undefined && one.map === other.map && one.key === other.key;
