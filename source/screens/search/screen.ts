import {createListScreen, type ListScreenDefinition} from '../list/screen.ts';
import {hitSelection, leaveSearch, repeatSearch} from './actions.ts';
import {createSearchSlice} from './slice.ts';
import {hitList} from './state.ts';

export const searchScreen: ListScreenDefinition = createListScreen(hitList, {
	label: 'the hits of a search',
	createSlice: createSearchSlice,
	buildPath: (before, {search: {data}}) => [...before, 'search', ...(data ? [data.request.pattern] : [])],
	selection: hitSelection,
	reload: repeatSearch,
	handleEscape: leaveSearch,
});
