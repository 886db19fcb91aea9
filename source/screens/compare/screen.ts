import {type ScreenDefinition, shownOf} from '../shell/screen.ts';
import {moveInComparison} from './actions.ts';
import {visibleDifferences} from './state.ts';

export const compareScreen: ScreenDefinition = {
	group: 'Compare',
	path: (before, {compare}) => [...before, 'compare', ...(compare ? [compare.other.title] : [])],
	reload: app => void app.state().compareAgain(),
	move: moveInComparison,
	filter: {
		text: ({compare}) => compare?.filter ?? '',
		narrow: (state, text) => state.filterCompare(text),
		counts: ({compare}) => (compare ? shownOf(visibleDifferences(compare), compare.differences) : ''),
	},
	// What was found until it was stopped stays in view.
	takeBack({state}, stopped) {
		if (stopped) return true;
		const {compare, filterCompare, leaveCompare} = state();
		if (compare?.detail === undefined && compare?.filter) {
			filterCompare('');
			return true;
		}
		return leaveCompare();
	},
};
