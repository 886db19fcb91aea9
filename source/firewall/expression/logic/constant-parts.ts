// Finds parts of an expression that are constant, from the values for which its conditions can be true. Take
//
//     http.host in {"a" "b"} and (http.host eq "c" or ssl)
//
// 1. `conditions.ts` reads each condition as a requirement on one operand: two on `http.host`, with the texts a, b
//    and c, and one on `ssl`.
// 2. `divisions.ts` divides the values of each operand at those that are named: a, b, c, and what lies between them.
//    A set of values is then a number with one bit for each division. `operand-values.ts` returns for which values
//    a condition can be true, and for which it can be false.
// 3. `request-sets.ts` turns these into the requests for which a part can be true: those with the host a or b, and
//    those with the host c. Nothing else is required of `ssl`, so that it does not exclude any request.
// 4. The search below intersects these sets. No request has the host c and one of a and b: `http.host eq "c"` is
//    reported as `excluded` by the condition on a and b.
//
// Everything that is not understood counts as possible: a set of requests may be too large, and a part then be
// missed, but never too small, so that a part is never wrongly called constant.
import type {Expression} from '../grammar/tree.ts';
import {getQuantified} from './operand-table.ts';
import type {OperandValues} from './operand-values.ts';
import {listParts, type SignedPart} from './parts.ts';
import {getConstant, type RequestSet, RequestSetFinder} from './request-sets.ts';

/** A part of an expression that has the same result for every request, or that makes no difference. */
export type ConstantPart = {
	readonly part: Expression | SignedPart;
	/** `unneeded`: the expression has the same result without it. `excluded`: … if it were false. */
	readonly result: 'always' | 'never' | 'unneeded' | 'excluded';
	/**
	 * Conditions that cause it, as few as possible: of `and`, those that exclude each other; of `or`, those one
	 * of which always matches; otherwise those beside the part.
	 */
	readonly causes: readonly SignedPart[];
};

type Logical = Expression & {kind: 'logical'};
type Operator = 'and' | 'or';
type Result = boolean | undefined;

/** Most comparisons of the parts of an expression with each other, to find those that are not needed. */
const maxComparisons = 48;

/** Most conditions of which the smallest number of causes is found. */
const maxCauses = 24;

/**
 * Finds the smallest parts of an expression, with its text, that are never or always true, and parts that make no
 * difference. `result` is that of the whole expression, if it is constant. Bounded: may miss some in a large
 * expression, but what it finds is certain, for requests with and without the values that are compared.
 */
export function findConstantParts(
	root: Expression,
	text: string,
): {
	readonly result: Result;
	readonly parts: readonly ConstantPart[];
} {
	const search = new ConstantSearch(new RequestSetFinder(root, text), text);
	return {result: search.getResult(root), parts: search.parts};
}

class ConstantSearch {
	readonly parts: ConstantPart[] = [];
	readonly #text: string;
	readonly #sets: RequestSetFinder;
	#comparisonCount = 0;

	constructor(sets: RequestSetFinder, text: string) {
		this.#text = text;
		this.#sets = sets;
	}

	/** Returns the result of an expression, if it is constant, and records the parts that cause it. */
	getResult(node: Expression): Result {
		switch (node.kind) {
			case 'group':
				return this.getResult(node.inner);
			case 'not':
				return negate(this.getResult(node.operand));
			case 'logical':
				return node.operator === 'xor' ? this.#checkXor(node) : this.#checkLogical(node, node.operator);
			default:
				return this.#checkCondition(node);
		}
	}

	#checkCondition(node: Expression): Result {
		const {quantifier, expression} = getQuantified(node) ?? {};
		if (expression) {
			const {result, parts} = findConstantParts(expression, this.#text);
			this.parts.push(...parts);
			if (result === (quantifier === 'all')) return result;
		}
		const result = this.#findResult(node);
		if (result !== undefined && getConstant(node) === undefined)
			this.#add(node, result ? 'always' : 'never', []);
		return result;
	}

