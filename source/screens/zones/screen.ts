import {listScreen} from '../list/screen.ts';
import {goHome} from '../shell/everywhere.ts';
import {jumpsOf, type ScreenDefinition} from '../shell/screen.ts';
import {openFirewall, readZones} from './actions.ts';
import {openedZone, zoneList} from './slice.ts';

export const zonesScreen: ScreenDefinition = listScreen(zoneList, {
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
});
