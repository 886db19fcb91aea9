import {bodyRows} from '../../components/layout.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {detailColumns} from '../firewall/detail-rows.ts';
import {onZone, type ScreenDefinition, shownOf} from '../shell/screen.ts';
import {eventRows} from './detail-rows.ts';
import {readEvents} from './opening.ts';
import {visibleRows} from './state.ts';

/** Through the list, or through all of one event as far as there are rows. */
function move(state: LedgeState, by: number): void {
	const {events, viewport} = state;
	if (events?.detail === undefined) {
		state.moveInEvents(by);
		return;
	}
	const rows = eventRows(events, detailColumns(viewport.columns)).length;
	state.showEvent(Math.max(0, Math.min(rows - bodyRows(viewport.rows), events.detail + by)));
}

export const eventsScreen: ScreenDefinition = {
	group: 'Security events',
	called: 'the security events',
	path: (_before, {events}) => [
		'ledge',
		'security events',
		events?.zone.name ?? '',
		...(events?.narrowings ?? []).map(({label}) => label),
	],
	actsOn: (_before, {events}) => onZone(events?.zone),
	reload: readEvents,
	move,
	filter: {
		text: ({events}) => events?.filter ?? '',
		narrow: (state, text) => state.filterEvents(text),
		counts: ({events}) => (events ? shownOf(visibleRows(events), events.rows[events.list]) : ''),
	},
	takeBack(app) {
		app.state().cancelReads();
		if (!app.state().widenEvents()) return false;
		readEvents(app);
		return true;
	},
	async letGo(state) {
		state.closeEvents();
		return undefined;
	},
};
