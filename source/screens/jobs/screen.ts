import {type ScreenDefinition, shownOf} from '../shell/screen.ts';
import {readJobs} from './actions.ts';
import {jobRows, visibleJobs} from './slice.ts';

export const jobsScreen: ScreenDefinition = {
	group: 'Jobs',
	path: before => [...before, 'jobs'],
	reload: readJobs,
	move: (state, by) => state.jobs.move(by),
	filter: {
		text: ({jobs: {data: jobs}}) => jobs.filter,
		narrow: (state, text) => state.jobs.filter(text),
		counts: state => shownOf(visibleJobs(state), jobRows(state)),
	},
};
