import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {
	buildOverride,
	createMigratingZone,
	type MigratingZone,
	type ZoneParts,
} from '../../../support/migration.ts';
import {
	choosePath,
	confirm,
	confirmMigrationReview,
	drawHomeOfZone,
	goToConfirmation,
	goToEligibility,
	smallSize,
	usualSize,
	waitForVerification,
} from '../../support/migration-ways.ts';
import type {DrawnScreen} from '../../support/screen.tsx';
import {pressEnterWhenShown} from '../../support/ways.ts';

const firstOverride = buildOverride('0a'.repeat(16));
const secondOverride = buildOverride('0b'.repeat(16));

/** True if a backup of the zone contains the override. */
const isBackedUp = (zone: MigratingZone, id: unknown): boolean =>
	zone
		.files()
		.some(path => path.endsWith('snapshot.json') && readFileSync(path, 'utf8').includes(String(id)));

/** Goes through the pages that list the overrides to delete, up to the question; returns what was shown. */
async function readOverrideList(screen: DrawnScreen): Promise<string> {
	const pageTexts = [screen.text()];
	while (screen.text().includes('(list')) {
		screen.press('y');
		await screen.settled();
		pageTexts.push(screen.text());
	}
	return pageTexts.join('\n');
}

/** Moves to an override among the blockers, deletes it, and waits until the zone was read without it. */
async function deleteOverride(screen: DrawnScreen, id: string): Promise<void> {
	const idStart = id.slice(0, 12);
	while (!screen.lines().some(line => line.includes('▸') && line.includes(idStart)))
		await screen.pressAndAwaitFrame('down');
	screen.press('d');
	await screen.waitFor('Delete this override?');
	await readOverrideList(screen);
	screen.press('y');
	await screen.waitFor(
		// In a low terminal the message hides the last rows.
		shown =>
			/✓ None|✓ Nothing|× Nothing|Deleted 1 override/.test(shown.text()) && !shown.text().includes(idStart),
	);
}

test.each([
	usualSize,
	smallSize,
])('URI-based overrides are deleted one by one after a backup of each, and the zone is migrated, $columns×$rows', async size => {
	const zone = await createMigratingZone({
		plan: 'enterprise',
		overrides: [firstOverride, secondOverride],
		migrationSeconds: 0.2,
	});
	const wereBackedUp: boolean[] = [];
	const screen = await drawHomeOfZone(zone, size);
	await goToEligibility(screen);
	expect(screen.text()).toContain('is not eligible');
	screen.press('enter');
	await screen.waitFor('URI-based override');
	for (const {id} of [firstOverride, secondOverride]) {
		zone.onCall({
			is: ({method}) => method === 'DELETE',
			when: 'before',
			async does() {
				wereBackedUp.push(isBackedUp(zone, id));
			},
		});
		await deleteOverride(screen, String(id));
	}
	expect(wereBackedUp).toEqual([true, true]);
	await pressEnterWhenShown(screen, 'Nothing blocks the migration');
	await confirmMigrationReview(screen);
	await choosePath(screen, 'Direct');
	await confirm(screen, zone);
	await waitForVerification(screen);
	expect(zone.writes()).toEqual([
		`DELETE firewall/waf/overrides/${firstOverride.id}`,
		`DELETE firewall/waf/overrides/${secondOverride.id}`,
		'PUT pending',
	]);
});

/** Goes to the blockers of a zone. */
async function goToBlockers(screen: DrawnScreen): Promise<void> {
	await goToEligibility(screen);
	screen.press('enter');
	await screen.waitFor('Nothing is sent to a zone that is not eligible.');
}

