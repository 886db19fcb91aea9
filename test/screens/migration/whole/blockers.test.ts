import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {type MigratingZone, migratingZone, override, type ZoneParts} from '../../../support/migration.ts';
import {
	choosePath,
	confirm,
	drawnHomeOf,
	review,
	small,
	toConfirmation,
	toEligibility,
	usual,
	verified,
} from '../../support/migration-ways.ts';
import type {DrawnScreen} from '../../support/screen.tsx';
import {enterAt} from '../../support/ways.ts';

const one = override('0a'.repeat(16));
const other = override('0b'.repeat(16));

/** Whether a backup of the zone holds an override. */
const isBackedUp = (zone: MigratingZone, id: unknown): boolean =>
	zone
		.files()
		.some(path => path.endsWith('snapshot.json') && readFileSync(path, 'utf8').includes(String(id)));

/** Moves to an override among the blockers, deletes it, and waits until the zone was read without it. */
async function deleteOverride(screen: DrawnScreen, id: string): Promise<void> {
	const start = id.slice(0, 12);
	while (!screen.lines().some(line => line.includes('▸') && line.includes(start)))
		await screen.answerTo('down');
	screen.press('d');
	await screen.waitFor('Delete this override?');
	screen.press('y');
	await screen.waitFor(
		shown => /✓ None|✓ Nothing|× Nothing/.test(shown.text()) && !shown.text().includes(start),
	);
}

test.each([
	usual,
	small,
])('URI-based overrides are deleted one by one, each backed up before, and the zone goes on, $columns×$rows', async size => {
	const zone = await migratingZone({
		plan: 'enterprise',
		overrides: [one, other],
		migrationSeconds: 0.2,
	});
	const wereBackedUp: boolean[] = [];
	const screen = await drawnHomeOf(zone, size);
	await toEligibility(screen);
	expect(screen.text()).toContain('is not eligible');
	screen.press('enter');
	await screen.waitFor('URI-based override');
	for (const {id} of [one, other]) {
		zone.at({
			is: ({method}) => method === 'DELETE',
			when: 'before',
			async does() {
				wereBackedUp.push(isBackedUp(zone, id));
			},
		});
		await deleteOverride(screen, String(id));
	}
	expect(wereBackedUp).toEqual([true, true]);
	await enterAt(screen, 'Nothing stands against the migration');
	await review(screen);
	await choosePath(screen, 'Direct');
	await confirm(screen, zone);
	await verified(screen);
	expect(zone.writes()).toEqual([
		`DELETE firewall/waf/overrides/${one.id}`,
		`DELETE firewall/waf/overrides/${other.id}`,
		'PUT pending',
	]);
});

describe('nothing is sent to a zone that is not eligible', () => {
	const cases: Readonly<Record<string, ZoneParts & {readonly says: string}>> = {
		'an override that is left': {plan: 'enterprise', overrides: [one], says: 'URI-based override'},
		'what the service says without a reason': {
			compatible: false,
			says: 'reports that the zone is not eligible',
		},
		'201 firewall rules': {bypasses: 201, says: '201 firewall rules bypass'},
		'an expression of 4,097 bytes': {
			expression: `ip.src eq ${'198.51.100.1'.padEnd(4097 - 'ip.src eq '.length)}`,
			says: 'has 4097',
		},
	};

	test.each(Object.entries(cases))('%s', async (_name, {says, ...parts}) => {
		const zone = await migratingZone(parts);
		const screen = await drawnHomeOf(zone);
		await toEligibility(screen);
		expect(screen.text()).toContain('is not eligible:');
		screen.press('enter');
		await screen.waitFor('Nothing is sent to a zone that is not eligible.');
		expect(screen.text()).toContain(says);
		screen.press('enter');
		await screen.waitFor('! It cannot migrate as it is');
		// The way back, and all that is left from there.
		screen.press('esc');
		await enterAt(screen, '▸ Continue');
		await screen.waitFor('Nothing is sent to a zone that is not eligible.');
		expect(zone.writes()).toEqual([]);
	});

	test('one that became so behind the review', async () => {
		const zone = await migratingZone({plan: 'enterprise'});
		const screen = await drawnHomeOf(zone);
		await toConfirmation(screen, 'Direct');
		const {id} = await zone.ask('POST', '/firewall/waf/overrides', one);
		await confirm(screen, zone);
		await screen.waitFor('× shop.example cannot migrate as it is; nothing was sent.');
		await enterAt(screen, '▸ Continue');
		await screen.waitFor(`◆ ${id}`);
		expect(zone.writes()).toEqual(['POST firewall/waf/overrides']);
	});
});
