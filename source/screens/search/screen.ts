import {listScreen} from '../list/screen.ts';
import type {ScreenDefinition} from '../shell/screen.ts';
import {leaveSearch, searchAgain} from './actions.ts';
import {hitList} from './state.ts';

export const searchScreen: ScreenDefinition = listScreen(hitList, {
	called: 'the hits of a search',
	path: (before, {search: {data}}) => [...before, 'search', ...(data ? [data.request.pattern] : [])],
	reload: searchAgain,
	takeBack: leaveSearch,
});
