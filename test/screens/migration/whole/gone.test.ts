import {describe, expect, test} from 'vitest';
import {isPut, type MigratingZone, migratingZone} from '../../../support/migration.ts';
import {
	choosePath,
	confirm,
	deployOnce,
	drawnHomeOf,
	review,
	sendUnanswered,
	takeUp,
	toConfirmation,
	toEligibility,
	verified,
} from '../../support/migration-ways.ts';
import type {DrawnScreen} from '../../support/screen.tsx';
import {enterAt, lookAndEnterAt} from '../../support/ways.ts';

/** The next start after that one is gone without a word. */
const startedAfter = (gone: DrawnScreen, zone: MigratingZone): Promise<DrawnScreen> =>
	drawnHomeOf(zone, {env: {LEDGE_STATE_DIR: gone.abandon()}});

describe('a PUT whose answer was not awaited', () => {
	test('is found to be applied, and is not sent again', async () => {
		const zone = await migratingZone({migrationSeconds: 0.2});
		const first = await drawnHomeOf(zone);
		await sendUnanswered(first, zone, {when: 'after'});
		const screen = await startedAfter(first, zone);
		await takeUp(screen, 'Found the journal of this zone');
		await verified(screen);
		expect(zone.writes()).toEqual(['PUT pending']);
	});

	test('leads on to the end if it began validation', async () => {
		const zone = await migratingZone({plan: 'enterprise', migrationSeconds: 0.2});
		const first = await drawnHomeOf(zone);
		await sendUnanswered(first, zone, {when: 'after', path: 'Validation first'});
		const screen = await startedAfter(first, zone);
		await takeUp(screen, 'Found the journal of this zone');
		await lookAndEnterAt(screen, '▸ Ready to update');
		await enterAt(screen, '▸ Turn off previous version');
		await confirm(screen, zone);
		await verified(screen);
		expect(zone.writes()).toEqual(['PUT validation', 'PUT pending']);
	});
});

describe('a migration left before anything was sent continues from there', () => {
	test('at the review', async () => {
		const zone = await migratingZone({migrationSeconds: 0.2});
		const first = await drawnHomeOf(zone);
		await toEligibility(first);
		first.press('enter');
		await first.waitFor(/⏎ (read on|I have reviewed this)/);
		const screen = await startedAfter(first, zone);
		await takeUp(screen, 'Found the journal of this zone');
		await review(screen);
		await choosePath(screen, 'Direct');
		await deployOnce(screen, zone);
	});

	test('after the review, with the name of the zone half typed', async () => {
		const zone = await migratingZone({migrationSeconds: 0.2});
		const first = await drawnHomeOf(zone);
		await toConfirmation(first, 'Direct');
		first.type('shop.ex');
		await first.waitFor(/shop\.ex$/m);
		const screen = await startedAfter(first, zone);
		// What was reviewed is not reviewed again; what was confirmed, or nearly, is asked again.
		await takeUp(screen, /a configuration was reviewed/);
		await choosePath(screen, 'Direct');
		expect(screen.text()).toMatch(/Type the zone's name to continue:\s*$/m);
		await deployOnce(screen, zone);
	});
});

/** The service is at work for as long as that is not taken back. */
const atWork = 'stage=pending path=/waf_migration/status';

describe('a migration left while the service was at work is watched again, and nothing is resent', () => {
	test('while the previous version is turned off', async () => {
		const zone = await migratingZone({migrationSeconds: 0.2});
		const first = await drawnHomeOf(zone);
		await toConfirmation(first, 'Direct');
		zone.at({is: isPut, when: 'after', does: async () => zone.faults(atWork)});
		await confirm(first, zone);
		await first.waitFor('is being turned off');
		const screen = await startedAfter(first, zone);
		await takeUp(screen, 'the previous version is being');
		await screen.waitFor('You can close ledge');
		zone.faults('');
		await verified(screen);
		expect(zone.writes()).toEqual(['PUT pending']);
	});

	test('with both versions on, and marked as ready', async () => {
		const zone = await migratingZone({plan: 'enterprise', migrationSeconds: 0.2});
		const first = await drawnHomeOf(zone);
		await toConfirmation(first, 'Validation first');
		await confirm(first, zone);
		await lookAndEnterAt(first, '▸ Ready to update');
		await first.waitFor('▸ Turn off previous version');
		const screen = await startedAfter(first, zone);
		await takeUp(screen, 'both versions are on');
		await screen.waitFor("Type the zone's name");
		expect(zone.writes()).toEqual(['PUT validation']);
		await confirm(screen, zone);
		await verified(screen);
		expect(zone.writes()).toEqual(['PUT validation', 'PUT pending']);
	});
});
