import {cutEnd} from '../../text/cut.ts';
import {formatInteger} from '../../text/figures.ts';

/** Maximum number of items that a dialog lists one by one, and of columns of each, to fit into 80 × 24. */
const [maxListed, maxColumns] = [5, 72];

/** Cuts a text to one line of a dialog. */
export const cutToLine = (text: string): string => cutEnd(text, maxColumns);

/** Shortens lines of a dialog to the first ones: "and 3 more". A single line more is shown itself. */
export const listFirst = (lines: readonly string[]): readonly string[] =>
	lines.length <= maxListed + 1
		? lines
		: [...lines.slice(0, maxListed), `and ${formatInteger(lines.length - maxListed)} more`];
