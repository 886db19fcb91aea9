/** Smallest terminal; below it ledge only says so. */
export const minSize = {columns: 60, rows: 15} as const;

export const isLargeEnough = ({columns, rows}: {readonly columns: number; readonly rows: number}): boolean =>
	columns >= minSize.columns && rows >= minSize.rows;

/** Rows of the header with the line below it. */
export const headerRows = 2;

/** Returns the rows for the body: without header, rule, status and keys. */
export const getBodyRows = (rows: number): number => rows - headerRows - 2;
