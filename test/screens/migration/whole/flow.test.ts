import {describe, expect, test} from 'vitest';
import {migratingZone} from '../../../support/migration.ts';
import {
	choosePath,
	confirm,
	drawnHomeOf,
	small,
	toConfirmation,
	usual,
	verified,
} from '../../support/migration-ways.ts';
import {drawnScreen} from '../../support/screen.tsx';
import {enterAt, lookAndEnterAt} from '../../support/ways.ts';

describe('a zone is migrated completely on the screens', () => {
	test.each(['pro', 'enterprise'] as const)('directly: %s', async plan => {
		const zone = await migratingZone({plan, migrationSeconds: 0.2});
		const screen = await drawnHomeOf(zone);
		await toConfirmation(screen, 'Direct');
		expect(zone.writes()).toEqual([]);
		await confirm(screen, zone);
		await verified(screen);
		expect(screen.text()).toContain('shop.example is migrated');
		expect(zone.writes()).toEqual(['PUT pending']);
		expect((await zone.end()).stage).toBe('complete');
	});

	test.each([usual, small])('through validation, $columns×$rows', async size => {
		const zone = await migratingZone({plan: 'enterprise', migrationSeconds: 0.2});
		const screen = await drawnHomeOf(zone, size);
		await toConfirmation(screen, 'Validation first');
		await confirm(screen, zone);
		await screen.waitFor('▸ Ready to update');
		expect((await zone.end()).stage).toBe('validation');
		await lookAndEnterAt(screen, '▸ Ready to update');
		await enterAt(screen, '▸ Turn off previous version');
		await screen.waitFor("Type the zone's name");
		expect(zone.writes()).toEqual(['PUT validation']);
		await confirm(screen, zone);
		await verified(screen);
		expect(zone.writes()).toEqual(['PUT validation', 'PUT pending']);
		expect((await zone.end()).stage).toBe('complete');
	});

	test('directly: business, after a rehearsal, which sends nothing', async () => {
		const zone = await migratingZone({plan: 'business', migrationSeconds: 0.2});
		const screen = await drawnHomeOf(zone);
		await toConfirmation(screen, 'Direct');
		screen.press('esc');
		await enterAt(screen, '▸ Rehearse in the simulated service');
		await screen.waitFor('As planned');
		expect(zone.writes()).toEqual([]);
		await enterAt(screen, '▸ Continue to the confirmation');
		await confirm(screen, zone);
		await verified(screen);
		expect(zone.writes()).toEqual(['PUT pending']);
		expect((await zone.end()).stage).toBe('complete');
	});
});

test('no repeated status is drawn while the service is at work', async () => {
	const zone = await migratingZone({migrationSeconds: 3600});
	const screen = await drawnHomeOf(zone, {env: {LEDGE_TIME_SCALE: '0.01'}});
	await toConfirmation(screen, 'Direct');
	await confirm(screen, zone);
	await screen.settled('You can close ledge');
	const asked = () =>
		new Promise<void>(resolve =>
			zone.at({
				is: ({path}) => path.endsWith('/waf_migration/status'),
				when: 'after',
				async does() {
					resolve();
				},
			}),
		);
	await asked();
	await screen.settled();
	const {frames} = screen;
	for (let times = 0; times < 6; times++) await asked();
	await screen.settled();
	expect(screen.frames).toBe(frames);
	expect(screen.text()).toContain('You can close ledge');
});

test('validation is refused below Enterprise with the reason, and the direct path remains', async () => {
	const zone = await migratingZone({plan: 'business'});
	const screen = await drawnHomeOf(zone);
	await toConfirmation(screen, 'Direct');
	screen.press('esc', 'esc');
	await screen.waitFor('▸ Direct');
	screen.press('down');
	await enterAt(screen, '▸ Validation first');
	await screen.waitFor('! Enterprise plan only; this zone is on the business plan.');
	await screen.answerTo('up');
	await choosePath(screen, 'Direct');
	expect(zone.writes()).toEqual([]);
});

test('a name other than that of the zone sends nothing', async () => {
	const zone = await migratingZone();
	const screen = await drawnHomeOf(zone);
	await toConfirmation(screen, 'Direct');
	screen.type('shop.exampl');
	await lookAndEnterAt(screen, 'shop.exampl\n');
	await screen.waitFor('Does not match. Type shop.example.');
	screen.type('e');
	expect(zone.writes()).toEqual([]);
	await lookAndEnterAt(screen, /^\W*shop\.example$/m);
	await verified(screen);
	expect(zone.writes()).toEqual(['PUT pending']);
});

test('M opens the migration of the named zone, reads it, and leads to its review', async () => {
	const screen = await drawnScreen({simulate: true, zone: 'acme-shop.example'});
	await screen.waitFor(/Account +Acme/);
	screen.press('M');
	await screen.waitFor('Read the zone');
	expect(screen.line(0)).toMatch(/ledge › migration › acme-shop\.example +Acme \(simulated\) · pro/);
	screen.press('enter');
	await screen.waitFor('Continue');
	screen.press('enter');
	await screen.waitFor(/review/);
	screen.press('esc');
	await screen.waitFor('Continue');
});
