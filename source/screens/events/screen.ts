import {listScreen} from '../list/screen.ts';
import {onZone, type ScreenDefinition} from '../shell/screen.ts';
import {eventRows} from './detail-rows.ts';
import {readEvents} from './opening.ts';
import {eventList} from './state.ts';

export const eventsScreen: ScreenDefinition = listScreen(eventList, {
	called: 'the security events',
	path: (_before, {events: {data}}) => [
		'ledge',
		'security events',
		data?.zone.name ?? '',
		...(data?.narrowings ?? []).map(({label}) => label),
	],
	actsOn: (_before, {events: {data}}) => onZone(data?.zone),
	reload: readEvents,
	detail: eventRows,
	takeBack(app) {
		app.state().work.cancelReads();
		if (!app.state().events.widen()) return false;
		readEvents(app);
		return true;
	},
	async letGo(state) {
		state.events.close();
		return undefined;
	},
});
