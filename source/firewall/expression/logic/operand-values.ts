import type {Bound, ComparedKind, Requirement, ValueCondition} from './conditions.ts';
import {Divisions, type ValueDomain, type ValueSet} from './divisions.ts';
import {isShapeExcluded, isShapeImplied} from './shapes.ts';

/** The values for which a condition can be true, and those for which it can be false. */
type ConditionValues = {
	readonly satisfying: ValueSet;
	readonly others: ValueSet;
	/** The bit of its predicate, if some values are in both sets; 0 otherwise. */
	readonly predicate: bigint;
};

type Predicate = Requirement & {kind: 'predicate'};
type KnownPredicate = {readonly predicate: Predicate; readonly bit: bigint};
type Relations = {readonly excluded: bigint; readonly implied: bigint};

/**
 * Most predicates of one operand that are compared with each other, most evaluations of known values, and the
 * largest set that may contain all values.
 */
const limits = {predicates: 64, evaluations: 512, setSize: 32} as const;

const unknownValues: ConditionValues = {satisfying: 1n, others: 1n, predicate: 0n};

/** The values of an operand, and which of them satisfy the conditions on it. */
export class OperandValues {
	/** The operand that this one is computed from, as in `lower(…)`. */
	readonly source: OperandValues | undefined;
	readonly #convert: ((value: string) => Bound | undefined) | undefined;
	readonly #domain: ValueDomain;
	readonly #requirements: Requirement[] = [];
	readonly #predicates = new Map<string, KnownPredicate>();
	readonly #relations = new Map<bigint, Relations>();
	readonly #valueKinds = new Set<ComparedKind>();
	#hasDependents = false;
	#divisions: Divisions | undefined | 'unknown' = 'unknown';

	/** `source`: the operand that this one is computed from, and how; undefined results are unknown. */
	constructor(
		domain: ValueDomain,
		source?: {readonly values: OperandValues; readonly convert: (value: string) => Bound | undefined},
	) {
		this.#domain = domain;
		this.source = source?.values;
		if (this.source) this.source.#hasDependents = true;
		this.#convert = source?.convert;
	}

