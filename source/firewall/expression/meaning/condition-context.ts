import type {Span} from '../grammar/problem.ts';
import type {Expression} from '../grammar/tree.ts';
import {listParts, type SignedPart} from '../logic/parts.ts';

/** What surrounds a condition. */
export type ConditionContext = {
	readonly negated: boolean;
	/** The surrounding `any(…)`, if it contains nothing else. */
	readonly anySpan?: Span | undefined;
	/** The surrounding `any(…)` or `all(…)`; `negated`: that of itself. */
	readonly each?: {readonly isAll: boolean; readonly negated: boolean} | undefined;
	/** The conditions beside it. */
	readonly beside?: Beside | undefined;
};

/**
 * Conditions with the results that they have wherever the result of another one of them matters: all of `and` are
 * true, and all of `or` are false.
 */
type Beside = {readonly parts: readonly SignedPart[]; readonly outer: Beside | undefined};

/** Returns the context of the operands of `and`, `or` or `xor`; the last says nothing about the others. */
export function enterLogical(
	context: ConditionContext,
	logical: Expression & {kind: 'logical'},
): ConditionContext {
	const {operator} = logical;
	if (operator === 'xor') return context;
	const parts = listParts(logical, operator, true);
	return {
		...context,
		beside: {
			parts: operator === 'and' ? parts : parts.map(part => ({...part, isTrue: !part.isTrue})),
			outer: context.beside,
		},
	};
}

/** True if a condition beside another one passes a test. */
export function hasBeside(
	condition: Expression | undefined,
	{beside}: ConditionContext,
	test: (part: SignedPart) => boolean,
): boolean {
	for (let level = beside; level; level = level.outer)
		if (level.parts.some(part => part.node !== condition && test(part))) return true;
	return false;
}

/**
 * Returns a clause that limits a claim about a comparison to requests with a value, if it has another result without
 * one; otherwise "". Without a value, a comparison and `any` are false, and `all` is true.
 */
export function formatPresence(
	{negated, each}: ConditionContext,
	{result, mayBeMissing}: {readonly result: boolean; readonly mayBeMissing: boolean},
): string {
	const hasOtherResult = each
		? (result !== (negated !== each.negated)) !== each.isAll
		: mayBeMissing && result;
	return hasOtherResult ? ' if there is a value' : '';
}
