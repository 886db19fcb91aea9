import {createListScreen, type ListScreenDefinition} from '../list/screen.ts';
import {buildEventRows} from './detail-rows.ts';
import {readEvents} from './opening.ts';
import {createEventsSlice} from './slice.ts';
import {eventList} from './state.ts';

export const eventsScreen: ListScreenDefinition = createListScreen(eventList, {
	label: 'the security events',
	createSlice: createEventsSlice,
	buildPath: (_before, {events: {data}}) => [
		'ledge',
		'security events',
		data?.zone.name ?? '',
		...(data?.narrowings ?? []).map(({label}) => label),
	],
	reload: readEvents,
	buildDetail: (state, columns) => buildEventRows(state, columns),
	async release(state) {
		state.events.close();
		return undefined;
	},
});
