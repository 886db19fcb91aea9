import {nameKey} from '../../keyboard/named-keys.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {defineGlobalAction, getReadOnlyReason, getSettingsProblem} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import {getCurrentZone} from '../zones/zone-area.ts';
import {openEmergency} from './actions.ts';
import type {EmergencyPurpose} from './state.ts';

/** Returns the zone visited last in this session, on whatever screen. */
function findVisitedZone({
	places,
	firewall,
	customRules,
	managed,
	migration,
}: StateWith<'places', 'recents'> & StateWith<'firewall' | 'customRules' | 'managed' | 'migration'>):
	| ZoneWithLabel
	| undefined {
	const latest = places.recents.find(({kind}) => kind === 'zone');
	const openedZones = [firewall, customRules, managed, migration].flatMap(({data}) => data?.zone ?? []);
	return openedZones.find(({id}) => latest?.kind === 'zone' && id === latest.id) ?? openedZones[0];
}

/** Opens the emergency of the current zone, else of the zone visited last; else the zones, to choose one. */
function startEmergency(app: App): void {
	const {state} = app;
	const initialStack = state().navigation.stack;
	const zone = getCurrentZone(state()) ?? findVisitedZone(state());
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
			state().messages.warn(
				`Choose a zone, then press ${nameKey('go.emergency', '!')} to start the emergency block.`,
			);
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

const title = 'block an address or a path now (emergency), in the zone shown or visited last';

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
