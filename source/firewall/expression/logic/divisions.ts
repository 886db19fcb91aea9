import {
	addressCount,
	type Bound,
	type ComparedKind,
	getSuccessor,
	type Interval,
	type Requirement,
	spanPrefix,
} from './conditions.ts';

/** A set of values: bit `i` is a division, and the last bit that there is no value. */
export type ValueSet = bigint;

/** What is known about the values of an operand. */
export type ValueDomain = {
	readonly mayBeMissing: boolean;
	/** The only values it has; all of its kind if undefined. */
	readonly intervals?: readonly Interval[] | undefined;
	/** Letters that no value contains. */
	readonly absentLetters?: RegExp | undefined;
};

/** Most bounds of one operand. */
const maxBounds = 1024;

/** The values of an operand, divided at the bounds of all conditions on it. */
export class Divisions {
	readonly all: ValueSet;
	readonly missing: ValueSet;
	/** All divisions that have one value. */
	readonly single: ValueSet;
	/** The values of those, with their sets. */
	readonly singleValues: readonly (readonly [value: Bound, set: ValueSet])[];
	/** Beginnings of texts, with the values that have them. */
	readonly prefixes: readonly (readonly [prefix: string, values: ValueSet])[];
	readonly #bounds: readonly Bound[];
	readonly #indexes: ReadonlyMap<Bound, number>;

	/** Returns undefined if there are too many. */
	static create(
		requirements: readonly Requirement[],
		valueKind: ComparedKind | undefined,
		domain: ValueDomain,
	): Divisions | undefined {
		const intervals = requirements.flatMap(listIntervals);
		const domainIntervals = domain.intervals ?? [getWholeInterval(valueKind)];
		const bounds = new Set<Bound>();
		for (const bound of [...intervals, ...domainIntervals].flat()) if (bound !== undefined) bounds.add(bound);
		return bounds.size > maxBounds
			? undefined
			: new Divisions([...bounds].sort(compareBounds), intervals, domainIntervals, domain);
	}

	private constructor(
		bounds: readonly Bound[],
		intervals: readonly Interval[],
		domainIntervals: readonly Interval[],
		{mayBeMissing, absentLetters}: ValueDomain,
	) {
		this.#bounds = bounds;
		this.#indexes = new Map(bounds.map((bound, index) => [bound, index + 1]));
		this.missing = mayBeMissing ? 1n << BigInt(bounds.length + 1) : 0n;
		this.singleValues = bounds.flatMap((bound, index) =>
			bounds[index + 1] === getSuccessor(bound) ? [[bound, 1n << BigInt(index + 1)] as const] : [],
		);
		this.single = this.singleValues.reduce((union, [, set]) => union | set, 0n);
		this.prefixes = intervals.flatMap(interval => {
			const [prefix] = interval;
			return typeof prefix === 'string' && prefix !== '' && spanPrefix(prefix)[1] === interval[1]
				? [[prefix, this.toSet([interval])] as const]
				: [];
		});
		const absent = absentLetters
			? [...this.singleValues, ...this.prefixes].filter(([text]) => absentLetters.test(String(text)))
			: [];
		const possible = this.toSet(domainIntervals) | this.missing;
		this.all = absent.reduce((rest, [, set]) => rest & ~set, possible);
	}

	/** Returns the values in some intervals, all bounds of which are known. */
	toSet(intervals: readonly Interval[]): ValueSet {
		let set = 0n;
		for (const [from, to] of intervals) {
			const start = from === undefined ? 0 : (this.#indexes.get(from) ?? 0);
			const end = to === undefined ? this.#bounds.length + 1 : (this.#indexes.get(to) ?? 0);
			set |= (1n << BigInt(end)) - (1n << BigInt(start));
		}
		return set;
	}

	/** Returns the division that contains a value. */
	findSet(value: Bound): ValueSet {
		const index = this.#bounds.findIndex(bound => compareBounds(bound, value) > 0);
		return 1n << BigInt(index < 0 ? this.#bounds.length : index);
	}
}

/** Lists the intervals that a requirement names, and those of the beginnings that it needs. */
const listIntervals = (requirement: Requirement): readonly Interval[] =>
	requirement.kind === 'intervals'
		? requirement.intervals
		: requirement.shapes.flatMap(({position, text, folded}) =>
				position === 'beginning' && !folded ? [spanPrefix(text)] : [],
			);

function getWholeInterval(valueKind: ComparedKind | undefined): Interval {
	switch (valueKind) {
		case 'text':
			return ['', undefined];
		case 'address':
			return [0n, addressCount];
		case 'boolean':
			return [0n, 2n];
		default:
			return [undefined, undefined];
	}
}

/** Compares two bounds of the same kind. */
const compareBounds = (one: Bound, other: Bound): number => (one < other ? -1 : one > other ? 1 : 0);
