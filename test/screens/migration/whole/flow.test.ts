import {describe, expect, test} from 'vitest';
import {createMigratingZone} from '../../../support/migration.ts';
import {
	choosePath,
	confirm,
	drawHomeOfZone,
	goToConfirmation,
	smallSize,
	usualSize,
	waitForVerification,
} from '../../support/migration-ways.ts';
import {drawScreen} from '../../support/screen.tsx';
import {pressEnterAfterReading, pressEnterWhenShown} from '../../support/ways.ts';

describe('a zone is migrated completely on the screens', () => {
	test.each(['pro', 'enterprise'] as const)('directly: %s', async plan => {
		const zone = await createMigratingZone({plan, migrationSeconds: 0.2});
		const screen = await drawHomeOfZone(zone);
		await goToConfirmation(screen, 'Direct');
		expect(zone.writes()).toEqual([]);
		await confirm(screen, zone);
		await waitForVerification(screen);
		expect(screen.text()).toContain('shop.example is migrated');
		expect(zone.writes()).toEqual(['PUT pending']);
		expect((await zone.readFinalState()).stage).toBe('complete');
	});

	test.each([usualSize, smallSize])('through validation, $columns×$rows', async size => {
		const zone = await createMigratingZone({plan: 'enterprise', migrationSeconds: 0.2});
		const screen = await drawHomeOfZone(zone, size);
		await goToConfirmation(screen, 'Validation first');
		await confirm(screen, zone);
		await screen.waitFor('▸ Mark validation as done');
		expect((await zone.readFinalState()).stage).toBe('validation');
		await pressEnterAfterReading(screen, '▸ Mark validation as done');
		await pressEnterWhenShown(screen, '▸ Turn off previous version');
		await screen.waitFor("Type the zone's name");
		expect(zone.writes()).toEqual(['PUT validation']);
		await confirm(screen, zone);
		await waitForVerification(screen);
		expect(zone.writes()).toEqual(['PUT validation', 'PUT pending']);
		expect((await zone.readFinalState()).stage).toBe('complete');
	});

	test('directly: business, after a rehearsal, which sends nothing', async () => {
		const zone = await createMigratingZone({plan: 'business', migrationSeconds: 0.2});
		const screen = await drawHomeOfZone(zone);
		await goToConfirmation(screen, 'Direct');
		screen.press('esc');
		await pressEnterWhenShown(screen, '▸ Rehearse in the simulated service');
		await screen.waitFor('Rehearsed: ');
		expect(zone.writes()).toEqual([]);
		await pressEnterWhenShown(screen, '▸ Continue to the confirmation');
		await confirm(screen, zone);
		await waitForVerification(screen);
		expect(zone.writes()).toEqual(['PUT pending']);
		expect((await zone.readFinalState()).stage).toBe('complete');
	});
});

test('no repeated status is drawn while the service is at work', async () => {
	const zone = await createMigratingZone({migrationSeconds: 3600});
	const screen = await drawHomeOfZone(zone, {env: {LEDGE_TIME_SCALE: '0.01'}});
	await goToConfirmation(screen, 'Direct');
	await confirm(screen, zone);
	await screen.settled('You can close ledge');
	const waitForStatusRequest = () =>
		new Promise<void>(resolve =>
			zone.onCall({
				is: ({path}) => path.endsWith('/waf_migration/status'),
				when: 'after',
				async does() {
					resolve();
				},
			}),
		);
	await waitForStatusRequest();
	await screen.settled();
	const {frameCount} = screen;
	for (let times = 0; times < 6; times++) await waitForStatusRequest();
	await screen.settled();
	expect(screen.frameCount).toBe(frameCount);
	expect(screen.text()).toContain('You can close ledge');
});

test('validation is refused below Enterprise with the reason, and the direct path remains', async () => {
	const zone = await createMigratingZone({plan: 'business'});
	const screen = await drawHomeOfZone(zone);
	await goToConfirmation(screen, 'Direct');
	screen.press('esc', 'esc');
	await screen.waitFor('▸ Direct');
	screen.press('down');
	await pressEnterWhenShown(screen, '▸ Validation first');
	await screen.waitFor('! Enterprise plan only; this zone is on the business plan.');
	await screen.pressAndAwaitFrame('up');
	await choosePath(screen, 'Direct');
	expect(zone.writes()).toEqual([]);
});

test('a name other than that of the zone sends nothing', async () => {
	const zone = await createMigratingZone();
	const screen = await drawHomeOfZone(zone);
	await goToConfirmation(screen, 'Direct');
	screen.type('shop.exampl');
	await pressEnterAfterReading(screen, 'shop.exampl\n');
	await screen.waitFor('Does not match. Type shop.example.');
	screen.type('e');
	expect(zone.writes()).toEqual([]);
	await pressEnterAfterReading(screen, /^\W*shop\.example$/m);
	await waitForVerification(screen);
	expect(zone.writes()).toEqual(['PUT pending']);
});

test('M opens the migration of the named zone, reads it, and leads to its review', async () => {
	const screen = await drawScreen({simulate: true, zone: 'acme-shop.example'});
	await screen.waitFor(/Account +Acme/);
	screen.press('5');
	await screen.waitFor('Read the zone');
	expect(screen.line(0)).toMatch(/ledge › migration › acme-shop\.example +Acme \(simulated\) · pro/);
	screen.press('enter');
	await screen.waitFor('Continue');
	screen.press('enter');
	await screen.waitFor(/review/);
	screen.press('esc');
	await screen.waitFor('Continue');
});
