import {expect} from 'vitest';
import {isPut, type MigratingZone} from '../../support/migration.ts';
import {type DrawnScreen, drawnScreen, type ScreenOptions} from './screen.tsx';
import {type AnyScreen, enterAt, lookAndEnterAt} from './ways.ts';

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

/** From Home to what the service says of the zone. */
export async function toEligibility(screen: AnyScreen): Promise<void> {
	screen.press('M');
	await enterAt(screen, '▸ Read the zone');
	await screen.waitFor('▸ Continue');
}

/** Reads what is reviewed to its end, and says so. */
export async function review(screen: AnyScreen): Promise<void> {
	await screen.waitFor(/⏎ (read on|I have reviewed this)/);
	while (screen.text().includes('⏎ read on')) {
		const before = screen.text();
		screen.press('enter');
		await screen.waitFor(() => screen.text() !== before);
	}
	await lookAndEnterAt(screen, '⏎ I have reviewed this');
}

export type Path = 'Direct' | 'Validation first';

/** From the choice of the path to the question for the name of the zone. */
export async function choosePath(screen: AnyScreen, path: Path): Promise<void> {
	await screen.waitFor(/▸ (Direct|Validation first)/);
	if (!screen.text().includes(`▸ ${path}`)) screen.press('down');
	await enterAt(screen, `▸ ${path}`);
	await screen.waitFor('▸ Rehearse it');
	screen.press('down');
	await enterAt(screen, '▸ Continue without a rehearsal');
	await screen.waitFor("Type the zone's name");
}

/** From Home to the question for the name of the zone. */
export async function toConfirmation(screen: AnyScreen, path: Path): Promise<void> {
	await toEligibility(screen);
	screen.press('enter');
	await review(screen);
	await choosePath(screen, path);
}

/** Types the name of the zone below the question for it, and sends. */
export async function confirm(screen: AnyScreen, {name}: Pick<MigratingZone, 'name'>): Promise<void> {
	await screen.waitFor("Type the zone's name");
	screen.type(name);
	await lookAndEnterAt(screen, () => screen.text().split("Type the zone's name")[1]?.includes(name) === true);
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

/** Until what is deployed was read, and is what was reviewed. */
export const verified = (screen: AnyScreen): Promise<void> =>
	screen.waitFor('Verified by reading: it is what was reviewed.');

/** Confirms what nobody sent yet, until it is in force; it is sent once. */
export async function deployOnce(screen: AnyScreen, zone: MigratingZone): Promise<void> {
	expect(zone.writes()).toEqual([]);
	await confirm(screen, zone);
	await verified(screen);
	expect(zone.writes()).toEqual(['PUT pending']);
}
