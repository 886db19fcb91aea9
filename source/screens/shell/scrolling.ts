import type {LedgeState} from '../../store/ledge-store.ts';
import type {Action} from './app.ts';

/** Last scroll position, and rows visible at once. */
type Extent = {readonly lastTop: number; readonly visibleRows: number};

/** Rows to scroll by, given the visible rows. */
type Distance = (visibleRows: number) => number;

export const pageDown: Distance = visibleRows => Math.max(1, visibleRows - 1);
export const pageUp: Distance = visibleRows => -pageDown(visibleRows);
export const lineDown: Distance = () => 1;
export const lineUp: Distance = () => -1;
export const toFirst: Distance = () => Number.NEGATIVE_INFINITY;
export const toLast: Distance = () => Number.POSITIVE_INFINITY;

/** Creates the actions that scroll one thing; unavailable if all of it is visible. */
export const createScrollActions =
	(
		{id: idPrefix, ...common}: Pick<Action, 'id' | 'group' | 'where' | 'isActive'>,
		getExtent: (state: LedgeState) => Extent,
		scroll: (state: LedgeState, distance: number, lastTop: number) => void,
	) =>
	(id: string, keys: Action['keys'], title: string, getDistance: Distance, hint?: string): Action => ({
		id: `${idPrefix}.${id}`,
		keys,
		title,
		...(hint !== undefined && {hint}),
		isMove: true,
		...common,
		getUnavailableReason: state => (getExtent(state).lastTop > 0 ? undefined : 'nothing to scroll'),
		run({state}) {
			const {lastTop, visibleRows} = getExtent(state());
			scroll(state(), getDistance(visibleRows), lastTop);
		},
	});
