import {onZone, type ScreenDefinition, shownOf} from '../shell/screen.ts';
import {readLeftBehind} from './actions.ts';
import {visibleItems} from './slice.ts';

export const leftBehindScreen: ScreenDefinition = {
	group: 'Left behind by the migration',
	called: 'what was left behind',
	path: before => [...before, 'left behind'],
	actsOn: (_before, {leftBehind}) => onZone(leftBehind?.zone),
	reload: readLeftBehind,
	move: (state, by) => state.moveInLeftBehind(by),
	filter: {
		text: ({leftBehind}) => leftBehind?.filter ?? '',
		narrow: (state, text) => state.filterLeftBehind(text),
		counts: ({leftBehind}) => (leftBehind ? shownOf(visibleItems(leftBehind), leftBehind.rows) : ''),
	},
};
