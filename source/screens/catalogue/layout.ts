import type {Viewport} from '../shell/navigation-slice.ts';

/** Minimum columns of the terminal to show the details beside the list, not below it. */
const minWideColumns = 140;

/** Rows above the list: title, search field, column titles. */
export const rowsAbove = 3;

const isWide = ({columns}: Pick<Viewport, 'columns'>): boolean => columns >= minWideColumns;

/** Computes the widths of the list and of the details beside it; 0 if they are below. */
export function computeCatalogueWidths({columns}: Pick<Viewport, 'columns'>): {
	readonly listWidth: number;
	readonly detailsWidth: number;
} {
	const detailsWidth = isWide({columns}) ? Math.floor(columns * 0.4) : 0;
	return {listWidth: columns - detailsWidth, detailsWidth};
}

/** Counts the rows of the details below the list; 0 if they are beside it. */
export const countRowsBelow = (viewport: Pick<Viewport, 'columns'>, height: number): number =>
	isWide(viewport) ? 0 : Math.max(3, Math.floor(height * 0.4));

/** Counts the rows of the list in a body of `height` rows. */
export function countListRows(viewport: Pick<Viewport, 'columns'>, height: number): number {
	const rowsBelow = countRowsBelow(viewport, height);
	return height - rowsAbove - (rowsBelow === 0 ? 0 : rowsBelow + 1);
}
