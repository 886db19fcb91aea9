import {
	formatCells,
	formatTableLine,
	getTitles,
	measureTitles,
	type TextColumn,
	widenColumns,
} from '../../terminal/table.ts';
import type {CommandContext} from '../shell/context.ts';
import {BufferedTexts} from './buffered-list.ts';

/** Separates cells; no cell contains it. */
const cellSeparator = '\t';

/**
 * Buffers a table until all rows are known, because the widest cell sets a column's width. Beyond a few
 * megabytes, the rows are in a temporary file.
 */
export class BufferedTable<Row> {
	readonly #columns: readonly TextColumn<Row>[];
	readonly #widths: number[];
	readonly #lines: BufferedTexts;

	constructor(columns: readonly TextColumn<Row>[], context: Pick<CommandContext, 'output' | 'env'>) {
		this.#columns = columns;
		this.#widths = measureTitles(columns);
		this.#lines = new BufferedTexts(context);
		this.#bufferCells(getTitles(columns));
	}

	add(row: Row): void {
		const cells = formatCells(this.#columns, row);
		widenColumns(this.#widths, cells);
		this.#bufferCells(cells);
	}

	async print(): Promise<void> {
		await this.#lines.print(line => formatTableLine(this.#columns, this.#widths, line.split(cellSeparator)));
	}

	#bufferCells(cells: readonly string[]): void {
		this.#lines.add(cells.join(cellSeparator));
	}
}
