import {describe, expect, test} from 'vitest';
import {lookingTime} from '../../../source/store/review-state.ts';
import {isPut, type MigratingZone, migratingZone} from '../../support/migration.ts';
import {openScreen, type Screen} from '../screen/open.ts';

const usual = {columns: 80, rows: 24};
const small = {columns: 60, rows: 15};

/** A person in front of the screens, with that zone. */
async function atHome(zone: MigratingZone, size = usual): Promise<Screen> {
	const screen = await openScreen(['--zone', zone.name], {
		cwd: zone.cwd,
		env: {
			CLOUDFLARE_API_BASE_URL: zone.url,
			CLOUDFLARE_API_TOKEN: 'simulated',
			LEDGE_STATE_DIR: zone.state,
			LEDGE_TIME_SCALE: '0.01',
		},
		...size,
	});
	await screen.waitFor(/Account +Acme/);
	return screen;
}

/** Presses enter where that is shown. */
async function enterAt(screen: Screen, shown: string | RegExp): Promise<void> {
	await screen.waitFor(shown);
	screen.press('enter');
}

/** The same where it has to be looked at first. */
async function lookAndEnterAt(screen: Screen, shown: string | RegExp): Promise<void> {
	await screen.settled(shown, {quiet: lookingTime + 100});
	screen.press('enter');
}

/** Reads what is reviewed to its end; gives how many pages that were. */
async function review(screen: Screen): Promise<number> {
	for (let pages = 1; ; pages++) {
		await screen.settled(/⏎ (read on|I have reviewed this)/);
		if (screen.text().includes('⏎ I have reviewed')) {
			await lookAndEnterAt(screen, '⏎ I have reviewed this');
			return pages;
		}
		screen.press('enter');
	}
}

/** From Home to the question for the name of the zone. */
async function toConfirmation(screen: Screen, path: 'Direct' | 'Validation first'): Promise<void> {
	screen.press('M');
	await enterAt(screen, '▸ Read the zone');
	await enterAt(screen, '▸ Go on');
	await review(screen);
	await screen.waitFor(/▸ (Direct|Validation first)/);
	if (!screen.text().includes(`▸ ${path}`)) screen.press('down');
	await enterAt(screen, `▸ ${path}`);
	await screen.waitFor('▸ Rehearse it');
	screen.press('down');
	await enterAt(screen, '▸ Go on without a rehearsal');
	await screen.waitFor("Type the zone's name");
}

async function confirm(screen: Screen, zone: MigratingZone): Promise<void> {
	await screen.waitFor("Type the zone's name");
	screen.type(zone.name);
	await lookAndEnterAt(screen, zone.name);
}

describe('a zone is taken all the way by the screens', () => {
	test.each([
		{plan: 'pro', ...usual},
		{plan: 'business', ...usual},
		{plan: 'enterprise', ...usual},
		{plan: 'pro', ...small},
	] as const)('directly: $plan, $columns×$rows', async ({plan, ...size}) => {
		const zone = await migratingZone({plan, migrationSeconds: 0.2});
		const screen = await atHome(zone, size);
		await toConfirmation(screen, 'Direct');
		await confirm(screen, zone);
		await screen.waitFor('Verified by reading: it is what was reviewed.');
		expect(screen.text()).toContain('shop.example is migrated');
		expect(zone.writes()).toEqual(['PUT pending']);
		expect((await zone.end()).stage).toBe('complete');
	});

	test.each([usual, small])('through validation, $columns×$rows', async size => {
		const zone = await migratingZone({plan: 'enterprise', migrationSeconds: 0.2});
		const screen = await atHome(zone, size);
		await toConfirmation(screen, 'Validation first');
		await confirm(screen, zone);
		await lookAndEnterAt(screen, '▸ Ready to update');
		await enterAt(screen, '▸ Turn off previous version');
		await confirm(screen, zone);
		await screen.waitFor('Verified by reading: it is what was reviewed.');
		expect(zone.writes()).toEqual(['PUT validation', 'PUT pending']);
		expect((await zone.end()).stage).toBe('complete');
	});

	test('after it was rehearsed, which sends nothing', async () => {
		const zone = await migratingZone({plan: 'business', migrationSeconds: 0.2});
		const screen = await atHome(zone);
		await toConfirmation(screen, 'Direct');
		screen.press('esc');
		await enterAt(screen, '▸ Rehearse it');
		await screen.waitFor('As planned');
		expect(zone.writes()).toEqual([]);
		await enterAt(screen, '▸ Go on to the confirmation');
		await confirm(screen, zone);
		await screen.waitFor('Verified by reading');
		expect(zone.writes()).toEqual(['PUT pending']);
	});
});

