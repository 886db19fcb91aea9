import {expect, test} from 'vitest';
import {confirm, toConfirmation} from '../../screens/support/migration-ways.ts';
import {migratingZone} from '../../support/migration.ts';
import {atHomeOf} from './migration-ways.ts';

test('while the service is at work nothing is drawn that says the same', async () => {
	const zone = await migratingZone({migrationSeconds: 3600});
	const screen = await atHomeOf(zone);
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
