import {formatFilterCount, type ScreenDefinition} from '../shell/screen.ts';
import {moveComparison} from './actions.ts';
import {getVisibleDifferences} from './state.ts';

export const compareScreen: ScreenDefinition = {
	group: 'Compare',
	buildPath: (before, {compare: {data: compare}}) => [
		...before,
		'compare',
		...(compare ? [compare.other.title] : []),
	],
	reload: app => void app.state().compare.repeat(),
	move: moveComparison,
	filter: {
		getText: ({compare: {data: compare}}) => compare?.filter ?? '',
		setText: (state, text) => state.compare.filter(text),
		formatCounts: ({compare: {data: compare}}) =>
			compare ? formatFilterCount(getVisibleDifferences(compare), compare.differences) : '',
	},
	// If Esc has just stopped the comparison, its results stay on the screen.
	handleEscape({state}, hasStoppedReads) {
		if (hasStoppedReads) return true;
		const {data: compare, filter: filterCompare, leave: leaveCompare} = state().compare;
		if (compare?.detail === undefined && compare?.filter) {
			filterCompare('');
			return true;
		}
		return leaveCompare();
	},
};
