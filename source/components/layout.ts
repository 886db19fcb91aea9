/**
 * Smallest terminal; below it ledge only says so. Above it every screen keeps a list or a text, one line of
 * status and one of keys. What gives way if there is little room, in this order: blank rows, what is below or
 * above a list (`fitBesideList`), the frame of popups and the screen behind them, columns of tables other
 * than names, the first parts of the path. Texts scroll, and say how many rows are hidden.
 */
export const minSize = {columns: 40, rows: 10} as const;

export const isLargeEnough = ({columns, rows}: {readonly columns: number; readonly rows: number}): boolean =>
	columns >= minSize.columns && rows >= minSize.rows;

/** Rows of the header with the line below it. */
export const headerRows = 2;

/** Returns the rows for the body: without header, rule, status and keys. */
export const getBodyRows = (rows: number): number => rows - headerRows - 2;

/** Minimum rows of a list with its column titles. */
export const minListRows = 5;

/**
 * Returns how many of the `desired` rows a list of `height` rows can give to something above or below it; 0
 * if that is less than `minimum`, which is too little to be useful.
 */
export function fitBesideList(desired: number, height: number, minimum = 3): number {
	const rows = Math.min(desired, height - minListRows);
	return rows < minimum ? 0 : rows;
}