	#checkXor(node: Logical): Result {
		const results = node.operands.map(operand => this.getResult(operand));
		const result = this.#findResult(node);
		if (result !== undefined && results.includes(undefined)) this.#add(node, result ? 'always' : 'never', []);
		return result;
	}

	#findResult(node: Expression): Result {
		if (this.#sets.find(node, true).length === 0) return false;
		return this.#sets.find(node, false).length === 0 ? true : undefined;
	}

	/**
	 * Checks conditions joined by `and`, together with those of nested ones. For `or`, checks the negated
	 * conditions: if they exclude each other, one of the conditions is always true.
	 */
	#checkLogical(node: Logical, operator: Operator): Result {
		const decisive = operator === 'or';
		const parts = listParts(node, operator, true);
		const results = parts.map(part => {
			const result = this.getResult(part.node);
			return part.isTrue ? result : negate(result);
		});
		if (results.includes(decisive)) return decisive;
		const openParts = parts.filter((_, index) => results[index] === undefined);
		if (openParts.length === 0) return !decisive;
		if (this.#sets.find(node, !decisive).length > 0) {
			this.#findUnneeded(openParts, operator);
			return undefined;
		}
		this.#add(node, decisive ? 'always' : 'never', this.#findCauses(openParts, !decisive));
		return decisive;
	}

	/** Finds parts that never all have a result, as few as possible. */
	#findCauses(parts: readonly SignedPart[], result: boolean): readonly SignedPart[] {
		const sorted = parts
			.map(part => ({part, requests: this.#find(part, result)}))
			.toSorted((one, other) => one.requests.length - other.requests.length);
		let common: RequestSet | undefined;
		const count = sorted.findIndex(({requests}) => {
			common = common ? this.#sets.intersect(common, requests) : requests;
			return common.length === 0;
		});
		const causes = this.#reduceCauses(count < 0 ? sorted : sorted.slice(0, count + 1));
		return causes.map(({part}) => part).toSorted((one, other) => one.start - other.start);
	}

	#reduceCauses<Cause extends {readonly requests: RequestSet}>(causes: readonly Cause[]): readonly Cause[] {
		const last = causes.at(-1);
		const other = causes.find(
			({requests}) => last && this.#sets.intersect(requests, last.requests).length === 0,
		);
		if (last && other) return [other, last];
		if (causes.length > maxCauses) return causes;
		return causes.reduce((kept, cause) => {
			const rest = kept.filter(one => one !== cause);
			return this.#sets.intersectAll(rest.map(({requests}) => requests)).length === 0 ? rest : kept;
		}, causes);
	}

	/** Finds parts that another one makes unnecessary. */
	#findUnneeded(parts: readonly SignedPart[], operator: Operator): void {
		const isTrue = operator === 'and';
		const simpleParts = new SimpleParts();
		for (const part of parts) simpleParts.add(part, this.#find(part, isTrue));
		for (const part of parts.toReversed()) {
			const cause = this.#findExclusion(simpleParts, part, this.#find(part, !isTrue));
			if (cause) {
				simpleParts.remove(part);
				this.#add(part, 'unneeded', [cause]);
				continue;
			}
			for (const alternative of listParts(part.node, isTrue ? 'or' : 'and', part.isTrue)) {
				if (alternative.node === part.node) continue;
				const exclusion = this.#findExclusion(simpleParts, part, this.#find(alternative, isTrue));
				if (exclusion) this.#add(alternative, isTrue ? 'excluded' : 'unneeded', [exclusion]);
			}
		}
	}

	/** Finds another part that excludes some requests. */
	#findExclusion(simpleParts: SimpleParts, part: SignedPart, requests: RequestSet): SignedPart | undefined {
		const [group] = requests;
		if (!group) return undefined;
		for (const other of simpleParts.listRelated(group)) {
			if (this.#comparisonCount >= maxComparisons) return undefined;
			if (other.part === part) continue;
			this.#comparisonCount++;
			if (this.#sets.intersect(other.requests, requests).length === 0) return other.part;
		}
		return undefined;
	}

	#find({node, isTrue}: SignedPart, result: boolean): RequestSet {
		return this.#sets.find(node, isTrue === result);
	}

	#add(part: ConstantPart['part'], result: ConstantPart['result'], causes: readonly SignedPart[]): void {
		this.parts.push({part, result, causes});
	}
}

const negate = (result: Result): Result => (result === undefined ? undefined : !result);

type SimplePart = {readonly part: SignedPart; readonly requests: RequestSet};

/** Parts whose requests are one group, by the operands that they are on. */
class SimpleParts {
	readonly #byOperand = new Map<OperandValues, Set<SimplePart>>();

	add(part: SignedPart, requests: RequestSet): void {
		const [group, ...otherGroups] = requests;
		if (!group || otherGroups.length > 0) return;
		const simplePart = {part, requests};
		for (const operand of group.keys()) {
			const known = this.#byOperand.get(operand);
			if (known) known.add(simplePart);
			else this.#byOperand.set(operand, new Set([simplePart]));
		}
	}

	remove(part: SignedPart): void {
		for (const simpleParts of this.#byOperand.values())
			for (const simplePart of simpleParts) if (simplePart.part === part) simpleParts.delete(simplePart);
	}

	/** Lists the parts on any of the operands that a group has requirements on. */
	*listRelated(group: RequestSet[number]): Iterable<SimplePart> {
		for (const operand of group.keys()) yield* this.#byOperand.get(operand) ?? [];
	}
}
