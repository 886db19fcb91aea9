import {expect, test} from 'vitest';
import {
	choosePath,
	confirm,
	deployOnce,
	drawnHomeOf,
	environmentOf,
	sendUnanswered,
	takeUp,
	toConfirmation,
	usual,
	verified,
} from '../../screens/support/migration-ways.ts';
import {enterAt, lookAndEnterAt} from '../../screens/support/ways.ts';
import {type MigratingZone, migratingZone} from '../../support/migration.ts';
import {openScreen, type Screen} from '../screen/open.ts';

// What else may be left, and where: test/screens/migration/whole/gone.test.ts.

/** A person in front of a terminal, with that zone. */
async function atHomeOf(zone: MigratingZone): Promise<Screen> {
	const env = environmentOf(zone);
	const screen = await openScreen(['--zone', zone.name], {cwd: zone.cwd, env, ...usual});
	await screen.waitFor(/Account +Acme/);
	return screen;
}

test('a migration whose line dropped at the PUT, after validation began, continues to its end', async () => {
	const zone = await migratingZone({plan: 'enterprise', migrationSeconds: 0.2});
	const first = await atHomeOf(zone);
	await sendUnanswered(first, zone, {when: 'after', path: 'Validation first'});
	first.hangUp();
	await first.ended;
	const screen = await drawnHomeOf(zone);
	await takeUp(screen, 'Found the journal of this zone');
	await lookAndEnterAt(screen, '▸ Ready to update');
	await enterAt(screen, '▸ Turn off previous version');
	await confirm(screen, zone);
	await verified(screen);
	expect(zone.writes()).toEqual(['PUT validation', 'PUT pending']);
});

test('a migration killed before its PUT arrived is confirmed again and sent once', async () => {
	const zone = await migratingZone({migrationSeconds: 0.2});
	const first = await atHomeOf(zone);
	await sendUnanswered(first, zone, {when: 'before'});
	first.kill('SIGKILL');
	await first.ended;
	const screen = await drawnHomeOf(zone, {env: {LEDGE_TIME_SCALE: '0.01'}});
	await takeUp(screen, 'Found the journal of this zone');
	await screen.waitFor('The response to the PUT was lost');
	// What was reviewed is still the next thing to send; the confirmation of before counts for nothing.
	await screen.waitFor("Type the zone's name");
	expect(screen.text()).toMatch(/no effect of the (?:last )?PUT was seen.*minutes/is);
	await deployOnce(screen, zone);
});

test('a migration that got SIGHUP while its zone name was typed is not reviewed again', async () => {
	const zone = await migratingZone({migrationSeconds: 0.2});
	const first = await atHomeOf(zone);
	await toConfirmation(first, 'Direct');
	first.type('shop.ex');
	await first.waitFor(/shop\.ex$/m);
	first.kill('SIGHUP');
	await first.ended;
	const screen = await drawnHomeOf(zone);
	// What was confirmed, or nearly, is asked again.
	await takeUp(screen, /a configuration was reviewed/);
	await choosePath(screen, 'Direct');
	expect(screen.text()).toMatch(/Type the zone's name to continue:\s*$/m);
	await deployOnce(screen, zone);
});
