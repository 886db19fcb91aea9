import type {ScreenDefinition} from '../shell/screen.ts';

export const activityScreen: ScreenDefinition = {
	group: 'Calls',
	path: before => [...before, 'activity'],
	move: (state, by) => state.moveInCalls(by),
};
