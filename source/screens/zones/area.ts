import type {LedgeState} from '../../store/ledge-store.ts';
import type {OpenedZone} from '../firewall/state.ts';
import type {App} from '../shell/app.ts';
import {goHome} from '../shell/everywhere.ts';
import {screenOf} from '../shell/screen-name.ts';
import {type Opens, openedZone, selectedZone} from './slice.ts';

/** The zone under the cursor of the zones, or that of the rules that are looked at; `undefined` on other screens. */
export function zoneLookedAt(state: LedgeState): OpenedZone | undefined {
	switch (screenOf(state)) {
		case 'zones': {
			const row = selectedZone(state.zones.data);
			return row && openedZone(row);
		}
		case 'firewall':
			return state.firewall.data?.zone;
		case 'customRules':
			return state.customRules.data?.zone;
		case 'rateLimits':
			return state.rateLimits.data?.zone;
		case 'managed':
			return state.managed.data?.zone;
		case 'leftBehind':
			return state.leftBehind.data?.zone;
		case 'events':
			return state.events.data?.zone;
		default:
			return undefined;
	}
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
