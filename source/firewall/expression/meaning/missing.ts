import type {Span} from '../grammar/problem.ts';
import {type Reading, shown} from '../grammar/reading.ts';
import type {Expression, Operand} from '../grammar/tree.ts';
import {fieldNamed} from '../vocabulary/fields.ts';

type Comparison = Expression & {kind: 'comparison'};

/** What surrounds a condition. */
export type Around = {
	readonly negated: boolean;
	/** The surrounding `any(…)`, if it contains nothing else. */
	readonly any?: Span;
};

/** Warns of `headers["x"][0] ne "v"`: it is false if the header is missing, so such requests do not match. */
export function missingAndUnequal(reading: Reading, one: Comparison, {negated, any}: Around): void {
	const {left, operator, right} = one;
	if (operator !== 'ne' || negated || left.kind !== 'field' || !('kind' in right)) return;
	if (fieldNamed(left.name)?.type?.kind !== 'Map' || left.indexes[0]?.kind !== 'key') return;
	const isEach = left.indexes.some(({kind}) => kind === 'each');
	if (isEach && any === undefined) return;
	const equal = `${reading.slice(left)} eq ${reading.slice(right)}`;
	reading.warning(
		one.operatorSpan,
		`ne is false where the value is missing: requests without it do not match. With ${isEach ? 'not any(… eq …)' : 'not … eq …'} they do.`,
		{
			correction: any
				? {span: {start: any.start, end: any.end}, text: `not any(${equal})`}
				: {span: {start: one.start, end: one.end}, text: `not ${equal}`},
		},
	);
}

/** Warns of `headers["x"][0] eq ""`: it is false if the header is missing. */
export function missingAndEmpty(reading: Reading, one: Comparison, {any}: Around): void {
	const {left, operator, right} = one;
	const operand = left.kind === 'call' && left.name === 'len' ? left.arguments[0] : left;
	const isEmpty =
		operand === left
			? right.kind === 'string' && right.value === ''
			: right.kind === 'integer' && right.value === 0n;
	if (operator !== 'eq' || !isEmpty || operand?.kind !== 'field') return;
	const [key] = operand.indexes;
	if (fieldNamed(operand.name)?.type?.kind !== 'Map' || key?.kind !== 'key') return;
	const asked = `not has_key(${operand.name}, ${reading.slice(key.key)})`;
	reading.warning(
		one,
		`A value that is missing is not empty: ${shown(asked)} asks for requests without it.`,
		{
			correction: {span: any ?? {start: one.start, end: one.end}, text: asked},
		},
	);
}

/**
 * Warns of `all` over nothing, which is true: a rule that lets requests through also matches requests without
 * the header.
 */
export function emptyAll(reading: Reading, call: Operand & {kind: 'call'}, inner: Expression): void {
	if (!reading.place.letsThrough || inner.kind !== 'comparison' || inner.left.kind !== 'field') return;
	const {name, indexes} = inner.left;
	const [key] = indexes;
	if (key?.kind !== 'key') return;
	const asked = `has_key(${name}, ${reading.slice(key.key)})`;
	reading.warning(call, `all(…) holds for a request that has none of it. ${shown(asked)} asks for one.`, {
		correction: {span: {start: call.start, end: call.end}, text: `(${asked} and ${reading.slice(call)})`},
	});
}
