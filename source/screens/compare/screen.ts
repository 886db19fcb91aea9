import {type ScreenDefinition, shownOf} from '../shell/screen.ts';
import {moveInComparison} from './actions.ts';
import {visibleDifferences} from './state.ts';

export const compareScreen: ScreenDefinition = {
	group: 'Compare',
	path: (before, {compare: {data: compare}}) => [
		...before,
		'compare',
		...(compare ? [compare.other.title] : []),
	],
	reload: app => void app.state().compare.repeat(),
	move: moveInComparison,
	filter: {
		text: ({compare: {data: compare}}) => compare?.filter ?? '',
		narrow: (state, text) => state.compare.filter(text),
		counts: ({compare: {data: compare}}) =>
			compare ? shownOf(visibleDifferences(compare), compare.differences) : '',
	},
	// Stopping keeps the results in view.
	takeBack({state}, stopped) {
		if (stopped) return true;
		const {data: compare, filter: filterCompare, leave: leaveCompare} = state().compare;
		if (compare?.detail === undefined && compare?.filter) {
			filterCompare('');
			return true;
		}
		return leaveCompare();
	},
};
