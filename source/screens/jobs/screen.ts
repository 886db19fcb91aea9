import {type ScreenDefinition, shownOf} from '../shell/screen.ts';
import {readJobs} from './actions.ts';
import {jobRows, visibleJobs} from './slice.ts';

export const jobsScreen: ScreenDefinition = {
	group: 'Jobs',
	path: before => [...before, 'jobs'],
	reload: readJobs,
	move: (state, by) => state.moveInJobs(by),
	filter: {
		text: ({jobs}) => jobs.filter,
		narrow: (state, text) => state.filterJobs(text),
		counts: state => shownOf(visibleJobs(state), jobRows(state)),
	},
};
