import type {Failure} from '../../failure.ts';
import {listOverviewFailures} from '../../migration/overview/overview.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {mustLoad} from '../list/reading.ts';
import {createListActions} from '../list/screen.ts';
import {defineGlobalAction, getSettingsProblem} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {goHome, withFailureDetails} from '../shell/global-actions.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import {getSelectedZone, zoneList} from './slice.ts';
import {chooseZoneFor, createOpenZoneAction, getAreaZone} from './zone-area.ts';

const {defineAction} = zoneList;

/** Goes to the overview of the zones; reads them unless they are loaded. */
export function openZones(app: App): void {
	goHome(app);
	const {go} = app.state().navigation;
	const {data: zones, setDestination} = app.state().zones;
	setDestination('what it needs');
	go('zones');
	if (mustLoad(zones)) readZones(app);
	else readUnreadZones(app);
}

/** Reads the zones in the background for another screen, unless that was tried before. */
export function preloadZones({state}: App): void {
	if (state().zones.data.reading !== 'unread' || getSettingsProblem(state()) !== undefined) return;
	state()
		.work.runPart('loading zones', 'background', signal => state().zones.load(signal))
		.catch(() => {});
}

export function readZones({state}: App): void {
	void state().work.run('loading zones', 'read', signal => state().zones.load(signal));
}

/** Reads unread zones while the list is shown, also behind dialogs; stops when it is left. */
export function readUnreadZones({state, store}: App): void {
	if (getCurrentScreen(state()) !== 'zones' || state().zones.data.rows.length === 0) return;
	const leaveController = new AbortController();
	const unsubscribe = store.subscribe(currentState => {
		if (getCurrentScreen(currentState) !== 'zones') leaveController.abort();
	});
	void state()
		.work.run('loading the zones overview', 'background', signal =>
			state().zones.readOverviews(AbortSignal.any([signal, leaveController.signal])),
		)
		.finally(unsubscribe);
}

/**
 * Goes to the firewall rules of the current zone, else of the zone visited last, the named zone, or the only
 * one; else to the zones, to choose one.
 */
export function openFirewallArea(app: App): void {
	const {state} = app;
	showRules(app);
	const {go} = state().navigation;
	const firewall = state().firewall.data;
	const zone = getAreaZone(state());
	if (zone && (getCurrentScreen(state()) === 'zones' || zone.id !== firewall?.zone.id)) {
		openFirewall(app, zone);
		return;
	}
	const {data: zones, setDestination} = state().zones;
	if (!firewall) {
		chooseZoneFor(app, 'firewall', openFirewall);
		return;
	}
	const hasSeveralZones = zones.rows.length > 1;
	goHome(app);
	setDestination('firewall');
	state().zones.forgetOverview(firewall.zone.id);
	if (hasSeveralZones) go('zones');
	go('firewall');
	if (firewall.failure?.code === 'gone') replaceRetiredRules(app);
	else if (mustLoad(firewall)) readFirewall(app);
}

/** Moves the cursor to the rules if it is in the filters. */
function showRules({state}: App): void {
	if (state().firewall.data?.side === 'filters') state().firewall.switchSide();
}

/** Goes to the rules of a zone, and reads them and the filters. */
export function openFirewall(app: App, zone: ZoneWithLabel): void {
	showRules(app);
	const openZone = app.state().firewall.open;
	const {go} = app.state().navigation;
	const {forgetOverview} = app.state().zones;
	forgetOverview(zone.id);
	openZone(zone);
	go('firewall');
	readFirewall(app);
}

/** Reads the filters and rules of the open zone; shows its custom rules if the service has retired them. */
export function readFirewall(app: App): void {
	const {state} = app;
	const name = state().firewall.data?.zone.name ?? '';
	void state()
		.work.run(`loading filters and rules of ${name}`, 'read', signal => state().firewall.load(signal))
		.then(() => {
			if (state().firewall.data?.failure?.code !== 'gone' || getCurrentScreen(state()) !== 'firewall') return;
			replaceRetiredRules(app);
		});
}

/** Shows the custom rules of a zone without firewall rules, and says why. */
function replaceRetiredRules(app: App): void {
	switchToCustomRules(app);
	const name = app.state().customRules.data?.zone.name ?? '';
	app.state().messages.say(`Firewall rules are retired in ${name}; its rules are custom rules now.`);
}

/** Replaces the screen by the open zone's custom rules; reads them unless they are loaded. */
export function switchToCustomRules(app: App): void {
	const {state} = app;
	const zone = state().firewall.data?.zone;
	if (!zone) return;
	state().customRules.open(zone);
	state().navigation.replace('customRules');
	if (mustLoad(state().customRules.data)) readCustomRules(app);
}

/** Replaces the screen by the open zone's firewall rules; reads them unless they are loaded. */
export function switchToFirewallRules(app: App): void {
	const {state} = app;
	state().navigation.replace('firewall');
	if (mustLoad(state().firewall.data)) readFirewall(app);
}

export function readCustomRules({state}: App): void {
	const name = state().customRules.data?.zone.name ?? '';
	void state().work.run(`loading custom rules of ${name}`, 'read', signal =>
		state().customRules.load(signal),
	);
}

/** Returns why a part of the selected zone could not be read. */
function getZoneFailure(state: StateWith<'zones'>): Failure | undefined {
	const zone = getSelectedZone(state.zones.data);
	return zone && listOverviewFailures(zone.overview)[0]?.failure;
}

export const zonesActions: readonly Action[] = [
	defineGlobalAction('go.firewall', ['2'], 'go to the firewall rules of a zone', {
		searchTerms: ['waf', 'open firewall', 'firewall rules', 'list rules', 'open rules', 'waf rules'],
		getUnavailableReason: getSettingsProblem,
		run: openFirewallArea,
	}),
	defineGlobalAction('go.zones', ['8'], 'go to the zones overview: what each zone needs', {
		searchTerms: [
			'domains',
			'sites',
			'zones overview',
			'all zones',
			'attention',
			'status of zones',
			'dashboard',
			'list zones',
			'show zones',
		],
		getUnavailableReason: getSettingsProblem,
		run: openZones,
	}),
	createOpenZoneAction('firewall', 'open', 'open the filters and firewall rules of the zone', {
		searchTerms: ['open zone', 'rules of the zone'],
		hint: 'firewall rules',
		open: openFirewall,
	}),
	defineAction('zones.order', ['s'], 'sort zones by urgency or by name', {
		paletteMode: 'at once',
		hint: 'sort',
		searchTerms: [
			'most blocks',
			'which sites need attention',
			'sort',
			'sort zones',
			'order by name',
			'sort by name',
		],
		run: ({state}) => state().zones.sortBy(state().zones.data.order === 'name' ? 'attention' : 'name'),
	}),
	defineAction('zones.details', ['i'], 'show why part of the zone could not be loaded', {
		hint: 'why',
		isActive: state => getZoneFailure(state) !== undefined,
		...withFailureDetails(getZoneFailure),
	}),
	...createListActions(zoneList, 'filter zones by name, plan, status, migration, account or id', [
		{
			shortcut: 'y',
			noun: 'the zone id',
			searchTerms: ['zone id', 'copy id'],
			hint: 'copy the id',
			getText: ({id}) => id,
		},
	]),
];
