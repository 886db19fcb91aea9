import type {Failure} from '../../failure.ts';
import type {WholeKey} from '../../kv/change/whole-key.ts';
import {Uint32List} from '../../kv/key-index/uint32-list.ts';
import type {KeysWork} from '../../kv/long-work.ts';
import type {Difference as KeyDifference} from '../../kv/transfer/difference.ts';
import type {DifferenceList} from '../../kv/transfer/difference-list.ts';
import type {JobTarget} from '../../state/job-record.ts';
import {holding} from '../../text/smart-case.ts';
import type {Difference} from '../review/difference.ts';

/** The side where the comparison started, and the other. */
export type CompareSide = 'one' | 'other';

export const otherSide = (side: CompareSide): CompareSide => (side === 'one' ? 'other' : 'one');

/** A compared store. Not escaped for the terminal. */
export type ComparedStore = {
	readonly title: string;
	readonly label: string;
	readonly target: JobTarget;
	/** False for a file. */
	readonly isWritable: boolean;
};

type ComparePhase =
	| {readonly name: 'comparing'}
	| {readonly name: 'done'}
	| {readonly name: 'stopped'}
	| {readonly name: 'failed'; readonly failure: Failure};

/** One key, read whole on both sides: a merge writes exactly what is shown. */
export type ComparedKey =
	| {readonly state: 'reading'; readonly key: string}
	| {
			readonly state: 'read';
			readonly key: string;
			readonly one: WholeKey | undefined;
			readonly other: WholeKey | undefined;
			/** `one` is on the left, `other` on the right. */
			readonly difference: Difference;
			readonly top: number;
	  };

type CompareCounts = Readonly<Record<KeyDifference['kind'] | 'same' | 'gone', number>>;

/** A comparison. `differences` grows in place; `revision` increments with it. */
export type CompareState = {
	/** Identifies the comparison within the session. */
	readonly number: number;
	readonly one: ComparedStore;
	readonly other: ComparedStore;
	/** The compared subset; undefined for all keys. */
	readonly keys: string | undefined;
	/** How to choose fewer keys. */
	readonly fewer: string;
	readonly work: KeysWork;
	readonly phase: ComparePhase;
	readonly counts: CompareCounts;
	/** The last compared key, in byte order: the progress. */
	readonly at: string;
	readonly differences: DifferenceList;
	readonly revision: number;
	/** Index among the filtered differences. */
	readonly cursor: number;
	readonly filter: string;
	/** Merged keys, and the side whose content both have now. */
	readonly merged: ReadonlyMap<string, CompareSide>;
	readonly detail: ComparedKey | undefined;
};

/** Maximum differences kept; further ones are only counted. */
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

export const comparedKeys = (counts: CompareCounts): number => counts.same + counts.gone + differing(counts);

type Listed = Pick<CompareState, 'differences' | 'filter'>;

/** The differences that match a filter, while the list does not grow. */
class VisibleDifferences {
	readonly filter: string;
	/** Number of differences that were filtered. */
	readonly of: number;
	readonly #differences: DifferenceList;
	/** Their numbers, ascending; undefined without a filter. */
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

	/** Returns the number, among all differences, of a row. */
	numberAt(row: number): number {
		return this.#numbers?.at(row) ?? row;
	}

	/** Returns the row of a difference; undefined if it is filtered out. */
	rowOf(number: number): number | undefined {
		const row = this.#numbers?.firstAtLeast(number) ?? number;
		return row < this.length && this.numberAt(row) === number ? row : undefined;
	}
}

const narrowed = new WeakMap<DifferenceList, VisibleDifferences>();

/** Returns the differences whose key matches the filter. */
export function visibleDifferences({differences, filter}: Listed): VisibleDifferences {
	const known = narrowed.get(differences);
	if (known?.filter === filter && known.of === differences.length) return known;
	const visible = new VisibleDifferences(differences, filter);
	narrowed.set(differences, visible);
	return visible;
}

/** Returns the row of the next difference that is not merged yet; the current row if there is none. */
export function nextOpen(state: Listed & Pick<CompareState, 'merged' | 'cursor'>): number {
	const shown = visibleDifferences(state);
	for (let at = state.cursor + 1; at < shown.length; at++)
		if (!state.merged.has(state.differences.keyAt(shown.numberAt(at)))) return at;
	return state.cursor;
}

export const differenceHere = (state: Listed & Pick<CompareState, 'cursor'>): KeyDifference | undefined =>
	visibleDifferences(state).at(state.cursor);
