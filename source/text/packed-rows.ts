import type {SkippedRows, ThreeWayRow} from './line-difference.ts';
import {getNumberedLine, type NumberedLines} from './lines.ts';

type Row = ThreeWayRow | SkippedRows;

const kinds = ['same', 'changed', 'removed', 'added', 'skipped'] as const;
const sides = ['nobody', 'stored', 'mine', 'both'] as const;

/** Numbers stored per row: its kind, and its line numbers or the number of rows it stands for. */
const figuresPerRow = 3;

/**
 * The rows of two texts side by side, unpacked on demand: a million row objects would make garbage collection
 * block the keyboard.
 */
export class PackedRows implements Iterable<Row> {
	readonly #before: NumberedLines;
	readonly #after: NumberedLines;
	readonly #figures: number[] = [];
	#largest = 1;

	/** The texts that the rows refer to. */
	constructor(before: NumberedLines, after: NumberedLines) {
		this.#before = before;
		this.#after = after;
	}

	get length(): number {
		return this.#figures.length / figuresPerRow;
	}

	get largestLineNumber(): number {
		return this.#largest;
	}

	push(row: Row): void {
		const isSkipped = row.kind === 'skipped';
		const left = isSkipped ? row.rows : (row.left?.number ?? 0);
		const right = isSkipped ? 0 : (row.right?.number ?? 0);
		const side = isSkipped ? 0 : sides.indexOf(row.changedBy);
		this.#figures.push(kinds.indexOf(row.kind) * sides.length + side, left, right);
		if (!isSkipped) this.#largest = Math.max(this.#largest, left, right);
	}

	kind(index: number): Row['kind'] | undefined {
		return kinds[Math.floor(this.#getFigure(index, 0) / sides.length)];
	}

	at(index: number): Row | undefined {
		const kind = this.kind(index);
		if (kind === undefined) return undefined;
		if (kind === 'skipped') return {kind, rows: this.#getFigure(index, 1)};
		const changedBy = sides[this.#getFigure(index, 0) % sides.length] ?? 'nobody';
		const left = getNumberedLine(this.#before, this.#getFigure(index, 1));
		const right = getNumberedLine(this.#after, this.#getFigure(index, 2));
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

	#getFigure(index: number, offset: number): number {
		return this.#figures[index * figuresPerRow + offset] ?? Number.NaN;
	}
}
