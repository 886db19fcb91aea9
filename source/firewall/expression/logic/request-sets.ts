import type {Expression} from '../grammar/tree.ts';
import {readCondition, type ValueCondition} from './conditions.ts';
import type {ValueSet} from './divisions.ts';
import {OperandTable} from './operand-table.ts';
import type {OperandValues} from './operand-values.ts';
import {listParts} from './parts.ts';

/** What is required of one operand: one of these values, which satisfies some predicates and not others. */
type Requirements = {
	readonly values: ValueSet;
	readonly satisfied: bigint;
	readonly unsatisfied: bigint;
};

type KnownCondition = {
	readonly condition: ValueCondition;
	readonly operand: OperandValues;
	values?: ReturnType<OperandValues['getConditionValues']>;
};

/** The requests that fulfil the requirements on each of some operands; all others may have any value. */
type RequestGroup = ReadonlyMap<OperandValues, Requirements>;

/**
 * A set of requests: those in any of the groups. It may contain more than the requests that are meant, never
 * fewer, so that a set without groups proves that there are none.
 */
export type RequestSet = readonly RequestGroup[];

const allRequests: RequestSet = [new Map()];

/** Most groups of one set, intersections of two groups in all, and operands of one `xor`. */
const limits = {groups: 256, intersections: 300, xorOperands: 8} as const;

/** Finds the requests for which the parts of an expression are true or false. */
export class RequestSetFinder {
	readonly #text: string;
	readonly #operands: OperandTable;
	readonly #conditions = new Map<Expression, KnownCondition>();
	readonly #matching = new Map<Expression, RequestSet>();
	readonly #others = new Map<Expression, RequestSet>();
	#intersectionCount = 0;

	constructor(root: Expression, text: string) {
		this.#text = text;
		this.#operands = new OperandTable(text);
		this.#collect(root);
	}

	#collect(node: Expression): void {
		switch (node.kind) {
			case 'group':
				this.#collect(node.inner);
				return;
			case 'not':
				this.#collect(node.operand);
				return;
			case 'logical':
				for (const operand of node.operands) this.#collect(operand);
				return;
			default: {
				if (getConstant(node) !== undefined) return;
				const condition = readCondition(node, this.#text);
				const operand = this.#operands.get(condition);
				this.#conditions.set(node, {condition, operand});
				operand.add(condition);
			}
		}
	}

	/** Returns the requests for which an expression is true, or false. */
	find(node: Expression, result: boolean): RequestSet {
		if (node.kind === 'group') return this.find(node.inner, result);
		if (node.kind === 'not') return this.find(node.operand, !result);
		const found = result ? this.#matching : this.#others;
		const known = found.get(node);
		if (known) return known;
		const requests = this.#findNew(node, result);
		found.set(node, requests);
		return requests;
	}

