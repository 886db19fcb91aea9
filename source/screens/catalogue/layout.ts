import {fitBesideList, minListRows} from '../../components/layout.ts';
import type {Viewport} from '../shell/navigation-slice.ts';

/** Minimum columns of the terminal to show the details beside the list, not below it. */
const minWideColumns = 140;

/** Counts the rows above the list: the title if there is room, the search field, the column titles. */
export const countRowsAbove = (height: number): number => (height < minListRows + 2 ? 2 : 3);

const isWide = ({columns}: Pick<Viewport, 'columns'>): boolean => columns >= minWideColumns;

/** Computes the widths of the list and of the details beside it; 0 if they are below. */
export function computeCatalogueWidths({columns}: Pick<Viewport, 'columns'>): {
	readonly listWidth: number;
	readonly detailsWidth: number;
} {
	const detailsWidth = isWide({columns}) ? Math.floor(columns * 0.4) : 0;
	return {listWidth: columns - detailsWidth, detailsWidth};
}

/** Counts the rows of the details below the list; 0 if they are beside it or there is no room. */
export const countRowsBelow = (viewport: Pick<Viewport, 'columns'>, height: number): number =>
	isWide(viewport)
		? 0
		: Math.max(
				0,
				fitBesideList(Math.max(3, Math.floor(height * 0.4)) + 1, height - countRowsAbove(height) + 1, 4) - 1,
			);

/** Counts the rows of the list in a body of `height` rows. */
export function countListRows(viewport: Pick<Viewport, 'columns'>, height: number): number {
	const rowsBelow = countRowsBelow(viewport, height);
	return height - countRowsAbove(height) - (rowsBelow === 0 ? 0 : rowsBelow + 1);
}
