import type {Action, App} from '../../shell/app.ts';
import {goHome} from '../../shell/global-actions.ts';
import {getCurrentScreen} from '../../shell/screen-name.ts';
import type {ZoneWithLabel} from '../../shell/zone-with-label.ts';
import {chooseZoneFor, createOpenZoneAction, getCurrentZone} from '../../zones/zone-area.ts';

/** Opens the migration of a zone, with its journal. Stays here if another migration is still running. */
function openMigration({state}: App, zone: ZoneWithLabel): void {
	state().zones.forgetOverview(zone.id);
	void state().migration.open(zone);
	if (state().migration.data?.zone.id === zone.id) state().navigation.go('migration');
}

/**
 * Handles M: opens the migration of the zone in view; else shows the migration that is open; else opens that
 * of the named or only zone. If there is none of these, shows the zones to choose from.
 */
export function openMigrationArea(app: App): void {
	const {state} = app;
	const migration = state().migration.data;
	const currentZone = getCurrentZone(state());
	if (currentZone) openMigration(app, currentZone);
	else if (migration) goToMigration(app, migration.zone);
	else chooseZoneFor(app, 'migration', openMigration);
}

function goToMigration(app: App, zone: ZoneWithLabel): void {
	app.state().zones.forgetOverview(zone.id);
	goHome(app);
	app.state().navigation.go('migration');
}

/**
 * Opens the migration of a zone that a journal names. Reads the zone first, because its plan decides what is
 * possible.
 */
export function openMigrationById(app: App, {id, name}: {readonly id: string; readonly name: string}): void {
	const {state} = app;
	const migration = state().migration.data;
	if (migration?.zone.id === id) {
		state().zones.forgetOverview(id);
		state().navigation.go('migration');
		return;
	}
	const startScreen = getCurrentScreen(state());
	let loadedZone: ZoneWithLabel | undefined;
	void state()
		.work.run(`loading zone ${name}`, 'read', async signal => {
			loadedZone = await state().zones.loadById(id, signal);
		})
		.then(() => {
			if (loadedZone && getCurrentScreen(state()) === startScreen && !state().dialog.current)
				openMigration(app, loadedZone);
		});
}

/**
 * Handles Enter on a zone: opens its migration if the zones were opened for that, or if the migration needs
 * attention.
 */
export const openZoneMigrationAction: Action = createOpenZoneAction(
	'migration',
	'migration',
	'open the migration of the zone',
	{
		hint: 'migration',
		open: openMigration,
	},
);
