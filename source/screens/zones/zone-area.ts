import type {LedgeState} from '../../store/ledge-store.ts';
import {defineGlobalAction, getSettingsProblem} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {goHome} from '../shell/global-actions.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import {getEnterDestination, toOpenedZone, type ZoneDestination, zoneList} from './slice.ts';

/** Returns the selected zone of the list, or the zone of the screen shown or of those below it. */
export function getCurrentZone(state: LedgeState): ZoneWithLabel | undefined {
	const row = getCurrentScreen(state) === 'zones' ? zoneList.getCurrentRow(state) : undefined;
	if (row) return toOpenedZone(row);
	const {stack, screens} = state.navigation;
	for (const screen of stack.toReversed()) {
		const zone = screens[screen].getZone?.(state);
		if (zone) return zone;
	}
	return undefined;
}

/** Creates the action for enter on a zone, active if the zones were opened for this destination. */
export const createOpenZoneAction = (
	destination: ZoneDestination,
	id: string,
	title: string,
	{open, ...rest}: Pick<Action, 'hint' | 'searchTerms'> & {open(app: App, zone: ZoneWithLabel): void},
): Action =>
	zoneList.defineAction(`zones.${id}`, ['enter', 'l', 'right'], title, {
		...rest,
		opensRow: true,
		isActive: ({zones: {data: zones}}) => getEnterDestination(zones) === destination,
		...zoneList.withCurrentRow((app, row) => open(app, toOpenedZone(row))),
	});

/** Returns the zone for which a key opens an area: the current one, else the one visited last. */
export const getAreaZone = (state: LedgeState): ZoneWithLabel | undefined =>
	getCurrentZone(state) ?? state.places.lastZone;

/** A feature of every zone that has its own screen. */
type ZoneArea = {
	readonly destination: ZoneDestination;
	/** Suffix of the ids of its actions. */
	readonly id: string;
	/** Noun for it, such as "security events". */
	readonly noun: string;
	readonly hint: string;
	/** The key that goes there from every screen. */
	readonly key: string;
	readonly searchTerms: readonly string[];
	open(app: App, zone: ZoneWithLabel): void;
};

/**
 * Creates the actions that open an area. `open` uses the current zone or the one visited last, else the named or
 * only zone; else it goes to the zones.
 */
export function createZoneArea({destination, id, noun, hint, key, searchTerms, open}: ZoneArea) {
	const openArea = (app: App): void => {
		const zone = getAreaZone(app.state());
		if (zone) open(app, zone);
		else chooseZoneFor(app, destination, open);
	};
	return {
		open: openArea,
		/** Opens the area from every screen. */
		goAction: defineGlobalAction(`go.${id}`, [key], `go to the ${noun} of a zone`, {
			searchTerms,
			getUnavailableReason: getSettingsProblem,
			run: openArea,
		}),
		/** Opens the area of the zone under the cursor. */
		zonesAction: createOpenZoneAction(destination, id, `open the ${noun} of the zone`, {hint, open}),
	};
}

/** Opens the named or only zone; if there are several, goes to the zones to choose one. */
export function chooseZoneFor(
	app: App,
	destination: ZoneDestination,
	open: (app: App, zone: ZoneWithLabel) => void,
): void {
	const {state} = app;
	goHome(app);
	state().zones.setDestination(destination);
	state().navigation.go('zones');
	if (state().zones.data.rows.length > 1) return;
	let foundZone: ZoneWithLabel | undefined;
	void state()
		.work.run('finding the zone', 'read', async signal => {
			foundZone = await state().zones.findNamedZone(signal);
		})
		.then(() => {
			if (
				!foundZone ||
				getCurrentScreen(state()) !== 'zones' ||
				state().dialog.current ||
				state().dialog.isFiltering
			)
				return;
			// With nothing to choose, back leads to Home.
			if (state().zones.data.rows.length < 2) state().navigation.go('home');
			open(app, foundZone);
		});
}
