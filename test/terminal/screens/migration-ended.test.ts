import {expect, test} from 'vitest';
import {
	buildEnvironment,
	choosePath,
	confirm,
	deployOnce,
	drawHomeOfZone,
	goToConfirmation,
	resumeFoundMigration,
	sendUnanswered,
	usualSize,
	waitForVerification,
} from '../../screens/support/migration-ways.ts';
import {pressEnterAfterReading, pressEnterWhenShown} from '../../screens/support/ways.ts';
import {createMigratingZone, type MigratingZone} from '../../support/migration.ts';
import {openScreen, type Screen} from '../screen/open.ts';

// What else may be left, and where: test/screens/migration/whole/gone.test.ts.

/** A person in front of a terminal, with that zone. */
async function atHomeOf(zone: MigratingZone): Promise<Screen> {
	const env = buildEnvironment(zone);
	const screen = await openScreen(['--zone', zone.name], {cwd: zone.cwd, env, ...usualSize});
	await screen.waitFor(/Account +Acme/);
	return screen;
}

test('a migration whose line dropped at the PUT, after validation began, continues to its end', async () => {
	const zone = await createMigratingZone({plan: 'enterprise', migrationSeconds: 0.2});
	const first = await atHomeOf(zone);
	await sendUnanswered(first, zone, {when: 'after', path: 'Validation first'});
	first.hangUp();
	await first.ended;
	const screen = await drawHomeOfZone(zone);
	await resumeFoundMigration(screen, 'Found the journal of this zone');
	await pressEnterAfterReading(screen, '▸ Mark validation as done');
	await pressEnterWhenShown(screen, '▸ Turn off previous version');
	await confirm(screen, zone);
	await waitForVerification(screen);
	expect(zone.writes()).toEqual(['PUT validation', 'PUT pending']);
});

test('a migration killed before its PUT arrived is confirmed again and sent once', async () => {
	const zone = await createMigratingZone({migrationSeconds: 0.2});
	const first = await atHomeOf(zone);
	await sendUnanswered(first, zone, {when: 'before'});
	first.kill('SIGKILL');
	await first.ended;
	const screen = await drawHomeOfZone(zone, {env: {LEDGE_TIME_SCALE: '0.01'}});
	await resumeFoundMigration(screen, 'Found the journal of this zone');
	await screen.waitFor('The response to the PUT was lost');
	// What was reviewed is still the next thing to send, but has to be confirmed again.
	await screen.waitFor("Type the zone's name");
	expect(screen.text()).toMatch(/no effect of the (?:last )?PUT was seen.*minutes/is);
	await deployOnce(screen, zone);
});

test('a migration that got SIGHUP while its zone name was typed is not reviewed again', async () => {
	const zone = await createMigratingZone({migrationSeconds: 0.2});
	const first = await atHomeOf(zone);
	await goToConfirmation(first, 'Direct');
	first.type('shop.ex');
	await first.waitFor(/shop\.ex$/m);
	first.kill('SIGHUP');
	await first.ended;
	const screen = await drawHomeOfZone(zone);
	// The confirmation, which was not complete, is asked for again.
	await resumeFoundMigration(screen, /a configuration was reviewed/);
	await choosePath(screen, 'Direct');
	expect(screen.text()).toMatch(/Type the zone's name to continue:\s*$/m);
	await deployOnce(screen, zone);
});
