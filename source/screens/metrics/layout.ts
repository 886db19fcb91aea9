import {panelNames} from '../../analytics/store-panels.ts';
import {getBodyRows} from '../../components/layout.ts';
import type {Viewport} from '../shell/navigation-slice.ts';

/** Minimum rows of a panel: heading and plot. */
const minPanelRows = 9;
/** Minimum columns to show two panels side by side. */
const minWideColumns = 120;

type PanelLayout = {
	/** Index of the first visible panel. */
	readonly firstIndex: number;
	/** Number of visible panels. */
	readonly count: number;
	readonly panelsAcross: number;
	/** Size of one panel. */
	readonly columns: number;
	readonly rows: number;
};

/** Computes which panels fit the terminal from panel `top` on, and their size. */
export function computePanelLayout({columns, rows, isSpoken}: Viewport, top: number): PanelLayout {
	const panelCount = panelNames.length;
	const panelsAcross = !isSpoken && columns >= minWideColumns ? 2 : 1;
	const height = getBodyRows(rows);
	const panelsDown = isSpoken
		? 1
		: Math.max(1, Math.min(panelCount / panelsAcross, Math.floor(height / minPanelRows)));
	const count = Math.min(panelCount, panelsAcross * panelsDown);
	return {
		firstIndex: Math.max(0, Math.min(top, panelCount - count)),
		count,
		panelsAcross,
		columns: Math.floor(columns / panelsAcross),
		rows: Math.floor(height / panelsDown),
	};
}
