import {expect} from 'vitest';
import {isPut, type MigratingZone} from '../../support/migration.ts';
import {confirm, goToConfirmation, type Path, waitForVerification} from './migration-steps.ts';
import {type DrawnScreen, drawScreen, type ScreenOptions} from './screen.tsx';
import {type AnyScreen, pressEnterWhenShown} from './ways.ts';

export type {Path} from './migration-steps.ts';
export {
	choosePath,
	confirm,
	confirmMigrationReview,
	goToConfirmation,
	goToEligibility,
	waitForVerification,
} from './migration-steps.ts';

export const usualSize = {columns: 80, rows: 24};
export const smallSize = {columns: 60, rows: 15};

/** The variables of a ledge that works on this zone. Waits take 3 % of their time. */
export const buildEnvironment = (zone: MigratingZone) => ({
	CLOUDFLARE_API_BASE_URL: zone.url,
	CLOUDFLARE_API_TOKEN: 'simulated',
	LEDGE_STATE_DIR: zone.state,
	LEDGE_TIME_SCALE: '0.03',
});

/** Draws Home of a ledge that works on this zone. */
export async function drawHomeOfZone(
	zone: MigratingZone,
	{env, ...size}: ScreenOptions = usualSize,
): Promise<DrawnScreen> {
	const screen = await drawScreen(
		{zone: zone.name},
		{cwd: zone.cwd, env: {...buildEnvironment(zone), ...env}, ...size},
	);
	await screen.waitFor(/Account +Acme/);
	return screen;
}

/**
 * Goes from Home to the PUT, which gets no response. Resolves when it arrives. The service processes it only
 * with `when: 'after'`.
 */
export async function sendUnanswered(
	screen: AnyScreen,
	zone: MigratingZone,
	{when, path = 'Direct'}: {readonly when: 'before' | 'after'; readonly path?: Path},
): Promise<void> {
	await goToConfirmation(screen, path);
	const putReceived = new Promise<void>(resolve =>
		zone.onCall({
			is: isPut,
			when,
			does() {
				resolve();
				return 'hold';
			},
		}),
	);
	await confirm(screen, zone);
	await putReceived;
}

/** Opens the migration of a zone that has a journal, and continues it. */
export async function resumeFoundMigration(screen: AnyScreen, expectedState: string | RegExp): Promise<void> {
	screen.press('5');
	await screen.waitFor(expectedState);
	await pressEnterWhenShown(screen, '▸ Continue');
}

/** Confirms a configuration that was not sent yet, waits until it is active, and expects a single PUT. */
export async function deployOnce(screen: AnyScreen, zone: MigratingZone): Promise<void> {
	expect(zone.writes()).toEqual([]);
	await confirm(screen, zone);
	await waitForVerification(screen);
	expect(zone.writes()).toEqual(['PUT pending']);
}
