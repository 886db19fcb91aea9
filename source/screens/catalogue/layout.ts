import type {Viewport} from '../shell/navigation-slice.ts';

/** Columns from which on the rule under the cursor is shown beside the list and not below it. */
const leastWide = 140;

/** Rows above the list: the question, the search, the titles of the columns. */
export const rowsAbove = 3;

const isWide = ({columns}: Pick<Viewport, 'columns'>): boolean => columns >= leastWide;

/** Columns of the list, and of what is beside it: 0 where that is below it. */
export function widths({columns}: Pick<Viewport, 'columns'>): {
	readonly list: number;
	readonly beside: number;
} {
	const beside = isWide({columns}) ? Math.floor(columns * 0.4) : 0;
	return {list: columns - beside, beside};
}

/** Rows of the rule under the cursor below the list; 0 where it is beside it. */
export const rowsBelow = (viewport: Pick<Viewport, 'columns'>, height: number): number =>
	isWide(viewport) ? 0 : Math.max(3, Math.floor(height * 0.4));

/** Rows of the list in a body so high. */
export function listRows(viewport: Pick<Viewport, 'columns'>, height: number): number {
	const below = rowsBelow(viewport, height);
	return height - rowsAbove - (below === 0 ? 0 : below + 1);
}
