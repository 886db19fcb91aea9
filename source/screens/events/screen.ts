import {createListScreen} from '../list/screen.ts';
import {createZoneTarget, type ScreenDefinition} from '../shell/screen.ts';
import {buildEventRows} from './detail-rows.ts';
import {readEvents} from './opening.ts';
import {eventList} from './state.ts';

export const eventsScreen: ScreenDefinition = createListScreen(eventList, {
	label: 'the security events',
	buildPath: (_before, {events: {data}}) => [
		'ledge',
		'security events',
		data?.zone.name ?? '',
		...(data?.narrowings ?? []).map(({label}) => label),
	],
	getTarget: (_before, {events: {data}}) => createZoneTarget(data?.zone),
	reload: readEvents,
	buildDetail: buildEventRows,
	handleEscape(app) {
		app.state().work.cancelReads();
		if (!app.state().events.widen()) return false;
		readEvents(app);
		return true;
	},
	async release(state) {
		state.events.close();
		return undefined;
	},
});
