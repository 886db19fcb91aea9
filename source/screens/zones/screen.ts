import {createKey} from '../../keyboard/key.ts';
import {createListScreen, type ListScreenDefinition} from '../list/screen.ts';
import type {App} from '../shell/app.ts';
import {goHome} from '../shell/global-actions.ts';
import {findJumps} from '../shell/screen.ts';
import {getCurrentScreen, type Screen} from '../shell/screen-name.ts';
import {preloadZones, readZones} from './actions.ts';
import {createZonesSlice, type ZoneDestination, type ZoneRow, zoneList} from './slice.ts';

const destinationNouns: Readonly<Record<Exclude<ZoneDestination, 'what it needs'>, string>> = {
	firewall: 'firewall rules',
	'custom rules': 'custom rules',
	migration: 'migration',
	managed: 'managed rules',
	events: 'security events',
};

const areaDestinations: Partial<Record<Screen, ZoneDestination>> = {
	customRules: 'custom rules',
	managed: 'managed',
	migration: 'migration',
	events: 'events',
};

/**
 * Opens a zone as the list of zones does: from that list for what it was opened for, from a screen of a zone in
 * its area; else its firewall rules.
 */
function openInSameArea(app: App, row: ZoneRow): void {
	const {state, actions} = app;
	const screen = getCurrentScreen(state());
	const destination =
		screen === 'zones' ? state().zones.data.destination : (areaDestinations[screen] ?? 'firewall');
	goHome(app);
	state().zones.setDestination(destination);
	state().navigation.go('zones');
	state().zones.filter('');
	const {rows, cursor} = state().zones.data;
	state().zones.move(rows.findIndex(({id}) => id === row.id) - cursor);
	const openAction = actions.find(
		one => one.id.startsWith('zones.') && one.opensRow && one.isActive?.(state()),
	);
	openAction?.run(app, createKey('enter', ''));
}

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
			openInSameArea,
			({name, id, plan}) =>
				zones.rows.some(other => other.name === name && other.id !== id) ? `${plan}, ${id}` : undefined,
		),
	loadJumps: preloadZones,
	reload: readZones,
});
