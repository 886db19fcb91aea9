import {describe, expect, test} from 'vitest';
import {createMigratingZone, isPut, type MigratingZone} from '../../../support/migration.ts';
import {
	choosePath,
	confirm,
	confirmMigrationReview,
	deployOnce,
	drawHomeOfZone,
	goToConfirmation,
	goToEligibility,
	resumeFoundMigration,
	sendUnanswered,
	waitForVerification,
} from '../../support/migration-ways.ts';
import type {DrawnScreen} from '../../support/screen.tsx';
import {pressEnterAfterReading, pressEnterWhenShown} from '../../support/ways.ts';

/** Kills this run of ledge, and starts it again. */
const startAgainAfterKill = (killedScreen: DrawnScreen, zone: MigratingZone): Promise<DrawnScreen> =>
	drawHomeOfZone(zone, {env: {LEDGE_STATE_DIR: killedScreen.abandon()}});

describe('a PUT whose response was not awaited', () => {
	test('is found to be applied, and is not sent again', async () => {
		const zone = await createMigratingZone({migrationSeconds: 0.2});
		const first = await drawHomeOfZone(zone);
		await sendUnanswered(first, zone, {when: 'after'});
		const screen = await startAgainAfterKill(first, zone);
		await resumeFoundMigration(screen, 'Found the journal of this zone');
		await waitForVerification(screen);
		expect(zone.writes()).toEqual(['PUT pending']);
	});

	test('leads on to the end if it began validation', async () => {
		const zone = await createMigratingZone({plan: 'enterprise', migrationSeconds: 0.2});
		const first = await drawHomeOfZone(zone);
		await sendUnanswered(first, zone, {when: 'after', path: 'Validation first'});
		const screen = await startAgainAfterKill(first, zone);
		await resumeFoundMigration(screen, 'Found the journal of this zone');
		await pressEnterAfterReading(screen, '▸ Mark validation as done');
		await pressEnterWhenShown(screen, '▸ Turn off previous version');
		await confirm(screen, zone);
		await waitForVerification(screen);
		expect(zone.writes()).toEqual(['PUT validation', 'PUT pending']);
	});
});

describe('a migration left before anything was sent continues from there', () => {
	test('at the review', async () => {
		const zone = await createMigratingZone({migrationSeconds: 0.2});
		const first = await drawHomeOfZone(zone);
		await goToEligibility(first);
		first.press('enter');
		await first.waitFor(/⏎ (read on|I have reviewed this)/);
		const screen = await startAgainAfterKill(first, zone);
		await resumeFoundMigration(screen, 'Found the journal of this zone');
		await confirmMigrationReview(screen);
		await choosePath(screen, 'Direct');
		await deployOnce(screen, zone);
	});

	test('after the review, with the name of the zone half typed', async () => {
		const zone = await createMigratingZone({migrationSeconds: 0.2});
		const first = await drawHomeOfZone(zone);
		await goToConfirmation(first, 'Direct');
		first.type('shop.ex');
		await first.waitFor(/shop\.ex$/m);
		const screen = await startAgainAfterKill(first, zone);
		// The review still counts; the name of the zone has to be typed again.
		await resumeFoundMigration(screen, /a configuration was reviewed/);
		await choosePath(screen, 'Direct');
		expect(screen.text()).toMatch(/Type the zone's name to continue:\s*$/m);
		await deployOnce(screen, zone);
	});
});

/** Makes the service report `pending` until the fault is cleared. */
const pendingFault = 'stage=pending path=/waf_migration/status';

describe('a migration left while the service was at work is watched again, and nothing is resent', () => {
	test('while the previous version is turned off', async () => {
		const zone = await createMigratingZone({migrationSeconds: 0.2});
		const first = await drawHomeOfZone(zone);
		await goToConfirmation(first, 'Direct');
		zone.onCall({is: isPut, when: 'after', does: async () => zone.setFaults(pendingFault)});
		await confirm(first, zone);
		await first.waitFor('is being turned off');
		const screen = await startAgainAfterKill(first, zone);
		await resumeFoundMigration(screen, 'the previous version is being');
		await screen.waitFor('You can close ledge');
		zone.setFaults('');
		await waitForVerification(screen);
		expect(zone.writes()).toEqual(['PUT pending']);
	});

	test('with both versions on, and marked as ready', async () => {
		const zone = await createMigratingZone({plan: 'enterprise', migrationSeconds: 0.2});
		const first = await drawHomeOfZone(zone);
		await goToConfirmation(first, 'Validation first');
		await confirm(first, zone);
		await pressEnterAfterReading(first, '▸ Mark validation as done');
		await first.waitFor('▸ Turn off previous version');
		const screen = await startAgainAfterKill(first, zone);
		await resumeFoundMigration(screen, 'both versions are on');
		await pressEnterAfterReading(screen, '▸ Turn off previous version');
		await screen.waitFor("Type the zone's name");
		expect(zone.writes()).toEqual(['PUT validation']);
		await confirm(screen, zone);
		await waitForVerification(screen);
		expect(zone.writes()).toEqual(['PUT validation', 'PUT pending']);
	});
});
