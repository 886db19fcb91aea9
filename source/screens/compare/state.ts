import type {Failure} from '../../failure.ts';
import type {WholeKey} from '../../kv/change/whole-key.ts';
import {createKeyNameFilter} from '../../kv/key-index/key-filter.ts';
import {Uint32List} from '../../kv/key-index/uint32-list.ts';
import type {KeysWork} from '../../kv/long-work.ts';
import type {KeyDifference} from '../../kv/transfer/difference.ts';
import type {DifferenceList} from '../../kv/transfer/difference-list.ts';
import type {JobTarget} from '../../state/job-record.ts';
import type {Difference} from '../review/difference.ts';

/** `one` is the store where the comparison started, shown on the left; `other` is shown on the right. */
export type CompareSide = 'one' | 'other';

export const getOppositeSide = (side: CompareSide): CompareSide => (side === 'one' ? 'other' : 'one');

/**
 * A compared store. `title` is short, for columns; `label` includes the account or folder. Not escaped for
 * the terminal.
 */
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

/** A key of both sides, read completely so that a merge writes exactly what is shown. */
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

/** Counts of keys; `gone`: listed, but not found when read. */
type CompareCounts = Readonly<Record<KeyDifference['kind'] | 'same' | 'gone', number>>;

/** A comparison. `differences` grows in place; `revision` increments with it. */
export type CompareState = {
	/** Identifies the comparison within the session. */
	readonly comparisonNumber: number;
	readonly one: ComparedStore;
	readonly other: ComparedStore;
	/** The compared subset; undefined for all keys. */
	readonly keySubset: string | undefined;
	/** How to choose fewer keys. */
	readonly narrowingAdvice: string;
	/** For estimates of the duration. */
	readonly work: KeysWork;
	readonly phase: ComparePhase;
	readonly counts: CompareCounts;
	/** The last compared key. Keys are compared in byte order, so it shows the progress. */
	readonly lastKey: string;
	readonly differences: DifferenceList;
	readonly revision: number;
	/** Index among the filtered differences. */
	readonly cursor: number;
	readonly filter: string;
	/** Merged keys, and the side whose content both have now. */
	readonly merged: ReadonlyMap<string, CompareSide>;
	readonly detail: ComparedKey | undefined;
};

/** Maximum differences listed. Further ones are only counted. */
export const maxDifferences = 100_000;

export const zeroCounts: CompareCounts = {
	same: 0,
	gone: 0,
	'only in one': 0,
	'only in other': 0,
	differs: 0,
};

export const countDiffering = (counts: CompareCounts): number =>
	counts['only in one'] + counts['only in other'] + counts.differs;

export const countComparedKeys = (counts: CompareCounts): number =>
	counts.same + counts.gone + countDiffering(counts);

type FilteredList = Pick<CompareState, 'differences' | 'filter'>;

/** The differences that match a filter. Valid until the list grows. */
class VisibleDifferences {
	readonly filter: string;
	/** Number of all differences, matching or not, when the filter was applied. */
	readonly unfilteredCount: number;
	readonly #differences: DifferenceList;
	/** Indexes of the matching differences, ascending; undefined without a filter. */
	readonly #matchingIndexes: Uint32List | undefined;

	constructor(differences: DifferenceList, filter: string) {
		this.filter = filter;
		this.unfilteredCount = differences.length;
		this.#differences = differences;
		if (filter === '') return;
		const isMatch = createKeyNameFilter(filter);
		this.#matchingIndexes = new Uint32List();
		for (let index = 0; index < this.unfilteredCount; index++)
			if (isMatch(differences.getKey(index))) this.#matchingIndexes.push(index);
	}

	get length(): number {
		return this.#matchingIndexes?.length ?? this.unfilteredCount;
	}

	at(row: number): KeyDifference | undefined {
		return row < this.length ? this.#differences.at(this.getIndex(row)) : undefined;
	}

	/** Returns the index of a row among all differences. */
	getIndex(row: number): number {
		return this.#matchingIndexes?.at(row) ?? row;
	}

	/** Returns the row of the difference with an index; undefined if it is filtered out. */
	findRow(index: number): number | undefined {
		const row = this.#matchingIndexes?.findFirstAtLeast(index) ?? index;
		return row < this.length && this.getIndex(row) === index ? row : undefined;
	}
}

const visibleCache = new WeakMap<DifferenceList, VisibleDifferences>();

/** Returns the differences whose key matches the filter. */
export function getVisibleDifferences({differences, filter}: FilteredList): VisibleDifferences {
	const cached = visibleCache.get(differences);
	if (cached?.filter === filter && cached.unfilteredCount === differences.length) return cached;
	const visibleDifferences = new VisibleDifferences(differences, filter);
	visibleCache.set(differences, visibleDifferences);
	return visibleDifferences;
}

export const getCurrentDifference = (
	state: FilteredList & Pick<CompareState, 'cursor'>,
): KeyDifference | undefined => getVisibleDifferences(state).at(state.cursor);
