import {bodyRows} from '../../components/layout.ts';
import type {Has} from '../../store/ledge-store.ts';
import {detailColumns} from '../list/screen.ts';
import {onZone, type ScreenDefinition, shownOf} from '../shell/screen.ts';
import {eventRows} from './detail-rows.ts';
import {readEvents} from './opening.ts';
import {visibleRows} from './state.ts';

/** Through the list, or through all of one event as far as there are rows. */
function move(
	state: Has<'events', 'data' | 'move' | 'showDetail'> & Has<'navigation', 'viewport'>,
	by: number,
): void {
	const events = state.events.data;
	const {viewport} = state.navigation;
	if (events?.detail === undefined) {
		state.events.move(by);
		return;
	}
	const rows = eventRows(events, detailColumns(viewport.columns)).length;
	state.events.showDetail(Math.max(0, Math.min(rows - bodyRows(viewport.rows), events.detail + by)));
}

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
	move,
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
