import {type ScreenDefinition, shownOf} from '../shell/screen.ts';
import {leaveSearch, searchAgain} from './actions.ts';

export const searchScreen: ScreenDefinition = {
	group: 'Search in values',
	called: 'the hits of a search',
	path: (before, {search: {data: search}}) => [
		...before,
		...(search ? ['search', search.request.pattern] : ['search']),
	],
	reload: searchAgain,
	move: (state, by) => state.search.move(by),
	filter: {
		text: ({search: {data: search}}) => search?.filter ?? '',
		narrow: (state, text) => state.search.filter(text),
		counts: ({search: {data: search}}) => (search ? shownOf(search.visible, search.hits) : ''),
	},
	takeBack: leaveSearch,
};
