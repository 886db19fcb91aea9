import type {Zone} from '../../service/zones.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import type {OpenedZone} from '../firewall/slice.ts';
import type {Action, App} from '../shell/action.ts';
import {goHome} from '../shell/everywhere.ts';
import {screenOf} from '../shell/navigation-slice.ts';
import {openedZone, selectedZone} from './slice.ts';

const here = ['zones'] as const;
const row = (state: LedgeState): Zone | undefined => selectedZone(state.zones);

/** Goes to the zones, and reads them unless they have been read. */
function openZones(app: App): void {
	goHome(app);
	const {go, zones, openZonesFor} = app.state();
	openZonesFor('firewall');
	go('zones');
	if (zones.reading === 'unread' || zones.reading === 'failed') readZones(app);
}

export function readZones({state}: App): void {
	void state().run('reading the zones', 'read', signal => state().loadZones(signal));
}

/**
 * Goes to the firewall of the zone that was open last, else to that of the zone that was named, or of the only zone;
 * else to the zones, for the person to choose.
 */
export function openFirewallArea(app: App): void {
	const {state} = app;
	goHome(app);
	const {go, firewall, zones, openZonesFor} = state();
	openZonesFor('firewall');
	const several = zones.rows.length > 1;
	if (firewall) {
		if (several) go('zones');
		go('firewall');
		if (firewall.reading === 'unread' || firewall.reading === 'failed') readFirewall(app);
		return;
	}
	go('zones');
	if (several) return;
	let found: OpenedZone | undefined;
	void state()
		.run('looking for the zone', 'read', async signal => {
			found = await state().findZone(signal);
		})
		.then(() => {
			if (!found || screenOf(state()) !== 'zones' || state().dialog || state().filtering) return;
			// With nothing to choose, the way back is Home.
			if (state().zones.rows.length < 2) state().go('home');
			openFirewall(app, found);
		});
}

/** Goes to the filters and rules of a zone, and reads them. */
function openFirewall(app: App, zone: OpenedZone): void {
	const {openZone, go} = app.state();
	openZone(zone);
	go('firewall');
	readFirewall(app);
}

export function readFirewall({state}: App): void {
	const name = state().firewall?.zone.name ?? '';
	void state().run(`reading filters and rules of ${name}`, 'read', signal => state().loadFirewall(signal));
}

const needsZone = (state: LedgeState): string | undefined =>
	row(state) ? undefined : 'there is no zone here';

export const zonesActions: readonly Action[] = [
	{
		id: 'go.firewall',
		keys: ['F'],
		title: 'go to the firewall rules of a zone',
		words: ['waf', 'open firewall'],
		group: 'Everywhere',
		where: 'everywhere',
		unavailable: ({connection}) => (connection?.problem ? 'the settings cannot be read' : undefined),
		run: openFirewallArea,
	},
	{
		id: 'go.zones',
		keys: ['Z'],
		title: 'go to the zones',
		words: ['domains', 'sites'],
		group: 'Everywhere',
		where: 'everywhere',
		unavailable: ({connection}) => (connection?.problem ? 'the settings cannot be read' : undefined),
		run: openZones,
	},
	{
		id: 'zones.open',
		keys: ['enter', 'l', 'right'],
		title: 'open the filters and firewall rules of the zone',
		hint: 'firewall',
		group: 'Zones',
		where: here,
		isHere: ({zones}) => zones.opens === 'firewall',
		unavailable: needsZone,
		run(app) {
			const zone = row(app.state());
			if (zone) openFirewall(app, openedZone(zone));
		},
	},
	{
		id: 'zones.filter',
		keys: ['/'],
		title: 'show only the zones with a text in name, plan, status, account or id',
		hint: 'filter',
		words: ['search', 'find'],
		group: 'Zones',
		where: here,
		run: app => app.state().beginFilter(),
	},
	{
		id: 'zones.copy',
		keys: ['y'],
		title: 'copy the id of the zone',
		hint: 'copy the id',
		group: 'Zones',
		where: here,
		unavailable: needsZone,
		run(app) {
			const zone = row(app.state());
			if (zone) app.state().say(app.terminal.copy(zone.id));
		},
	},
];
