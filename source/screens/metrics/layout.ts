import {panelNames} from '../../analytics/store-panels.ts';
import {getBodyRows} from '../../components/layout.ts';
import type {Viewport} from '../shell/navigation-slice.ts';

/** Minimum rows of a panel: heading and plot. */
const minPanelRows = 9;
/** Minimum columns to show two panels beside each other. */
const minWideColumns = 120;

type PanelPlaces = {
	/** The first visible panel, and how many are visible. */
	readonly first: number;
	readonly count: number;
	readonly across: number;
	/** Size of one panel. */
	readonly columns: number;
	readonly rows: number;
};

/** Computes which panels fit the terminal from panel `top` on, and their size. */
export function computePanelPlaces({columns, rows, isSpoken}: Viewport, top: number): PanelPlaces {
	const all = panelNames.length;
	const across = !isSpoken && columns >= minWideColumns ? 2 : 1;
	const height = getBodyRows(rows);
	const down = isSpoken ? 1 : Math.max(1, Math.min(all / across, Math.floor(height / minPanelRows)));
	const count = Math.min(all, across * down);
	return {
		first: Math.max(0, Math.min(top, all - count)),
		count,
		across,
		columns: Math.floor(columns / across),
		rows: Math.floor(height / down),
	};
}
