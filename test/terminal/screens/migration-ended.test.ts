import {describe, expect, test} from 'vitest';
import {
	choosePath,
	confirm,
	enterAt,
	lookAndEnterAt,
	type Path,
	review,
	takeUp,
	toConfirmation,
	toEligibility,
	verified,
} from '../../screens/support/migration-ways.ts';
import {isPut, type MigratingZone, migratingZone} from '../../support/migration.ts';
import type {Screen} from '../screen/open.ts';
import {atHomeOf} from './migration-ways.ts';

/** The ways in which a ledge can be gone. */
const ends = {
	'a SIGHUP': screen => screen.kill('SIGHUP'),
	'a dropped line': screen => screen.hangUp(),
	'kill -9': screen => screen.kill('SIGKILL'),
} as const satisfies Record<string, (screen: Screen) => void>;
type End = keyof typeof ends;

async function endBy(screen: Screen, end: End): Promise<void> {
	ends[end](screen);
	await screen.ended;
}

/** Sends the PUT, which gets no answer, and is gone. `before`: the service never saw it. */
async function endedAtPut(
	zone: MigratingZone,
	when: 'before' | 'after',
	end: End,
	path: Path = 'Direct',
): Promise<void> {
	const screen = await atHomeOf(zone);
	await toConfirmation(screen, path);
	const arrived = new Promise<void>(resolve =>
		zone.at({
			is: isPut,
			when,
			does() {
				resolve();
				return 'hold';
			},
		}),
	);
	await confirm(screen, zone);
	await arrived;
	await endBy(screen, end);
}

describe('a PUT whose answer nobody waited for', () => {
	test.each([
		'a SIGHUP',
		'kill -9',
	] as const)('is found to be taken after %s, and is not sent again', async end => {
		const zone = await migratingZone({migrationSeconds: 0.2});
		await endedAtPut(zone, 'after', end);
		const screen = await atHomeOf(zone);
		await takeUp(screen, 'The journal of this zone was found');
		await verified(screen);
		expect(zone.writes()).toEqual(['PUT pending']);
	});

	test('leads on to the end where it began validation', async () => {
		const zone = await migratingZone({plan: 'enterprise', migrationSeconds: 0.2});
		await endedAtPut(zone, 'after', 'a dropped line', 'Validation first');
		const screen = await atHomeOf(zone);
		await takeUp(screen, 'The journal of this zone was found');
		await lookAndEnterAt(screen, '▸ Ready to update');
		await enterAt(screen, '▸ Turn off previous version');
		await confirm(screen, zone);
		await verified(screen);
		expect(zone.writes()).toEqual(['PUT validation', 'PUT pending']);
	});

	test('is confirmed anew where it never arrived, and is then sent once', async () => {
		const zone = await migratingZone({migrationSeconds: 0.2});
		await endedAtPut(zone, 'before', 'kill -9');
		const screen = await atHomeOf(zone, {env: {LEDGE_TIME_SCALE: '0.01'}});
		await takeUp(screen, 'The journal of this zone was found');
		await screen.waitFor('The answer is lost');
		// What was reviewed is still the next thing to send; the confirmation of before counts for nothing.
		await screen.waitFor("Type the zone's name", {within: 20_000});
		expect(screen.text()).toMatch(/not there after five\s.*minutes of looking/s);
		expect(zone.writes()).toEqual([]);
		await confirm(screen, zone);
		await verified(screen);
		expect(zone.writes()).toEqual(['PUT pending']);
	});
});

describe('what was left before anything was sent goes on where it stood', () => {
	test.each(['a SIGHUP', 'kill -9'] as const)('at the review, after %s', async end => {
		const zone = await migratingZone({migrationSeconds: 0.2});
		const first = await atHomeOf(zone);
		await toEligibility(first);
		first.press('enter');
		await first.waitFor(/⏎ (read on|I have reviewed this)/);
		await endBy(first, end);
		const screen = await atHomeOf(zone);
		await takeUp(screen, 'The journal of this zone was found');
		await review(screen);
		await choosePath(screen, 'Direct');
		expect(zone.writes()).toEqual([]);
		await confirm(screen, zone);
		await verified(screen);
		expect(zone.writes()).toEqual(['PUT pending']);
	});

	test('behind the review, with the name of the zone half typed, after a dropped line', async () => {
		const zone = await migratingZone({migrationSeconds: 0.2});
		const first = await atHomeOf(zone);
		await toConfirmation(first, 'Direct');
		first.type('shop.ex');
		await first.waitFor(/shop\.ex$/m);
		await endBy(first, 'a dropped line');
		const screen = await atHomeOf(zone);
		// What was reviewed is not reviewed again; what was confirmed, or nearly, is asked anew.
		await takeUp(screen, /a configuration was reviewed/);
		await choosePath(screen, 'Direct');
		expect(screen.text()).toMatch(/Type the zone's name to continue:\s*$/m);
		expect(zone.writes()).toEqual([]);
		await confirm(screen, zone);
		await verified(screen);
		expect(zone.writes()).toEqual(['PUT pending']);
	});
});

/** The service is at work for as long as that is not taken back. */
const atWork = 'stage=pending path=/waf_migration/status';

describe('what was left while the service was at work is watched on, and nothing is sent again', () => {
	test.each(['a SIGHUP', 'kill -9'] as const)('after %s', async end => {
		const zone = await migratingZone({migrationSeconds: 0.2});
		const first = await atHomeOf(zone);
		await toConfirmation(first, 'Direct');
		zone.at({is: isPut, when: 'after', does: async () => zone.faults(atWork)});
		await confirm(first, zone);
		await first.waitFor('is being turned off');
		await endBy(first, end);
		const screen = await atHomeOf(zone);
		await takeUp(screen, 'the previous version is being');
		await screen.waitFor('ledge may be closed');
		zone.faults('');
		await verified(screen);
		expect(zone.writes()).toEqual(['PUT pending']);
	});

	test('with both versions on, and said to be ready, after kill -9', async () => {
		const zone = await migratingZone({plan: 'enterprise', migrationSeconds: 0.2});
		const first = await atHomeOf(zone);
		await toConfirmation(first, 'Validation first');
		await confirm(first, zone);
		await lookAndEnterAt(first, '▸ Ready to update');
		await first.waitFor('▸ Turn off previous version');
		await endBy(first, 'kill -9');
		const screen = await atHomeOf(zone);
		await takeUp(screen, 'both versions are on');
		await screen.waitFor("Type the zone's name");
		expect(zone.writes()).toEqual(['PUT validation']);
		await confirm(screen, zone);
		await verified(screen);
		expect(zone.writes()).toEqual(['PUT validation', 'PUT pending']);
	});
});
