import type {OpenedZone} from '../../firewall/state.ts';
import type {Action, App} from '../../shell/app.ts';
import {goHome} from '../../shell/everywhere.ts';
import {getCurrentScreen} from '../../shell/screen-name.ts';
import {chooseZoneFor, createOpenZoneAction, getCurrentZone} from '../../zones/area.ts';

/** Opens the migration of a zone, with its journal. */
function openMigration({state}: App, zone: OpenedZone): void {
	state().zones.forgetOverview(zone.id);
	void state().migration.open(zone);
	if (state().migration.data?.zone.id === zone.id) state().navigation.go('migration');
}

/**
 * M: opens the migration of the zone in view, or else of the named or only zone. Otherwise shows the zones to
 * choose one.
 */
export function openMigrationArea(app: App): void {
	const {state} = app;
	const migration = state().migration.data;
	const current = getCurrentZone(state());
	if (current) openMigration(app, current);
	else if (migration) goToMigration(app, migration.zone);
	else chooseZoneFor(app, 'migration', openMigration);
}

function goToMigration(app: App, zone: OpenedZone): void {
	app.state().zones.forgetOverview(zone.id);
	goHome(app);
	app.state().navigation.go('migration');
}

/**
 * Opens the migration of a zone named by a journal. Reads the zone first, because its plan decides what is
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
	const from = getCurrentScreen(state());
	let found: OpenedZone | undefined;
	void state()
		.work.run(`reading the zone ${name}`, 'read', async signal => {
			found = await state().zones.loadById(id, signal);
		})
		.then(() => {
			if (found && getCurrentScreen(state()) === from && !state().dialog.current) openMigration(app, found);
		});
}

/**
 * Enter on a zone opens its migration if the zones were opened for that, or if its migration needs attention.
 */
export const zoneMigration: Action = createOpenZoneAction(
	'migration',
	'migration',
	'open the migration of the zone',
	{
		hint: 'migration',
		open: openMigration,
	},
);
