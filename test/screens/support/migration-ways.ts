import {expect} from 'vitest';
import {isPut, type MigratingZone} from '../../support/migration.ts';
import {confirm, type Path, toConfirmation, verified} from './migration-steps.ts';
import {type DrawnScreen, drawnScreen, type ScreenOptions} from './screen.tsx';
import {type AnyScreen, enterAt} from './ways.ts';

export type {Path} from './migration-steps.ts';
export {choosePath, confirm, review, toConfirmation, toEligibility, verified} from './migration-steps.ts';

export const usual = {columns: 80, rows: 24};
export const small = {columns: 60, rows: 15};

/** The variables of a ledge that works on that zone; what waits does so for a small part of its time. */
export const environmentOf = (zone: MigratingZone) => ({
	CLOUDFLARE_API_BASE_URL: zone.url,
	CLOUDFLARE_API_TOKEN: 'simulated',
	LEDGE_STATE_DIR: zone.state,
	LEDGE_TIME_SCALE: '0.03',
});

/** A person in front of the screens, with that zone. */
export async function drawnHomeOf(
	zone: MigratingZone,
	{env, ...size}: ScreenOptions = usual,
): Promise<DrawnScreen> {
	const screen = await drawnScreen(
		{zone: zone.name},
		{cwd: zone.cwd, env: {...environmentOf(zone), ...env}, ...size},
	);
	await screen.waitFor(/Account +Acme/);
	return screen;
}

/** From Home to the PUT, which gets no answer; ends when the service has it, or would have. `before`: it never sees it. */
export async function sendUnanswered(
	screen: AnyScreen,
	zone: MigratingZone,
	{when, path = 'Direct'}: {readonly when: 'before' | 'after'; readonly path?: Path},
): Promise<void> {
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
}

/** Opens the migration of a zone that has a journal, and goes on from it. */
export async function takeUp(screen: AnyScreen, standing: string | RegExp): Promise<void> {
	screen.press('M');
	await screen.waitFor(standing);
	await enterAt(screen, '▸ Continue');
}

/** Confirms what nobody sent yet, until it is in force; it is sent once. */
export async function deployOnce(screen: AnyScreen, zone: MigratingZone): Promise<void> {
	expect(zone.writes()).toEqual([]);
	await confirm(screen, zone);
	await verified(screen);
	expect(zone.writes()).toEqual(['PUT pending']);
}
