import type {OpenedZone} from '../firewall/state.ts';
import {everywhere, noSettings, withFound} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {chooseZone, zoneLookedAt} from '../zones/area.ts';
import {openedZone, opensHere, selectedZone} from '../zones/slice.ts';

/** Goes to the managed rules in force of a zone, and reads them. */
export function openManaged(app: App, zone: OpenedZone): void {
	const {state} = app;
	state().zones.forgetOverview(zone.id);
	state().managed.open(zone);
	state().navigation.go('managed');
	readManaged(app);
}

/** Reads them; changes that an earlier run left are offered then. */
export function readManaged({state}: App): void {
	void state().managed.readInFront();
}

/** W: the managed rules of the zone that is looked at; else of the zone that was named, or is the only one; else to the zones. */
export function openManagedArea(app: App): void {
	const here = zoneLookedAt(app.state()) ?? app.state().managed.data?.zone;
	if (here) openManaged(app, here);
	else chooseZone(app, 'managed', openManaged);
}

/** From every screen, also by the words that people know them by. */
export const goManaged: Action = everywhere(
	'go.managed',
	['W'],
	'go to the managed rules in force of a zone',
	{
		words: ['managed rules', 'waf', 'owasp', 'rulesets', 'overrides', 'exceptions'],
		unavailable: noSettings,
		run: openManagedArea,
	},
);

/** Where the zones were gone to for their managed rules, enter opens those. */
export const zoneManaged: Action = {
	id: 'zones.managed',
	keys: ['enter', 'l', 'right'],
	opens: true,
	title: 'open the managed rules in force of the zone',
	hint: 'managed rules',
	group: 'Zones',
	where: ['zones'],
	isHere: ({zones: {data: zones}}) => opensHere(zones) === 'managed',
	...withFound(
		({zones: {data: zones}}) => selectedZone(zones),
		'there is no zone here',
		(app, zone) => openManaged(app, openedZone(zone)),
	),
};
