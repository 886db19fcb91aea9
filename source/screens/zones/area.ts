import type {LedgeState} from '../../store/ledge-store.ts';
import type {OpenedZone} from '../firewall/state.ts';
import {everywhere, noSettings} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {goHome} from '../shell/everywhere.ts';
import {screenOf} from '../shell/screen-name.ts';
import {type Opens, openedZone, opensHere, zoneList} from './slice.ts';

/** The screens that show something of one zone. */
const zoneScreens = ['firewall', 'customRules', 'rateLimits', 'managed', 'leftBehind', 'events'] as const;

/** The zone under the cursor of the zones, or that of the rules that are looked at; `undefined` on other screens. */
export function zoneLookedAt(state: LedgeState): OpenedZone | undefined {
	const screen = screenOf(state);
	const row = screen === 'zones' ? zoneList.here(state) : undefined;
	if (row) return openedZone(row);
	const name = zoneScreens.find(one => one === screen);
	return name && state[name].data?.zone;
}

/** Makes the action that opens something of the zone under the cursor on enter, where the zones were gone to for it. */
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

/** Something that every zone has, and a screen shows of one of them. */
type Area = {
	readonly opens: Opens;
	/** What the ids of its actions end with. */
	readonly id: string;
	/** "security events": what is opened of a zone. */
	readonly what: string;
	readonly hint: string;
	/** The key that goes there from every screen. */
	readonly key: string;
	/** What people know it by. */
	readonly words: readonly string[];
	/** The zone that was opened there last. */
	zone(state: LedgeState): OpenedZone | undefined;
	open(app: App, zone: OpenedZone): void;
};

/**
 * Makes the ways to an area. `open` leads to that of the zone that is looked at, or was opened there last; else of the
 * zone that was named, or is the only one; else to the zones.
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

/** Opens the zone that was named, or the only one; where there are several, goes to the zones, for the person to choose. */
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
			// With nothing to choose, the way back is Home.
			if (state().zones.data.rows.length < 2) state().navigation.go('home');
			open(app, found);
		});
}
