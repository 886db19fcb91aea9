import type {LedgeState} from '../../store/ledge-store.ts';
import type {Action} from './app.ts';

/** Last scroll position, and rows visible at once. */
type Extent = {readonly lastTop: number; readonly visibleRows: number};

/** How one thing scrolls. `getTop` returns its scroll position; undefined if it is not shown. */
type Scrolling = {
	getExtent(state: LedgeState): Extent;
	getTop(state: LedgeState): number | undefined;
	scroll(state: LedgeState, distance: number, lastTop: number): void;
};

/** Returns the rows of a page, given the visible rows: one stays in view. */
export const countTextPageRows = (visibleRows: number): number => Math.max(1, visibleRows - 1);

/** Rows to scroll by, given the visible rows. */
const distances = {
	'page down': countTextPageRows,
	'page up': visibleRows => -countTextPageRows(visibleRows),
	'line down': () => 1,
	'line up': () => -1,
	first: () => Number.NEGATIVE_INFINITY,
	last: () => Number.POSITIVE_INFINITY,
} satisfies Record<string, (visibleRows: number) => number>;

/**
 * Creates the actions that scroll one thing; unavailable if all of it is visible. At its end, their hints are
 * left out.
 */
export const createScrollActions =
	(
		{id: idPrefix, ...common}: Pick<Action, 'id' | 'group' | 'where' | 'isActive'>,
		{getExtent, getTop, scroll}: Scrolling,
	) =>
	(
		id: string,
		keys: Action['keys'],
		title: string,
		distance: keyof typeof distances,
		hint?: string,
	): Action => ({
		id: `${idPrefix}.${id}`,
		keys,
		title,
		...(hint !== undefined && {hint}),
		isMove: true,
		...common,
		getHintPlace: state => ((getTop(state) ?? 0) < getExtent(state).lastTop ? undefined : 'none'),
		getUnavailableReason: state => (getExtent(state).lastTop > 0 ? undefined : 'nothing to scroll'),
		run({state}) {
			const {lastTop, visibleRows} = getExtent(state());
			scroll(state(), distances[distance](visibleRows), lastTop);
		},
	});