	/** True if nothing limits its values, so that its only condition can be true and false. */
	get isUnconstrained(): boolean {
		if (this.#hasDependents || this.source || this.#requirements.length > 1) return false;
		const [requirement] = this.#requirements;
		if (requirement?.kind !== 'intervals') return this.#domain.absentLetters === undefined;
		const {intervals} = requirement;
		const isWhole = intervals.length === 0 || intervals.some(([from, to]) => !from && !to);
		const mayHoldAll = intervals.length > 1 && intervals.length <= limits.setSize;
		return !isWhole && !mayHoldAll && !this.#domain.intervals && !this.#domain.absentLetters;
	}

	/** Adds a condition; all are added before any is looked up. */
	add({valueKind, requirement}: ValueCondition): void {
		if (valueKind) this.#valueKinds.add(valueKind);
		this.#requirements.push(requirement);
		if (requirement.kind === 'predicate' && !this.#predicates.has(requirement.id)) {
			const bit = 1n << BigInt(this.#predicates.size);
			this.#predicates.set(requirement.id, {predicate: requirement, bit});
		}
	}

	/** Returns the values for which a condition that was added can be true, and can be false. */
	getConditionValues({requirement}: ValueCondition): ConditionValues {
		const divisions = this.#getDivisions();
		if (!divisions) return unknownValues;
		const {all, missing} = divisions;
		if (requirement.kind === 'intervals') {
			const inside = divisions.toSet(requirement.intervals) & all;
			const satisfying = requirement.isOutside ? all & ~inside & ~missing : inside;
			return {satisfying, others: all & ~satisfying, predicate: 0n};
		}
		const {always, never} = this.#evaluatePredicate(requirement, divisions);
		const open = all & ~always & ~never;
		return {
			satisfying: always | open,
			others: never | open,
			predicate: open === 0n ? 0n : (this.#predicates.get(requirement.id)?.bit ?? 0n),
		};
	}

	/** True if a value can satisfy all of some predicates and none of others. */
	canSatisfy(satisfied: bigint, unsatisfied: bigint): boolean {
		if ((satisfied & unsatisfied) !== 0n) return false;
		const all = satisfied | unsatisfied;
		if ((all & (all - 1n)) === 0n || this.#predicates.size > limits.predicates) return true;
		for (const known of this.#predicates.values()) {
			if ((satisfied & known.bit) === 0n) continue;
			const {excluded, implied} = this.#findRelations(known);
			if ((excluded & satisfied) !== 0n || (implied & unsatisfied) !== 0n) return false;
		}
		return true;
	}

	/** True if this operand can have one of these values while its source has one of `sourceValues`. */
	canBeComputedFrom(values: ValueSet, sourceValues: ValueSet): boolean {
		const divisions = this.#getDivisions();
		const sourceDivisions = this.source ? this.source.#getDivisions() : undefined;
		if (!divisions || !sourceDivisions) return true;
		if ((sourceValues & ~sourceDivisions.single & ~sourceDivisions.missing) !== 0n) return true;
		if ((sourceValues & sourceDivisions.missing) !== 0n && (values & divisions.missing) !== 0n) return true;
		return sourceDivisions.singleValues.some(([value, set]) => {
			if ((set & sourceValues) === 0n) return false;
			const converted = typeof value === 'string' ? this.#convert?.(value) : undefined;
			return converted === undefined || (divisions.findSet(converted) & values) !== 0n;
		});
	}

	#getDivisions(): Divisions | undefined {
		if (this.#divisions === 'unknown') {
			const [valueKind, ...otherKinds] = this.#valueKinds;
			this.#divisions =
				otherKinds.length > 0 ? undefined : Divisions.create(this.#requirements, valueKind, this.#domain);
		}
		return this.#divisions;
	}

	/** Returns the values that satisfy a predicate in any case, and those that never do. */
	#evaluatePredicate({shapes, isExact, evaluate}: Predicate, divisions: Divisions) {
		const {absentLetters} = this.#domain;
		if (absentLetters && shapes.some(({text, folded}) => !folded && absentLetters.test(text)))
			return {always: 0n, never: divisions.all};
		let [always, never] = [0n, divisions.missing];
		for (const [prefix, values] of divisions.prefixes) {
			const premise = {position: 'beginning', text: prefix, folded: false} as const;
			if (isExact && shapes.every(shape => isShapeImplied(premise, shape))) always |= values;
			if (shapes.some(shape => isShapeExcluded(premise, shape))) never |= values;
			if (shapes.some(shape => !shape.folded && shape.position === 'beginning' && shape.text === prefix))
				never |= divisions.all & ~values;
		}
		if (this.#predicates.size * divisions.singleValues.length <= limits.evaluations)
			for (const [value, set] of divisions.singleValues) {
				const result = evaluate(value);
				if (result === true) always |= set;
				if (result === false) never |= set;
			}
		return {always: always & divisions.all & ~never, never: never & divisions.all};
	}

	#findRelations({predicate: premise, bit: premiseBit}: KnownPredicate): Relations {
		const cached = this.#relations.get(premiseBit);
		if (cached) return cached;
		let [excluded, implied] = [0n, 0n];
		for (const {predicate, bit} of this.#predicates.values()) {
			if (bit === premiseBit) continue;
			const hasShape = (test: typeof isShapeImplied): boolean =>
				premise.shapes.some(one => predicate.shapes.some(other => test(one, other)));
			if (hasShape(isShapeExcluded)) excluded |= bit;
			if (predicate.isExact && hasShape(isShapeImplied)) implied |= bit;
		}
		const relations = {excluded, implied};
		this.#relations.set(premiseBit, relations);
		return relations;
	}
}
