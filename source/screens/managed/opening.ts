import type {LedgeState} from '../../store/ledge-store.ts';
import type {OpenedZone} from '../firewall/slice.ts';
import {type Action, type App, everywhere, noSettings, withFound} from '../shell/action.ts';
import {goHome} from '../shell/everywhere.ts';
import {screenOf} from '../shell/navigation-slice.ts';
import {openedZone, opensHere, selectedZone} from '../zones/slice.ts';

/** Goes to the managed rules in force of a zone, and reads them. */
export function openManaged(app: App, zone: OpenedZone): void {
	const {state} = app;
	state().forgetOverview(zone.id);
	state().openManaged(zone);
	state().go('managed');
	readManaged(app);
}

/** Reads them; changes that an earlier run left are offered then. */
export function readManaged({state}: App): void {
	void state().readManagedInFront();
}

/** The zone that is looked at, on the screens of a zone. */
function zoneHere(state: LedgeState): OpenedZone | undefined {
	switch (screenOf(state)) {
		case 'zones': {
			const row = selectedZone(state.zones);
			return row && openedZone(row);
		}
		case 'firewall':
			return state.firewall?.zone;
		case 'customRules':
			return state.customRules?.zone;
		default:
			return state.managed?.zone;
	}
}

/** W: the managed rules of the zone that is looked at; else of the zone that was named, or is the only one; else to the zones. */
export function openManagedArea(app: App): void {
	const {state} = app;
	const here = zoneHere(state());
	if (here) {
		openManaged(app, here);
		return;
	}
	goHome(app);
	state().openZonesFor('managed');
	state().go('zones');
	if (state().zones.rows.length > 1) return;
	let found: OpenedZone | undefined;
	void state()
		.run('looking for the zone', 'read', async signal => {
			found = await state().findZone(signal);
		})
		.then(() => {
			if (!found || screenOf(state()) !== 'zones' || state().dialog || state().filtering) return;
			if (state().zones.rows.length < 2) state().go('home');
			openManaged(app, found);
		});
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
	isHere: ({zones}) => opensHere(zones) === 'managed',
	...withFound(
		({zones}) => selectedZone(zones),
		'there is no zone here',
		(app, zone) => openManaged(app, openedZone(zone)),
	),
};
