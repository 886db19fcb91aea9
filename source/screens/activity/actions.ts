import {type Action, actionsOf, copying, everywhere} from '../shell/action.ts';

export const goActivity: Action = everywhere('go.activity', ['A'], 'go to the calls of this session', {
	words: ['activity', 'history', 'log', 'requests'],
	run(app) {
		app.state().cancelReads();
		app.state().go('activity');
	},
});

export const activityActions: readonly Action[] = [
	actionsOf('Calls', ['activity'])('activity.copy', ['y'], 'copy the curl line of the call', {
		hint: 'copy as curl',
		...copying(({calls, callCursor}) => calls[callCursor]?.curl, 'there is no call yet'),
	}),
];
