import {type Column, cellsOf, tableLine, titlesOf, widen, widthsOf} from '../../terminal/table.ts';
import type {CommandContext} from '../shell/context.ts';
import {HeldTexts} from './held-list.ts';

/** Separates cells; no cell contains it. */
const between = '\t';

/**
 * Buffers a table until all rows are known, because the widest cell sets a column's width. Memory use is
 * bounded.
 */
export class HeldTable<Row> {
	readonly #columns: readonly Column<Row>[];
	readonly #widths: number[];
	readonly #lines: HeldTexts;

	constructor(columns: readonly Column<Row>[], context: Pick<CommandContext, 'output' | 'env'>) {
		this.#columns = columns;
		this.#widths = widthsOf(columns);
		this.#lines = new HeldTexts(context);
		this.#hold(titlesOf(columns));
	}

	add(row: Row): void {
		const cells = cellsOf(this.#columns, row);
		widen(this.#widths, cells);
		this.#hold(cells);
	}

	async print(): Promise<void> {
		await this.#lines.print(line => tableLine(this.#columns, this.#widths, line.split(between)));
	}

	#hold(cells: readonly string[]): void {
		this.#lines.add(cells.join(between));
	}
}
