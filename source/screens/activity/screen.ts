import {type ScreenDefinition, shownOf} from '../shell/screen.ts';
import {visibleCalls} from './slice.ts';

export const activityScreen: ScreenDefinition = {
	group: 'Calls',
	path: before => [...before, 'activity'],
	move: (state, by) => state.moveInCalls(by),
	filter: {
		text: ({callFilter}) => callFilter,
		narrow: (state, text) => state.filterCalls(text),
		counts: state => shownOf(visibleCalls(state), state.calls),
	},
};
