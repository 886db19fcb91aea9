import type {Action} from '../shell/action.ts';

export const goActivity: Action = {
	id: 'go.activity',
	keys: ['A'],
	title: 'go to the calls of this session',
	words: ['activity', 'history', 'log', 'requests'],
	group: 'Everywhere',
	where: 'everywhere',
	run(app) {
		app.state().cancelReads();
		app.state().go('activity');
	},
};

export const activityActions: readonly Action[] = [
	{
		id: 'activity.copy',
		keys: ['y'],
		title: 'copy the curl line of the call',
		hint: 'copy as curl',
		group: 'Calls',
		where: ['activity'],
		unavailable: ({calls}) => (calls.length === 0 ? 'there is no call yet' : undefined),
		run(app) {
			const {calls, callCursor, say} = app.state();
			const call = calls[callCursor];
			if (call) say(app.terminal.copy(call.curl));
		},
	},
];
