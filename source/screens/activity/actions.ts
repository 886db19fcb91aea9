import type {Failure} from '../../failure.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {forgetFilter} from '../list/screen.ts';
import {
	createActionFactory,
	defineGlobalAction,
	filterBehavior,
	withClipboardCopy,
	withSelection,
} from '../shell/action.ts';
import type {Action} from '../shell/app.ts';
import {formatFilterCount, type ScreenDefinition} from '../shell/screen.ts';
import {findCallMatches, getSelectedCall, hasFailed, listVisibleCalls} from './slice.ts';

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

function getFailureOfSelectedCall(
	state: StateWith<'activity', 'calls' | 'filterText' | 'cursor'>,
): Failure | undefined {
	const call = getSelectedCall(state);
	return call && hasFailed(call) ? call.failure : undefined;
}

export const activityActions: readonly Action[] = [
	action('activity.copy', ['y'], 'copy the call as curl', {
		searchTerms: ['curl', 'copy request'],
		hint: 'copy as curl',
		...withClipboardCopy(state => getSelectedCall(state)?.curl, 'no call selected'),
	}),
	action('activity.explain', ['i'], 'explain why the call failed', {
		searchTerms: ['error', 'details', 'reason'],
		hint: 'why it failed',
		...withSelection(getFailureOfSelectedCall, 'this call did not fail', ({state}, failure) =>
			state().dialog.open({kind: 'failure', failure}),
		),
	}),
	action('activity.filter', ['/'], 'filter calls by method, path, status or "failed"', filterBehavior),
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
		hasSplitWords: state => findCallMatches(state).hasSplitWords,
	},
};
