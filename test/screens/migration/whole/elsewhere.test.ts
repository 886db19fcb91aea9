import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {type CallPoint, createMigratingZone, isPut, type MigratingZone} from '../../../support/migration.ts';
import {
	choosePath,
	confirm,
	drawHomeOfZone,
	goToConfirmation,
	smallSize,
	waitForVerification,
} from '../../support/migration-ways.ts';
import {pressEnterAfterReading} from '../../support/ways.ts';

const isStatus: CallPoint['is'] = ({path}) => path.endsWith('/waf_migration/status');

/** Deploys or starts validation with a command, as another process with its own state directory. */
async function migrateByCommand(zone: MigratingZone, command: 'deploy' | 'validate'): Promise<void> {
	const runOptions = {env: {LEDGE_STATE_DIR: join(zone.cwd, 'elsewhere')}};
	await zone.run(['plan', 'c.json'], runOptions);
	const {code, stderr} = await zone.send(command, runOptions);
	expect(`${code}${code === 0 ? '' : stderr}`).toBe('0');
}

describe('changes made elsewhere between review and confirmation are noticed, and nothing is sent', () => {
	test('the whole migration, by a command', async () => {
		const zone = await createMigratingZone();
		const screen = await drawHomeOfZone(zone);
		await goToConfirmation(screen, 'Direct');
		await migrateByCommand(zone, 'deploy');
		await confirm(screen, zone);
		await screen.waitFor('shop.example was changed elsewhere');
		await pressEnterAfterReading(screen, '▸ I have seen the changes: continue from there');
		await screen.waitFor('shop.example is migrated');
		expect(zone.writes()).toEqual(['PUT pending']);
	});

	test('its validation, by a command', async () => {
		const zone = await createMigratingZone({plan: 'enterprise', migrationSeconds: 0.2});
		const screen = await drawHomeOfZone(zone);
		await goToConfirmation(screen, 'Direct');
		await migrateByCommand(zone, 'validate');
		await confirm(screen, zone);
		await screen.waitFor('shop.example was changed elsewhere');
		expect(zone.writes()).toEqual(['PUT validation']);
	});

	test('an unknown stage', async () => {
		const zone = await createMigratingZone();
		const screen = await drawHomeOfZone(zone);
		await goToConfirmation(screen, 'Direct');
		zone.setFaults('stage=half-way');
		await confirm(screen, zone);
		await screen.waitFor('The service reports an unknown state');
		expect(screen.text()).toContain('half-way');
		await screen.settled();
		expect(zone.writes()).toEqual([]);
	});
});

describe('a PUT without a success response is never sent again without a new confirmation', () => {
	/** Ways to lose the response to a PUT that the service received. */
	const lostResponses = {
		'cut before the answer': zone => zone.onCall({is: isPut, when: 'after', does: () => 'cut'}),
		'an answer of 502 to what was taken': zone => zone.setFaults('late-status=502 method=PUT'),
	} as const satisfies Record<string, (zone: MigratingZone) => void>;

	test.each(Object.entries(lostResponses))('%s', async (_name, loseResponse) => {
		const zone = await createMigratingZone({migrationSeconds: 0.2});
		const screen = await drawHomeOfZone(zone);
		await goToConfirmation(screen, 'Direct');
		// The first status request after the PUT waits until the screen says that the state is being read.
		const readingShown = new Promise<void>((resolve, reject) => {
			const waitUntilShown = () =>
				screen.waitFor('response lost: reading the current state').then(resolve, reject);
			zone.onCall({
				is: isPut,
				when: 'before',
				async does() {
					zone.onCall({is: isStatus, when: 'before', does: waitUntilShown});
					loseResponse(zone);
				},
			});
		});
		await confirm(screen, zone);
		await readingShown;
		expect(screen.text()).toContain('The response to the PUT was lost');
		expect(screen.text()).toContain('Nothing is sent again in the meantime');
		expect(screen.text()).not.toContain('turning the previous version off');
		await waitForVerification(screen);
		expect(zone.writes()).toEqual(['PUT pending']);
	});

	test('a PUT cut before the service received it is checked for five minutes, then sent, 60×15', async () => {
		const zone = await createMigratingZone({migrationSeconds: 0.2});
		const screen = await drawHomeOfZone(zone, {...smallSize, env: {LEDGE_TIME_SCALE: '0.01'}});
		await goToConfirmation(screen, 'Direct');
		zone.onCall({is: isPut, when: 'before', does: () => 'cut'});
		await confirm(screen, zone);
		await screen.waitFor('The response to the PUT was lost');
		await screen.waitFor(/No effect of the last PUT was seen within five\s+minutes/);
		expect(zone.writes()).toEqual([]);
		await confirm(screen, zone);
		await waitForVerification(screen);
		expect(zone.writes()).toEqual(['PUT pending']);
	});

	test('a PUT rejected by the service is reported in its words, and nothing has changed', async () => {
		const zone = await createMigratingZone({migrationSeconds: 0.2});
		const screen = await drawHomeOfZone(zone);
		await goToConfirmation(screen, 'Direct');
		zone.setFaults('status=400 message=not%20today method=PUT times=1');
		await confirm(screen, zone);
		await screen.waitFor(/× The service rejected PUT.*not today/s);
		await screen.waitFor('▸ Direct');
		expect(await zone.readFinalState()).toEqual({stage: 'start', fingerprint: undefined});
		// It is sent again only after a new confirmation.
		expect(zone.writes()).toEqual(['PUT pending']);
		await choosePath(screen, 'Direct');
		expect(zone.writes()).toEqual(['PUT pending']);
		await confirm(screen, zone);
		await waitForVerification(screen);
		expect(zone.writes()).toEqual(['PUT pending', 'PUT pending']);
	});
});
