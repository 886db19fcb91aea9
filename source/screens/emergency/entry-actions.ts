import type {StateWith} from '../../store/ledge-store.ts';
import {defineGlobalAction, getReadOnlyReason, getSettingsProblem} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import {getSelectedZone, toOpenedZone} from '../zones/slice.ts';
import {openEmergency} from './actions.ts';
import type {EmergencyPurpose} from './state.ts';

/**
 * Finds the zone of the screen in front, else the firewall zone opened last. Undefined if the zone must be
 * looked up.
 */
function findImpliedZone(
	state: StateWith<'zones' | 'migration' | 'firewall'> & StateWith<'navigation', 'stack'>,
): ZoneWithLabel | undefined {
	const screen = getCurrentScreen(state);
	if (screen === 'zones') {
		const row = getSelectedZone(state.zones.data);
		if (row) return toOpenedZone(row);
	}
	if (screen === 'migration' && state.migration.data) return state.migration.data.zone;
	return state.firewall.data?.zone;
}

/** Opens the emergency screen of the implied zone, or the list of zones to choose one. */
function startEmergency(app: App): void {
	const {state} = app;
	const initialStack = state().navigation.stack;
	const zone = findImpliedZone(state());
	if (zone) {
		openForZone(app, zone);
		return;
	}
	let foundZone: ZoneWithLabel | undefined;
	void state()
		.work.run('looking for the zone', 'read', async signal => {
			foundZone = await state().zones.findNamedZone(signal);
		})
		.then(isCompleted => {
			// Does not interrupt a user who has moved to another screen or is typing.
			if (
				!isCompleted ||
				state().navigation.stack !== initialStack ||
				state().dialog.current ||
				state().dialog.isFiltering
			)
				return;
			if (foundZone) return openForZone(app, foundZone);
			state().zones.setDestination('firewall');
			state().navigation.go('zones');
			state().messages.warn('Choose a zone, then press ! to start the emergency block.');
		});
}

function openForZone(app: App, zone: ZoneWithLabel, purpose?: EmergencyPurpose): void {
	app.state().firewall.open(zone);
	openEmergency(app, purpose);
}

/** Opens the emergency screen of a zone with an expression. */
export const openZoneEmergency = (app: App, zone: ZoneWithLabel, expression: string): void =>
	openForZone(app, zone, {expression});

const getBlockedReason = (state: StateWith<'connection'>): string | undefined =>
	getReadOnlyReason(state) ?? getSettingsProblem(state);

const title = 'emergency: block an address or a path now, in the current zone';

/** Opens the emergency screen from every screen where letters are not text. */
export const emergencyEntryActions: readonly Action[] = [
	defineGlobalAction('go.emergency', ['!'], title, {
		searchTerms: [
			'attack',
			'stop attack',
			'stop attack now',
			'under attack',
			'under attack mode',
			'panic',
			'block ip',
		],
		effect: 'prepares a write',
		getUnavailableReason: getBlockedReason,
		run: startEmergency,
	}),
	defineGlobalAction('go.emergency-migration', ['!'], title, {
		effect: 'prepares a write',
		where: ['migration menu'],
		getUnavailableReason: getBlockedReason,
		run: startEmergency,
	}),
];
