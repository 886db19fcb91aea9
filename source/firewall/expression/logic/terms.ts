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

/** Requirements that some request fulfils, by operand. */
type Term = ReadonlyMap<OperandValues, Requirements>;

/**
 * The requests that match an expression, as alternatives. There may be more than those, never fewer: no
 * alternatives mean that no request matches.
 */
export type Terms = readonly Term[];

const anything: Terms = [new Map()];

/** Most alternatives of one expression, combinations of two alternatives in all, and operands of one `xor`. */
const limits = {terms: 256, joins: 300, xorOperands: 8} as const;

/** Finds the requests that match the parts of an expression. */
export class TermFinder {
	readonly #text: string;
	readonly #operands: OperandTable;
	readonly #conditions = new Map<Expression, KnownCondition>();
	readonly #matching = new Map<Expression, Terms>();
	readonly #others = new Map<Expression, Terms>();
	#joinCount = 0;

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
	find(node: Expression, result: boolean): Terms {
		if (node.kind === 'group') return this.find(node.inner, result);
		if (node.kind === 'not') return this.find(node.operand, !result);
		const found = result ? this.#matching : this.#others;
		const known = found.get(node);
		if (known) return known;
		const terms = this.#findNew(node, result);
		found.set(node, terms);
		return terms;
	}

	#findNew(node: Exclude<Expression, {kind: 'group' | 'not'}>, result: boolean): Terms {
		if (node.kind !== 'logical') return this.#findCondition(node, result);
		const {operator, operands} = node;
		if (operator === 'xor')
			return operands.length > limits.xorOperands ? anything : this.#findEither(operands, result);
		const all = listParts(node, operator, true).map(part => this.find(part.node, part.isTrue === result));
		return (operator === 'and') === result ? this.joinAll(all) : unite(all.flat());
	}

	/** Returns the requests for which an odd number of expressions is true; without `result`, an even one. */
	#findEither(operands: readonly Expression[], result: boolean): Terms {
		let [odd, even]: [Terms, Terms] = [[], anything];
		for (const operand of operands) {
			const [matching, others] = [this.find(operand, true), this.find(operand, false)];
			[odd, even] = [
				unite([...this.join(odd, others), ...this.join(even, matching)]),
				unite([...this.join(odd, matching), ...this.join(even, others)]),
			];
		}
		return result ? odd : even;
	}

	#findCondition(node: Expression & {kind: 'comparison' | 'bare'}, result: boolean): Terms {
		const known = this.#conditions.get(node);
		if (!known) return getConstant(node) === result ? anything : [];
		const {condition, operand} = known;
		if (operand.isFree) return anything;
		known.values ??= operand.getConditionValues(condition);
		const {satisfying, others, predicate} = known.values;
		const values = result ? satisfying : others;
		if (values === 0n) return [];
		const satisfied = result ? predicate : 0n;
		const unsatisfied = result ? 0n : predicate;
		return [new Map([[operand, {values, satisfied, unsatisfied}]])];
	}

	/** Returns the requests that are in all of some sets. */
	joinAll(all: readonly Terms[]): Terms {
		if (all.some(terms => terms.length === 0)) return [];
		const joined = new Map<OperandValues, Requirements>();
		for (const [term, ...others] of all) if (term && others.length === 0 && !addTerm(joined, term)) return [];
		if (!canFollowSources(joined)) return [];
		return all
			.filter(({length}) => length > 1)
			.sort((one, other) => one.length - other.length)
			.reduce((terms: Terms, others) => this.join(terms, others), [joined]);
	}

	/** Returns the requests that are in two sets; beyond the limits, those in the first. */
	join(one: Terms, other: Terms): Terms {
		if (one === anything || other === anything) return one === anything ? other : one;
		const joinCount = one.length * other.length;
		if (joinCount > limits.terms || this.#joinCount + joinCount > limits.joins) return one;
		this.#joinCount += joinCount;
		return unite(one.flatMap(term => other.flatMap(otherTerm => joinTerms(term, otherTerm) ?? [])));
	}
}

/** Returns the value of a constant; undefined for a condition. */
export const getConstant = (node: Expression): boolean | undefined =>
	node.kind === 'bare' && node.operand.kind === 'boolean' ? node.operand.value : undefined;

/** Returns what fulfils both; undefined if nothing does. */
function joinTerms(one: Term, other: Term): Term | undefined {
	const joined = new Map(one);
	return addTerm(joined, other) && canFollowSources(joined) ? joined : undefined;
}

/** Adds the requirements of a term. False if nothing can fulfil all. */
function addTerm(joined: Map<OperandValues, Requirements>, term: Term): boolean {
	for (const [operand, requirements] of term) {
		const known = joined.get(operand);
		if (!known) {
			joined.set(operand, requirements);
			continue;
		}
		const values = known.values & requirements.values;
		const satisfied = known.satisfied | requirements.satisfied;
		const unsatisfied = known.unsatisfied | requirements.unsatisfied;
		if (values === 0n || !operand.canSatisfy(satisfied, unsatisfied)) return false;
		joined.set(operand, {values, satisfied, unsatisfied});
	}
	return true;
}

/** True if the values of all operands can be computed from the values that they are computed from. */
function canFollowSources(term: Term): boolean {
	for (const [operand, {values}] of term) {
		const source = operand.source && term.get(operand.source);
		if (source && !operand.canFollow(values, source.values)) return false;
	}
	return true;
}

/** Joins alternatives that concern the values of one operand. Beyond the limit, allows anything. */
function unite(terms: Terms): Terms {
	if (terms.length < 2) return terms;
	const united: Term[] = [];
	const byOperand = new Map<OperandValues, ValueSet>();
	for (const term of terms) {
		const [entry, ...others] = term;
		if (!entry) return anything;
		const [operand, {values, satisfied, unsatisfied}] = entry;
		if (others.length === 0 && (satisfied | unsatisfied) === 0n)
			byOperand.set(operand, (byOperand.get(operand) ?? 0n) | values);
		else united.push(term);
	}
	for (const [operand, values] of byOperand)
		united.push(new Map([[operand, {values, satisfied: 0n, unsatisfied: 0n}]]));
	return united.length > limits.terms ? anything : united;
}
