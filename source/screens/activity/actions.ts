import {actionsOf, copying, everywhere, filtering} from '../shell/action.ts';
import type {Action} from '../shell/app.ts';
import {type ScreenDefinition, shownOf} from '../shell/screen.ts';
import {selectedCall, visibleCalls} from './slice.ts';

export const goActivity: Action = everywhere('go.activity', ['A'], 'go to the API calls of this session', {
	words: ['activity', 'history', 'log', 'requests', 'api calls', 'audit', 'calls', 'curl'],
	run(app) {
		app.state().work.cancelReads();
		app.state().navigation.go('activity');
	},
});

const action = actionsOf('Calls', ['activity']);

export const activityActions: readonly Action[] = [
	action('activity.copy', ['y'], 'copy the curl line of the call', {
		words: ['curl', 'copy request'],
		hint: 'copy as curl',
		...copying(state => selectedCall(state)?.curl, 'there is no call here'),
	}),
	action('activity.filter', ['/'], 'show only the calls with a text in method, path or status', filtering),
];

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
