import {abbreviate, type Parser} from '../grammar/parser.ts';
import type {Span} from '../grammar/problem.ts';
import type {Expression, Operand} from '../grammar/tree.ts';
import {findField} from '../vocabulary/fields.ts';

type Comparison = Expression & {kind: 'comparison'};

/** What surrounds a condition. */
export type ConditionContext = {
	readonly negated: boolean;
	/** The surrounding `any(…)`, if it contains nothing else. */
	readonly anySpan?: Span;
};

/** Warns of `headers["x"][0] ne "v"`: it is false if the header is missing, so such requests do not match. */
export function warnUnequalIfMissing(
	parser: Parser,
	comparison: Comparison,
	{negated, anySpan}: ConditionContext,
): void {
	const {left, operator, right} = comparison;
	if (operator !== 'ne' || negated || left.kind !== 'field' || !('kind' in right)) return;
	if (findField(left.name)?.type?.kind !== 'Map' || left.indexes[0]?.kind !== 'key') return;
	const isEach = left.indexes.some(({kind}) => kind === 'each');
	if (isEach && anySpan === undefined) return;
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

/** Warns of `headers["x"][0] eq ""`: it is false if the header is missing. */
export function warnEmptyComparison(
	parser: Parser,
	comparison: Comparison,
	{anySpan}: ConditionContext,
): void {
	const {left, operator, right} = comparison;
	const operand = left.kind === 'call' && left.name === 'len' ? left.arguments[0] : left;
	const isEmpty =
		operand === left
			? right.kind === 'string' && right.value === ''
			: right.kind === 'integer' && right.value === 0n;
	if (operator !== 'eq' || !isEmpty || operand?.kind !== 'field') return;
	const [key] = operand.indexes;
	if (findField(operand.name)?.type?.kind !== 'Map' || key?.kind !== 'key') return;
	const presenceCheck = `not has_key(${operand.name}, ${parser.slice(key.key)})`;
	parser.warning(
		comparison,
		`A missing value is not empty: use ${abbreviate(presenceCheck)} to match requests without it.`,
		{
			code: 'L049',
			correction: {span: anySpan ?? {start: comparison.start, end: comparison.end}, text: presenceCheck},
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
): void {
	if (!parser.context.letsThrough || condition.kind !== 'comparison' || condition.left.kind !== 'field')
		return;
	const {name, indexes} = condition.left;
	const [key] = indexes;
	if (key?.kind !== 'key') return;
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
