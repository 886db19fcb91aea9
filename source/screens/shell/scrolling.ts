import type {LedgeState} from '../../store/ledge-store.ts';
import type {Action} from './app.ts';

/** How far something can be scrolled, and how much of it is in sight. */
type Extent = {readonly last: number; readonly room: number};

/** By how many rows, where so many are in sight. */
type Distance = (room: number) => number;

export const pageDown: Distance = room => Math.max(1, room - 1);
export const pageUp: Distance = room => -pageDown(room);
export const lineDown: Distance = () => 1;
export const lineUp: Distance = () => -1;
export const toFirst: Distance = () => Number.NEGATIVE_INFINITY;
export const toLast: Distance = () => Number.POSITIVE_INFINITY;

/** Makes the keys that scroll one thing; what is in sight as a whole cannot be scrolled. */
export const scrollActions =
	(
		{id: about, ...common}: Pick<Action, 'id' | 'group' | 'where' | 'isHere'>,
		extentOf: (state: LedgeState) => Extent,
		scroll: (state: LedgeState, by: number, last: number) => void,
	) =>
	(id: string, keys: Action['keys'], title: string, by: Distance, hint?: string): Action => ({
		id: `${about}.${id}`,
		keys,
		title,
		...(hint !== undefined && {hint}),
		isMove: true,
		...common,
		unavailable: state => (extentOf(state).last > 0 ? undefined : 'all of it is in sight'),
		run({state}) {
			const {last, room} = extentOf(state());
			scroll(state(), by(room), last);
		},
	});
