import {goHome} from '../shell/everywhere.ts';
import {jumpsOf, type ScreenDefinition, shownOf} from '../shell/screen.ts';
import {openFirewall, readZones} from './actions.ts';
import {openedZone, visibleZones} from './slice.ts';

export const zonesScreen: ScreenDefinition = {
	group: 'Zones',
	called: 'the zones',
	path: () => ['ledge', 'zones'],
	actsOn: () => ({isLocal: false}),
	jumps: ({zones}, sought) =>
		jumpsOf(
			'zone',
			zones.rows,
			({name}) => name,
			sought,
			(app, row) => {
				goHome(app);
				app.state().openZonesFor('firewall');
				app.state().go('zones');
				openFirewall(app, openedZone(row));
			},
		),
	reload: readZones,
	move: (state, by) => state.moveInZones(by),
	filter: {
		text: ({zones}) => zones.filter,
		narrow: (state, text) => state.filterZones(text),
		counts: ({zones}) => shownOf(visibleZones(zones), zones.rows),
	},
};
