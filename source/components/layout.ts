/** Rows of a screen that are left for its body: without header, rule, status and keys. */
export const bodyRows = (rows: number): number => rows - 4;
