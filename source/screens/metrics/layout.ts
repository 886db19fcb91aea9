import {panelNames} from '../../analytics/store-panels.ts';
import {bodyRows} from '../../components/layout.ts';
import type {Viewport} from '../shell/navigation-slice.ts';

/** Rows that a panel has at least: its heading and a plot. */
const leastRows = 9;
/** From so many columns on two panels are beside each other. */
const wideColumns = 120;

type PanelPlaces = {
	/** The first panel in sight, and how many are. */
	readonly first: number;
	readonly count: number;
	readonly across: number;
	/** Of one panel. */
	readonly columns: number;
	readonly rows: number;
};

/** Where panels are on a terminal of this size, from a panel on as far as there are. */
export function panelsInSight({columns, rows, isSpoken}: Viewport, top: number): PanelPlaces {
	const all = panelNames.length;
	const across = !isSpoken && columns >= wideColumns ? 2 : 1;
	const height = bodyRows(rows);
	const down = isSpoken ? 1 : Math.max(1, Math.min(all / across, Math.floor(height / leastRows)));
	const count = Math.min(all, across * down);
	return {
		first: Math.max(0, Math.min(top, all - count)),
		count,
		across,
		columns: Math.floor(columns / across),
		rows: Math.floor(height / down),
	};
}
