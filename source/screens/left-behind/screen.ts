import {onZone, type ScreenDefinition, shownOf} from '../shell/screen.ts';
import {readLeftBehind} from './actions.ts';
import {visibleItems} from './slice.ts';

export const leftBehindScreen: ScreenDefinition = {
	group: 'Left behind by the migration',
	called: 'what was left behind',
	path: before => [...before, 'left behind'],
	actsOn: (_before, {leftBehind: {data: leftBehind}}) => onZone(leftBehind?.zone),
	reload: readLeftBehind,
	move: (state, by) => state.leftBehind.move(by),
	filter: {
		text: ({leftBehind: {data: leftBehind}}) => leftBehind?.filter ?? '',
		narrow: (state, text) => state.leftBehind.filter(text),
		counts: ({leftBehind: {data: leftBehind}}) =>
			leftBehind ? shownOf(visibleItems(leftBehind), leftBehind.rows) : '',
	},
};
