import {createListScreen, type ListScreenDefinition} from '../list/screen.ts';
import {goHome} from '../shell/global-actions.ts';
import {findJumps} from '../shell/screen.ts';
import {openFirewall, preloadZones, readZones} from './actions.ts';
import {createZonesSlice, toOpenedZone, type ZoneDestination, zoneList} from './slice.ts';

const destinationNouns: Readonly<Record<Exclude<ZoneDestination, 'what it needs'>, string>> = {
	firewall: 'firewall rules',
	'custom rules': 'custom rules',
	migration: 'migration',
	managed: 'managed rules',
	events: 'security events',
};

export const zonesScreen: ListScreenDefinition = createListScreen(zoneList, {
	label: 'the zones',
	createSlice: createZonesSlice,
	buildPath: (_before, {zones: {data}}) => [
		'ledge',
		'zones',
		...(data.destination === 'what it needs'
			? []
			: [`choose one for its ${destinationNouns[data.destination]}`]),
	],
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
