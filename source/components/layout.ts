/** Below this ledge says so, and neither draws nor does anything else. */
export const leastSize = {columns: 60, rows: 15} as const;

export const fits = ({columns, rows}: {readonly columns: number; readonly rows: number}): boolean =>
	columns >= leastSize.columns && rows >= leastSize.rows;

/** Rows of a screen that are left for its body: without header, rule, status and keys. */
export const bodyRows = (rows: number): number => rows - 4;
