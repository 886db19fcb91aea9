import {createListScreen} from '../list/screen.ts';
import type {ScreenDefinition} from '../shell/screen.ts';
import {leaveSearch, repeatSearch} from './actions.ts';
import {hitList} from './state.ts';

export const searchScreen: ScreenDefinition = createListScreen(hitList, {
	label: 'the hits of a search',
	buildPath: (before, {search: {data}}) => [...before, 'search', ...(data ? [data.request.pattern] : [])],
	reload: repeatSearch,
	handleEscape: leaveSearch,
});
