import {goHome} from '../shell/everywhere.ts';
import {jumpsOf, type ScreenDefinition, shownOf} from '../shell/screen.ts';
import {openFirewall, readZones} from './actions.ts';
import {openedZone, visibleZones} from './slice.ts';

export const zonesScreen: ScreenDefinition = {
	group: 'Zones',
	called: 'the zones',
	path: () => ['ledge', 'zones'],
	actsOn: () => ({isLocal: false}),
	jumps: ({zones: {data: zones}}, sought) =>
		jumpsOf(
			'zone',
			zones.rows,
			({name}) => name,
			sought,
			(app, row) => {
				goHome(app);
				app.state().zones.openFor('firewall');
				app.state().navigation.go('zones');
				openFirewall(app, openedZone(row));
			},
		),
	reload: readZones,
	move: (state, by) => state.zones.move(by),
	filter: {
		text: ({zones: {data: zones}}) => zones.filter,
		narrow: (state, text) => state.zones.filter(text),
		counts: ({zones: {data: zones}}) => shownOf(visibleZones(zones), zones.rows),
	},
};
