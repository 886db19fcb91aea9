import type {ScreenDefinition} from '../shell/screen.ts';
import {readJobs} from './actions.ts';

export const jobsScreen: ScreenDefinition = {
	group: 'Jobs',
	path: before => [...before, 'jobs'],
	reload: readJobs,
	move: (state, by) => state.moveInJobs(by),
};
