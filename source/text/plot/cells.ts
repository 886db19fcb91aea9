import type {PlotRow, PlotSpan, PlotTone, SeriesTone} from './plot.ts';

/** A cell of a drawing. */
export type PlotCell = {readonly text: string; readonly tone: PlotTone; readonly background?: SeriesTone};

/** The cells of an area, row by row from the top. */
export type PlotCells = readonly (readonly PlotCell[])[];

export const blankCell: PlotCell = {text: ' ', tone: 'text'};

const seriesTones: SeriesTone[] = [];

/** Returns the tone of a series, the same object each time. */
export function getSeriesTone(series: number): SeriesTone {
	seriesTones[series] ??= {series};
	return seriesTones[series];
}

/** Joins cells to a row, with neighbors of equal style in one span. */
export function joinCells(cells: readonly PlotCell[]): PlotRow {
	const spans: PlotSpan[] = [];
	let lastCell: PlotCell | undefined;
	let text = '';
	const endSpan = () => {
		if (lastCell) spans.push({...lastCell, text});
	};
	for (const cell of cells) {
		if (lastCell && lastCell.tone === cell.tone && lastCell.background === cell.background) text += cell.text;
		else {
			endSpan();
			lastCell = cell;
			text = cell.text;
		}
	}
	endSpan();
	return spans;
}
