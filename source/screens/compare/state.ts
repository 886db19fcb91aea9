import type {Failure} from '../../failure.ts';
import type {WholeKey} from '../../kv/change/whole-key.ts';
import {Uint32List} from '../../kv/key-index/uint32-list.ts';
import type {KeysWork} from '../../kv/long-work.ts';
import type {Difference as KeyDifference} from '../../kv/transfer/difference.ts';
import type {DifferenceList} from '../../kv/transfer/difference-list.ts';
import type {JobTarget} from '../../state/job-record.ts';
import {holding} from '../../text/smart-case.ts';
import type {Difference} from '../review/difference.ts';

/** The two stores of a comparison: the one it was begun from, and the other. */
export type CompareSide = 'one' | 'other';

export const otherSide = (side: CompareSide): CompareSide => (side === 'one' ? 'other' : 'one');

/** A store of a comparison, as it is called on the screen. Data as it is. */
export type ComparedStore = {
	readonly title: string;
	readonly label: string;
	readonly target: JobTarget;
	/** Whether it can be written to: a file cannot. */
	readonly isWritable: boolean;
};

type ComparePhase =
	| {readonly name: 'comparing'}
	| {readonly name: 'done'}
	| {readonly name: 'stopped'}
	| {readonly name: 'failed'; readonly failure: Failure};

/** One key on both sides, read whole: what is merged is what was seen here. */
export type ComparedKey =
	| {readonly state: 'reading'; readonly key: string}
	| {
			readonly state: 'read';
			readonly key: string;
			readonly one: WholeKey | undefined;
			readonly other: WholeKey | undefined;
			/** `one` stands left, `other` right. */
			readonly difference: Difference;
			readonly top: number;
	  };

type CompareCounts = Readonly<Record<KeyDifference['kind'] | 'same' | 'gone', number>>;

/** Two namespaces side by side. `differences` grows in place; `revision` changes with it. */
export type CompareState = {
	/** Tells it from an earlier one. */
	readonly number: number;
	readonly one: ComparedStore;
	readonly other: ComparedStore;
	/** Which keys are compared, where not all of them. */
	readonly keys: string | undefined;
	/** What takes less time than these keys. */
	readonly fewer: string;
	/** What is read of both stores. */
	readonly work: KeysWork;
	readonly phase: ComparePhase;
	readonly counts: CompareCounts;
	/** The last key that was looked at, in the order of the keys' bytes: how far it is. */
	readonly at: string;
	readonly differences: DifferenceList;
	readonly revision: number;
	/** Among the differences that the filter leaves. */
	readonly cursor: number;
	/** What the keys are narrowed by. */
	readonly filter: string;
	/** Of keys that are the same by now: whose content both have. */
	readonly merged: ReadonlyMap<string, CompareSide>;
	readonly detail: ComparedKey | undefined;
};

/** Differences that are kept to be walked through; beyond them they are counted only. */
export const mostDifferences = 100_000;

export const noDifferences: CompareCounts = {
	same: 0,
	gone: 0,
	'only in one': 0,
	'only in other': 0,
	differs: 0,
};

export const differing = (counts: CompareCounts): number =>
	counts['only in one'] + counts['only in other'] + counts.differs;

/** Keys that were looked at. */
export const comparedKeys = (counts: CompareCounts): number => counts.same + counts.gone + differing(counts);

type Listed = Pick<CompareState, 'differences' | 'filter'>;

/** The differences that a filter left, while no others came. */
class VisibleDifferences {
	readonly filter: string;
	/** How many there were to be looked at. */
	readonly of: number;
	readonly #differences: DifferenceList;
	/** Their numbers, ascending; all of them where there is no filter. */
	readonly #numbers: Uint32List | undefined;

	constructor(differences: DifferenceList, filter: string) {
		this.filter = filter;
		this.of = differences.length;
		this.#differences = differences;
		if (filter === '') return;
		const isMatch = holding(filter);
		this.#numbers = new Uint32List();
		for (let number = 0; number < this.of; number++)
			if (isMatch(differences.keyAt(number))) this.#numbers.push(number);
	}

	get length(): number {
		return this.#numbers?.length ?? this.of;
	}

	at(row: number): KeyDifference | undefined {
		return row < this.length ? this.#differences.at(this.numberAt(row)) : undefined;
	}

	/** Which of all differences is in a row. */
	numberAt(row: number): number {
		return this.#numbers?.at(row) ?? row;
	}

	/** The row of a difference; `undefined` where the filter left it out. */
	rowOf(number: number): number | undefined {
		const row = this.#numbers?.firstAtLeast(number) ?? number;
		return row < this.length && this.numberAt(row) === number ? row : undefined;
	}
}

const narrowed = new WeakMap<DifferenceList, VisibleDifferences>();

/** The differences that the filter leaves: by the name of the key. */
export function visibleDifferences({differences, filter}: Listed): VisibleDifferences {
	const known = narrowed.get(differences);
	if (known?.filter === filter && known.of === differences.length) return known;
	const visible = new VisibleDifferences(differences, filter);
	narrowed.set(differences, visible);
	return visible;
}

/** Where the cursor goes after a merge: the next difference that is not merged yet; behind the last one it stays. */
export function nextOpen(state: Listed & Pick<CompareState, 'merged' | 'cursor'>): number {
	const shown = visibleDifferences(state);
	for (let at = state.cursor + 1; at < shown.length; at++)
		if (!state.merged.has(state.differences.keyAt(shown.numberAt(at)))) return at;
	return state.cursor;
}

/** The difference that the cursor is on. */
export const differenceHere = (state: Listed & Pick<CompareState, 'cursor'>): KeyDifference | undefined =>
	visibleDifferences(state).at(state.cursor);