/** The ways in which a ledge can be gone while the answer to its PUT is out. */
const ends = {
	'a SIGHUP': screen => screen.kill('SIGHUP'),
	'a dropped line': screen => screen.hangUp(),
	'kill -9': screen => screen.kill('SIGKILL'),
} as const satisfies Record<string, (screen: Screen) => void>;
const endNames = Object.keys(ends) as (keyof typeof ends)[];

/** Sends the PUT, which gets no answer, and is gone. */
async function endedAtPut(
	zone: MigratingZone,
	when: 'before' | 'after',
	end: keyof typeof ends,
	path: 'Direct' | 'Validation first' = 'Direct',
) {
	const screen = await atHome(zone);
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
	ends[end](screen);
	await screen.ended;
}

describe('a PUT whose answer nobody waited for', () => {
	test.each(endNames)('is found to be taken after %s, and is not sent again', async end => {
		const zone = await migratingZone({migrationSeconds: 0.2});
		await endedAtPut(zone, 'after', end);
		const screen = await atHome(zone);
		screen.press('M');
		await enterAt(screen, '▸ Go on');
		await screen.waitFor('Verified by reading: it is what was reviewed.');
		expect(zone.writes()).toEqual(['PUT pending']);
	});

	test('leads on to the end where it began validation', async () => {
		const zone = await migratingZone({plan: 'enterprise', migrationSeconds: 0.2});
		await endedAtPut(zone, 'after', 'kill -9', 'Validation first');
		const screen = await atHome(zone);
		screen.press('M');
		await enterAt(screen, '▸ Go on');
		await lookAndEnterAt(screen, '▸ Ready to update');
		await enterAt(screen, '▸ Turn off previous version');
		await confirm(screen, zone);
		await screen.waitFor('Verified by reading: it is what was reviewed.');
		expect(zone.writes()).toEqual(['PUT validation', 'PUT pending']);
	});

	test('is confirmed anew where it never arrived, and is then sent once', async () => {
		const zone = await migratingZone({migrationSeconds: 0.2});
		await endedAtPut(zone, 'before', 'kill -9');
		const screen = await atHome(zone);
		screen.press('M');
		await enterAt(screen, '▸ Go on');
		await screen.waitFor('The answer is lost');
		// What was reviewed is still the next thing to send; the confirmation of before counts for nothing.
		await screen.waitFor("Type the zone's name", {within: 20_000});
		expect(screen.text()).toMatch(/not there after five\s.*minutes of looking/s);
		expect(zone.writes()).toEqual([]);
		await confirm(screen, zone);
		await screen.waitFor('Verified by reading: it is what was reviewed.');
		expect(zone.writes()).toEqual(['PUT pending']);
	});
});

test('a zone that another session took on between review and confirmation is shown, and nothing is sent', async () => {
	const zone = await migratingZone();
	const screen = await atHome(zone);
	await toConfirmation(screen, 'Direct');
	await zone.elsewhere('pending');
	const before = zone.writes();
	await confirm(screen, zone);
	await screen.waitFor('Someone else took shop.example on');
	expect(zone.writes()).toEqual(before);
	await lookAndEnterAt(screen, '▸ I have seen what someone else did');
	await screen.waitFor('shop.example is migrated');
	expect(zone.writes()).toEqual(before);
});

test('while the service is at work nothing is drawn that says the same', async () => {
	const zone = await migratingZone({migrationSeconds: 3600});
	const screen = await atHome(zone);
	await toConfirmation(screen, 'Direct');
	await confirm(screen, zone);
	await screen.settled('is being turned off', {quiet: 200});
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
	const mark = screen.mark();
	for (let times = 0; times < 6; times++) await asked();
	await screen.settled(undefined, {quiet: 200});
	expect(screen.since(mark).text).toBe('');
	expect(screen.text()).toContain('ledge may be closed');
});
