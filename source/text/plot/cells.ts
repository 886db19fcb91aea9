import type {PlotRow, SeriesTone, Span, Tone} from './plot.ts';

/** A cell of a drawing. */
export type Cell = {readonly text: string; readonly tone: Tone; readonly behind?: SeriesTone};

/** The cells of an area, row by row from the top. */
export type Cells = readonly (readonly Cell[])[];

export const blankCell: Cell = {text: ' ', tone: 'text'};

const tones: SeriesTone[] = [];

/** Returns the tone of a series, the same object each time. */
export function seriesTone(series: number): SeriesTone {
	tones[series] ??= {series};
	return tones[series];
}

/** Joins cells to a row, with neighbors of equal style in one span. */
export function joined(cells: readonly Cell[]): PlotRow {
	const spans: Span[] = [];
	let last: Cell | undefined;
	let text = '';
	const end = () => {
		if (last) spans.push({...last, text});
	};
	for (const cell of cells) {
		if (last && last.tone === cell.tone && last.behind === cell.behind) text += cell.text;
		else {
			end();
			last = cell;
			text = cell.text;
		}
	}
	end();
	return spans;
}
