import {createListScreen, type ListScreenDefinition} from '../list/screen.ts';
import {goHome} from '../shell/global-actions.ts';
import {findJumps} from '../shell/screen.ts';
import {openFirewall, preloadZones, readZones} from './actions.ts';
import {createZonesSlice, toOpenedZone, zoneList} from './slice.ts';

export const zonesScreen: ListScreenDefinition = createListScreen(zoneList, {
	label: 'the zones',
	createSlice: createZonesSlice,
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
	loadJumps: preloadZones,
	reload: readZones,
});