describe('deleting all overrides', () => {
	test.each([
		usualSize,
		smallSize,
	])('names them and deletes them in one confirmed step, $columns×$rows', async size => {
		const zone = await createMigratingZone({plan: 'enterprise', overrides: [firstOverride, secondOverride]});
		const screen = await drawHomeOfZone(zone, size);
		await goToEligibility(screen);
		screen.press('enter');
		await screen.waitFor('URI-based override');
		screen.press('D');
		await screen.waitFor('Delete 2 overrides?');
		const listText = await readOverrideList(screen);
		for (const {description, urls} of [firstOverride, secondOverride])
			for (const text of [`"${description}"`, ...(urls as string[])]) expect(listText).toContain(text);
		expect(listText).toContain('sets rule 100015: disable, block → challenge');
		screen.press('y');
		await screen.waitFor('Nothing blocks the migration');
		expect(screen.text().replaceAll(/\s+/g, '')).toContain('ledgemigrationoverridesrestorebackup-');
		expect(zone.writes()).toEqual([
			`DELETE firewall/waf/overrides/${firstOverride.id}`,
			`DELETE firewall/waf/overrides/${secondOverride.id}`,
		]);
		expect([isBackedUp(zone, firstOverride.id), isBackedUp(zone, secondOverride.id)]).toEqual([true, true]);
	});

	test('keeps an override that someone else changes meanwhile, and lists it', async () => {
		const zone = await createMigratingZone({plan: 'enterprise', overrides: [firstOverride, secondOverride]});
		const screen = await drawHomeOfZone(zone);
		await goToBlockers(screen);
		screen.press('D');
		await screen.waitFor('Delete 2 overrides?');
		await zone.ask('PUT', `/firewall/waf/overrides/${firstOverride.id}`, {...firstOverride, paused: true});
		screen.press('y');
		await screen.waitFor(/Kept override/);
		expect(screen.text()).toContain('someone else changed it');
		expect(zone.writes().filter(write => write.startsWith('DELETE'))).toEqual([
			`DELETE firewall/waf/overrides/${secondOverride.id}`,
		]);
	});

	test('asks for the name of the zone if an override blocks more than the rules', async () => {
		const strict = {...secondOverride, rules: {'100016': 'block'}};
		const zone = await createMigratingZone({plan: 'enterprise', overrides: [firstOverride, strict]});
		const screen = await drawHomeOfZone(zone);
		await goToBlockers(screen);
		screen.press('D');
		await screen.waitFor('Deleting 1 of these 2 overrides lowers the protection of shop.example.');
		expect(screen.text()).toMatch(/lowers\W+protection: rule 100016 from block to an unknown/);
		screen.press('y', 'enter');
		await screen.waitFor('Does not match');
		expect(zone.writes()).toEqual([]);
	});
});

test('e goes from a blocking firewall rule to that rule in its list, and esc goes back', async () => {
	const zone = await createMigratingZone({bypasses: 201});
	const screen = await drawHomeOfZone(zone);
	await goToBlockers(screen);
	screen.press('down', 'down', 'down', 'e');
	await screen.waitFor(shown => shown.text().includes('bypass') && shown.text().includes('/2"'));
	screen.press('esc');
	await screen.waitFor('Nothing is sent to a zone that is not eligible.');
});

test('e goes from an expression that is too long to its editor', async () => {
	const expression = `ip.src eq ${'198.51.100.1'.padEnd(4097 - 'ip.src eq '.length)}`;
	const zone = await createMigratingZone({expression});
	const screen = await drawHomeOfZone(zone);
	await goToBlockers(screen);
	screen.press('down', 'e');
	await screen.waitFor(/4,?097/);
});

describe('nothing is sent to a zone that is not eligible', () => {
	const cases: Readonly<Record<string, ZoneParts & {readonly says: string}>> = {
		'an override that is left': {plan: 'enterprise', overrides: [firstOverride], says: 'URI-based override'},
		'what the service says without a reason': {
			compatible: false,
			says: 'reports that the zone is not eligible',
		},
		'201 firewall rules': {bypasses: 201, says: '201 firewall rules bypass'},
		'an expression of 4,097 bytes': {
			expression: `ip.src eq ${'198.51.100.1'.padEnd(4097 - 'ip.src eq '.length)}`,
			says: '(4097',
		},
	};

	test.each(Object.entries(cases))('%s', async (_name, {says, ...parts}) => {
		const zone = await createMigratingZone(parts);
		const screen = await drawHomeOfZone(zone);
		await goToEligibility(screen);
		expect(screen.text()).toContain('is not eligible:');
		screen.press('enter');
		await screen.waitFor('Nothing is sent to a zone that is not eligible.');
		expect(screen.text()).toContain(says);
		screen.press('enter');
		await screen.waitFor("! The zone can't migrate yet");
		// Going back offers only to continue, which leads to the blockers again.
		screen.press('esc');
		await pressEnterWhenShown(screen, '▸ Continue');
		await screen.waitFor('Nothing is sent to a zone that is not eligible.');
		expect(zone.writes()).toEqual([]);
	});

	test('a zone that becomes ineligible after the review', async () => {
		const zone = await createMigratingZone({plan: 'enterprise'});
		const screen = await drawHomeOfZone(zone);
		await goToConfirmation(screen, 'Direct');
		const {id} = await zone.ask('POST', '/firewall/waf/overrides', firstOverride);
		await confirm(screen, zone);
		await screen.waitFor("× shop.example isn't eligible for migration; nothing was sent.");
		await pressEnterWhenShown(screen, '▸ Continue');
		await screen.waitFor(`◆ ${id}`);
		expect(zone.writes()).toEqual(['POST firewall/waf/overrides']);
	});
});
