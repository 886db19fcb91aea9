import type {ScreenDefinition} from '../shell/screen.ts';
import {moveInComparison} from './actions.ts';

export const compareScreen: ScreenDefinition = {
	group: 'Compare',
	path: (before, {compare}) => [...before, 'compare', ...(compare ? [compare.other.title] : [])],
	reload: app => void app.state().compareAgain(),
	move: moveInComparison,
	// What was found until it was stopped stays in view.
	takeBack: ({state}, stopped) => stopped || state().leaveCompare(),
};