	#findNew(node: Exclude<Expression, {kind: 'group' | 'not'}>, result: boolean): RequestSet {
		if (node.kind !== 'logical') return this.#findCondition(node, result);
		const {operator, operands} = node;
		if (operator === 'xor')
			return operands.length > limits.xorOperands ? allRequests : this.#findEither(operands, result);
		const all = listParts(node, operator, true).map(part => this.find(part.node, part.isTrue === result));
		return (operator === 'and') === result ? this.intersectAll(all) : mergeGroups(all.flat());
	}

	/** Returns the requests for which an odd number of expressions is true; without `result`, an even one. */
	#findEither(operands: readonly Expression[], result: boolean): RequestSet {
		let [odd, even]: [RequestSet, RequestSet] = [[], allRequests];
		for (const operand of operands) {
			const [matching, others] = [this.find(operand, true), this.find(operand, false)];
			[odd, even] = [
				mergeGroups([...this.intersect(odd, others), ...this.intersect(even, matching)]),
				mergeGroups([...this.intersect(odd, matching), ...this.intersect(even, others)]),
			];
		}
		return result ? odd : even;
	}

	#findCondition(node: Expression & {kind: 'comparison' | 'bare'}, result: boolean): RequestSet {
		const known = this.#conditions.get(node);
		if (!known) return getConstant(node) === result ? allRequests : [];
		const {condition, operand} = known;
		if (operand.isUnconstrained) return allRequests;
		known.values ??= operand.getConditionValues(condition);
		const {satisfying, others, predicate} = known.values;
		const values = result ? satisfying : others;
		if (values === 0n) return [];
		const satisfied = result ? predicate : 0n;
		const unsatisfied = result ? 0n : predicate;
		return [new Map([[operand, {values, satisfied, unsatisfied}]])];
	}

	/** Returns the requests that are in all of some sets. */
	intersectAll(sets: readonly RequestSet[]): RequestSet {
		if (sets.some(({length}) => length === 0)) return [];
		const common = new Map<OperandValues, Requirements>();
		for (const [group, ...otherGroups] of sets)
			if (group && otherGroups.length === 0 && !addRequirements(common, group)) return [];
		if (!canComputeAll(common)) return [];
		return sets
			.filter(({length}) => length > 1)
			.sort((one, other) => one.length - other.length)
			.reduce((requests: RequestSet, other) => this.intersect(requests, other), [common]);
	}

	/** Returns the requests that are in two sets; beyond the limits, those in the first. */
	intersect(one: RequestSet, other: RequestSet): RequestSet {
		if (one === allRequests || other === allRequests) return one === allRequests ? other : one;
		const count = one.length * other.length;
		if (count > limits.groups || this.#intersectionCount + count > limits.intersections) return one;
		this.#intersectionCount += count;
		return mergeGroups(
			one.flatMap(group => other.flatMap(otherGroup => intersectGroups(group, otherGroup) ?? [])),
		);
	}
}

/** Returns the value of a constant; undefined for a condition. */
export const getConstant = (node: Expression): boolean | undefined =>
	node.kind === 'bare' && node.operand.kind === 'boolean' ? node.operand.value : undefined;

/** Returns the requests that are in both groups; undefined if there are none. */
function intersectGroups(one: RequestGroup, other: RequestGroup): RequestGroup | undefined {
	const common = new Map(one);
	return addRequirements(common, other) && canComputeAll(common) ? common : undefined;
}

/** Adds the requirements of a group to others. False if no request can fulfil all. */
function addRequirements(target: Map<OperandValues, Requirements>, group: RequestGroup): boolean {
	for (const [operand, requirements] of group) {
		const known = target.get(operand);
		if (!known) {
			target.set(operand, requirements);
			continue;
		}
		const values = known.values & requirements.values;
		const satisfied = known.satisfied | requirements.satisfied;
		const unsatisfied = known.unsatisfied | requirements.unsatisfied;
		if (values === 0n || !operand.canSatisfy(satisfied, unsatisfied)) return false;
		target.set(operand, {values, satisfied, unsatisfied});
	}
	return true;
}

/** True if every operand that is computed from another one, such as `lower(…)`, can have its values. */
function canComputeAll(group: RequestGroup): boolean {
	for (const [operand, {values}] of group) {
		const source = operand.source && group.get(operand.source);
		if (source && !operand.canBeComputedFrom(values, source.values)) return false;
	}
	return true;
}

/** Merges the groups that only require values of one operand. Beyond the limit, returns all requests. */
function mergeGroups(groups: RequestSet): RequestSet {
	if (groups.length < 2) return groups;
	const merged: RequestGroup[] = [];
	const byOperand = new Map<OperandValues, ValueSet>();
	for (const group of groups) {
		const [entry, ...others] = group;
		if (!entry) return allRequests;
		const [operand, {values, satisfied, unsatisfied}] = entry;
		if (others.length === 0 && (satisfied | unsatisfied) === 0n)
			byOperand.set(operand, (byOperand.get(operand) ?? 0n) | values);
		else merged.push(group);
	}
	for (const [operand, values] of byOperand)
		merged.push(new Map([[operand, {values, satisfied: 0n, unsatisfied: 0n}]]));
	return merged.length > limits.groups ? allRequests : merged;
}
