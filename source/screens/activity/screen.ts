import {type ScreenDefinition, shownOf} from '../shell/screen.ts';
import {visibleCalls} from './slice.ts';

export const activityScreen: ScreenDefinition = {
	group: 'Calls',
	path: before => [...before, 'activity'],
	move: (state, by) => state.activity.move(by),
	filter: {
		text: state => state.activity.filterText,
		narrow: (state, text) => state.activity.filter(text),
		counts: state => shownOf(visibleCalls(state), state.activity.calls),
	},
};
