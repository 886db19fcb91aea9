import {forgetFilter} from '../list/screen.ts';
import {createActionFactory, defineGlobalAction, filterBehavior, withClipboardCopy} from '../shell/action.ts';
import type {Action} from '../shell/app.ts';
import {formatFilterCount, type ScreenDefinition} from '../shell/screen.ts';
import {getSelectedCall, listVisibleCalls} from './slice.ts';

export const goActivity: Action = defineGlobalAction(
	'go.activity',
	['9'],
	'go to the API calls of this session',
	{
		searchTerms: ['activity', 'history', 'log', 'requests', 'api calls', 'audit', 'calls', 'curl'],
		run(app) {
			app.state().work.cancelReads();
			app.state().navigation.go('activity');
		},
	},
);

const action = createActionFactory('Calls', ['activity']);

export const activityActions: readonly Action[] = [
	action('activity.copy', ['y'], 'copy the call as curl', {
		searchTerms: ['curl', 'copy request'],
		hint: 'copy as curl',
		...withClipboardCopy(state => getSelectedCall(state)?.curl, 'no call selected'),
	}),
	action('activity.filter', ['/'], 'filter calls by method, path or status', filterBehavior),
];

export const activityScreen: ScreenDefinition = {
	group: 'Calls',
	buildPath: before => [...before, 'activity'],
	move: (state, by) => state.activity.move(by),
	onOpen: ({activity}) => forgetFilter({filter: activity.filterText}, activity),
	filter: {
		getText: state => state.activity.filterText,
		setText: (state, text) => state.activity.filter(text),
		formatCounts: state => formatFilterCount(listVisibleCalls(state), state.activity.calls),
	},
};
