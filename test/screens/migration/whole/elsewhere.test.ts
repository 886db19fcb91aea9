import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {isPut, type MigratingZone, migratingZone, type Point} from '../../../support/migration.ts';
import {
	choosePath,
	confirm,
	drawnHomeOf,
	small,
	toConfirmation,
	verified,
} from '../../support/migration-ways.ts';
import {lookAndEnterAt} from '../../support/ways.ts';

const isStatus: Point['is'] = ({path}) => path.endsWith('/waf_migration/status');

/** What another process did to the zone, with a state directory of its own. */
async function byCommand(zone: MigratingZone, word: 'deploy' | 'validate'): Promise<void> {
	const more = {env: {LEDGE_STATE_DIR: join(zone.cwd, 'elsewhere')}};
	await zone.run(['plan', 'c.json'], more);
	const {code, stderr} = await zone.send(word, more);
	expect(`${code}${code === 0 ? '' : stderr}`).toBe('0');
}

describe('changes made elsewhere between review and confirmation are noticed, and nothing is sent', () => {
	test('the whole migration, by a command', async () => {
		const zone = await migratingZone();
		const screen = await drawnHomeOf(zone);
		await toConfirmation(screen, 'Direct');
		await byCommand(zone, 'deploy');
		await confirm(screen, zone);
		await screen.waitFor('shop.example was changed elsewhere');
		await lookAndEnterAt(screen, '▸ I have seen the changes: continue from there');
		await screen.waitFor('shop.example is migrated');
		expect(zone.writes()).toEqual(['PUT pending']);
	});

	test('its validation, by a command', async () => {
		const zone = await migratingZone({plan: 'enterprise', migrationSeconds: 0.2});
		const screen = await drawnHomeOf(zone);
		await toConfirmation(screen, 'Direct');
		await byCommand(zone, 'validate');
		await confirm(screen, zone);
		await screen.waitFor('shop.example was changed elsewhere');
		expect(zone.writes()).toEqual(['PUT validation']);
	});

	test('an unknown stage', async () => {
		const zone = await migratingZone();
		const screen = await drawnHomeOf(zone);
		await toConfirmation(screen, 'Direct');
		zone.faults('stage=half-way');
		await confirm(screen, zone);
		await screen.waitFor('The service reports an unknown state');
		expect(screen.text()).toContain('half-way');
		await screen.settled();
		expect(zone.writes()).toEqual([]);
	});
});

describe('a PUT with a lost response is looked up on screen and never sent again', () => {
	/** What becomes of the answer to a PUT that the service took. */
	const lost = {
		'cut before the answer': zone => zone.at({is: isPut, when: 'after', does: () => 'cut'}),
		'an answer of 502 to what was taken': zone => zone.faults('late-status=502 method=PUT'),
	} as const satisfies Record<string, (zone: MigratingZone) => void>;

	test.each(Object.entries(lost))('%s', async (_name, lose) => {
		const zone = await migratingZone({migrationSeconds: 0.2});
		const screen = await drawnHomeOf(zone);
		await toConfirmation(screen, 'Direct');
		// The first look behind it gets its answer once the screen says that it is looked for.
		const isSaid = new Promise<void>((resolve, reject) => {
			const said = () => screen.waitFor('response lost: reading the current state').then(resolve, reject);
			zone.at({
				is: isPut,
				when: 'before',
				async does() {
					zone.at({is: isStatus, when: 'before', does: said});
					lose(zone);
				},
			});
		});
		await confirm(screen, zone);
		await isSaid;
		expect(screen.text()).toContain('The response to the PUT was lost');
		expect(screen.text()).toContain('Nothing is sent again in the meantime');
		expect(screen.text()).not.toContain('turning the previous version off');
		await verified(screen);
		expect(zone.writes()).toEqual(['PUT pending']);
	});

	test('a PUT cut before the service received it is checked for five minutes, then sent, 60×15', async () => {
		const zone = await migratingZone({migrationSeconds: 0.2});
		const screen = await drawnHomeOf(zone, {...small, env: {LEDGE_TIME_SCALE: '0.01'}});
		await toConfirmation(screen, 'Direct');
		zone.at({is: isPut, when: 'before', does: () => 'cut'});
		await confirm(screen, zone);
		await screen.waitFor('The response to the PUT was lost');
		await screen.waitFor(/No effect of the last PUT was seen within five\s+minutes/);
		expect(zone.writes()).toEqual([]);
		await confirm(screen, zone);
		await verified(screen);
		expect(zone.writes()).toEqual(['PUT pending']);
	});

	test('a PUT rejected by the service is reported in its words, and nothing has changed', async () => {
		const zone = await migratingZone({migrationSeconds: 0.2});
		const screen = await drawnHomeOf(zone);
		await toConfirmation(screen, 'Direct');
		zone.faults('status=400 message=not%20today method=PUT times=1');
		await confirm(screen, zone);
		await screen.waitFor(/× The service rejected PUT .*not today/);
		await screen.waitFor('▸ Direct');
		expect(await zone.end()).toEqual({stage: 'start', fingerprint: undefined});
		// Once more after a new confirmation, and not before.
		expect(zone.writes()).toEqual(['PUT pending']);
		await choosePath(screen, 'Direct');
		expect(zone.writes()).toEqual(['PUT pending']);
		await confirm(screen, zone);
		await verified(screen);
		expect(zone.writes()).toEqual(['PUT pending', 'PUT pending']);
	});
});
