import {moveThrough} from '../list/screen.ts';
import {onZone, type ScreenDefinition, shownOf} from '../shell/screen.ts';
import {eventRows} from './detail-rows.ts';
import {readEvents} from './opening.ts';
import {visibleRows} from './state.ts';

export const eventsScreen: ScreenDefinition = {
	group: 'Security events',
	called: 'the security events',
	path: (_before, {events: {data: events}}) => [
		'ledge',
		'security events',
		events?.zone.name ?? '',
		...(events?.narrowings ?? []).map(({label}) => label),
	],
	actsOn: (_before, {events: {data: events}}) => onZone(events?.zone),
	reload: readEvents,
	move: (state, by) => moveThrough(state.events, eventRows, state.navigation.viewport, by),
	filter: {
		text: ({events: {data: events}}) => events?.filter ?? '',
		narrow: (state, text) => state.events.filter(text),
		counts: ({events: {data: events}}) =>
			events ? shownOf(visibleRows(events), events.rows[events.list]) : '',
	},
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
};
