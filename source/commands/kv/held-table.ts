import {type Column, cellsOf, tableLine, titlesOf, widen, widthsOf} from '../../terminal/table.ts';
import type {CommandContext} from '../shell/context.ts';
import {HeldTexts} from './held-list.ts';

/** What no cell has in it. */
const between = '\t';

/** A table that is printed once all of its rows are there, since the widest cell makes a column. Memory does not grow with them. */
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
