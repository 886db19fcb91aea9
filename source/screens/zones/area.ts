import type {LedgeState} from '../../store/ledge-store.ts';
import type {OpenedZone} from '../firewall/state.ts';
import {everywhere, noSettings} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {goHome} from '../shell/everywhere.ts';
import {screenOf} from '../shell/screen-name.ts';
import {type Opens, openedZone, opensHere, zoneList} from './slice.ts';

/** Screens of one zone. */
const zoneScreens = ['firewall', 'customRules', 'rateLimits', 'managed', 'leftBehind', 'events'] as const;

/** Returns the selected zone of the list, or the zone whose rules are shown. */
export function zoneLookedAt(state: LedgeState): OpenedZone | undefined {
	const screen = screenOf(state);
	const row = screen === 'zones' ? zoneList.here(state) : undefined;
	if (row) return openedZone(row);
	const name = zoneScreens.find(one => one === screen);
	return name && state[name].data?.zone;
}

/** Creates the action for enter on a zone, active if the zones were opened for this destination. */
export const openingZone = (
	opens: Opens,
	id: string,
	title: string,
	{open, ...rest}: Pick<Action, 'hint' | 'words'> & {open(app: App, zone: OpenedZone): void},
): Action =>
	zoneList.action(`zones.${id}`, ['enter', 'l', 'right'], title, {
		...rest,
		opens: true,
		isHere: ({zones: {data: zones}}) => opensHere(zones) === opens,
		...zoneList.onRow((app, row) => open(app, openedZone(row))),
	});

/** A feature of every zone that has its own screen. */
type Area = {
	readonly opens: Opens;
	/** Suffix of the ids of its actions. */
	readonly id: string;
	/** Noun for it, such as "security events". */
	readonly what: string;
	readonly hint: string;
	/** The key that goes there from every screen. */
	readonly key: string;
	readonly words: readonly string[];
	/** Returns the zone last opened there. */
	zone(state: LedgeState): OpenedZone | undefined;
	open(app: App, zone: OpenedZone): void;
};

/**
 * Creates the actions that open an area. `open` uses the current zone or the one opened there last, else the
 * named or only zone; else it goes to the zones.
 */
export function createArea({opens, id, what, hint, key, words, zone, open}: Area) {
	const openArea = (app: App): void => {
		const here = zoneLookedAt(app.state()) ?? zone(app.state());
		if (here) open(app, here);
		else chooseZone(app, opens, open);
	};
	return {
		open: openArea,
		/** From every screen. */
		goes: everywhere(`go.${id}`, [key], `go to the ${what} of a zone`, {
			words,
			unavailable: noSettings,
			run: openArea,
		}),
		/** From the zones. */
		fromZones: openingZone(opens, id, `open the ${what} of the zone`, {hint, open}),
	};
}

/** Opens the named or only zone; if there are several, goes to the zones to choose one. */
export function chooseZone(app: App, what: Opens, open: (app: App, zone: OpenedZone) => void): void {
	const {state} = app;
	goHome(app);
	state().zones.openFor(what);
	state().navigation.go('zones');
	if (state().zones.data.rows.length > 1) return;
	let found: OpenedZone | undefined;
	void state()
		.work.run('looking for the zone', 'read', async signal => {
			found = await state().zones.find(signal);
		})
		.then(() => {
			if (!found || screenOf(state()) !== 'zones' || state().dialog.current || state().dialog.isFiltering)
				return;
			// // With nothing to choose, back leads to Home.
			if (state().zones.data.rows.length < 2) state().navigation.go('home');
			open(app, found);
		});
}
