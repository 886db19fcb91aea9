import type {SkippedRows, ThreeWayRow} from './line-difference.ts';
import {getNumberedLine, type NumberedLines} from './lines.ts';

type Row = ThreeWayRow | SkippedRows;

const kinds = ['same', 'changed', 'removed', 'added', 'skipped'] as const;
const authors = ['nobody', 'stored', 'mine', 'both'] as const;

/** Numbers stored per row: its kind and author, then its two line numbers or the number of skipped rows. */
const numbersPerRow = 3;

/**
 * The rows of two texts side by side, unpacked on demand: a million row objects would make garbage collection
 * block the keyboard.
 */
export class PackedRows implements Iterable<Row> {
	readonly #before: NumberedLines;
	readonly #after: NumberedLines;
	readonly #numbers: number[] = [];
	#largestLine = 1;

	/** The texts that the rows refer to. */
	constructor(before: NumberedLines, after: NumberedLines) {
		this.#before = before;
		this.#after = after;
	}

	get length(): number {
		return this.#numbers.length / numbersPerRow;
	}

	get largestLineNumber(): number {
		return this.#largestLine;
	}

	push(row: Row): void {
		const isSkipped = row.kind === 'skipped';
		const left = isSkipped ? row.rowCount : (row.left?.number ?? 0);
		const right = isSkipped ? 0 : (row.right?.number ?? 0);
		const authorIndex = isSkipped ? 0 : authors.indexOf(row.changedBy);
		this.#numbers.push(kinds.indexOf(row.kind) * authors.length + authorIndex, left, right);
		if (!isSkipped) this.#largestLine = Math.max(this.#largestLine, left, right);
	}

	getKind(index: number): Row['kind'] | undefined {
		return kinds[Math.floor(this.#getNumber(index, 0) / authors.length)];
	}

	at(index: number): Row | undefined {
		const kind = this.getKind(index);
		if (kind === undefined) return undefined;
		if (kind === 'skipped') return {kind, rowCount: this.#getNumber(index, 1)};
		const changedBy = authors[this.#getNumber(index, 0) % authors.length] ?? 'nobody';
		const left = getNumberedLine(this.#before, this.#getNumber(index, 1));
		const right = getNumberedLine(this.#after, this.#getNumber(index, 2));
		if (kind === 'removed') return {kind, left, changedBy};
		if (kind === 'added') return {kind, right, changedBy};
		return {kind, left, right, changedBy};
	}

	*[Symbol.iterator](): Generator<Row> {
		for (let index = 0; index < this.length; index++) {
			const row = this.at(index);
			if (row) yield row;
		}
	}

	#getNumber(index: number, offset: number): number {
		return this.#numbers[index * numbersPerRow + offset] ?? Number.NaN;
	}
}
