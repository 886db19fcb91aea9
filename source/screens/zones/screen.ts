import {createListScreen} from '../list/screen.ts';
import {goHome} from '../shell/global-actions.ts';
import {findJumps, type ScreenDefinition} from '../shell/screen.ts';
import {openFirewall, readZones} from './actions.ts';
import {toOpenedZone, zoneList} from './slice.ts';

export const zonesScreen: ScreenDefinition = createListScreen(zoneList, {
	label: 'the zones',
	buildPath: () => ['ledge', 'zones'],
	getTarget: () => ({isLocal: false}),
	listJumps: ({zones: {data: zones}}, searchText) =>
		findJumps(
			'zone',
			zones.rows,
			({name}) => name,
			searchText,
			(app, row) => {
				goHome(app);
				app.state().zones.setDestination('firewall');
				app.state().navigation.go('zones');
				openFirewall(app, toOpenedZone(row));
			},
		),
	reload: readZones,
});
