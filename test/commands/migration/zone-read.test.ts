import {expect, test} from 'vitest';
import {computeFingerprint} from '../../../source/migration/configuration/configuration.ts';
import type {Ended} from '../../support/ledge.ts';
import {migratingZone, proposed} from '../../support/migration.ts';

const errorIn = ({stderr}: Ended) => JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error;
const digits = computeFingerprint(proposed);

test('a migration begun with Zone Read continues if the zone name can no longer be read', async () => {
	const zone = await migratingZone({migrationSeconds: 1});
	expect((await zone.send('deploy', {words: ['--no-watch']})).code).toBe(0);
	zone.withoutZoneRead();
	const ended = await zone.run(['resume', '--json']);
	expect(ended.code, ended.stderr).toBe(0);
	expect(JSON.parse(ended.stdout)).toMatchObject({state: 'complete', fingerprint: digits});
	expect(zone.writes()).toEqual(['PUT pending']);
	// The backup knows how the zone is called.
	expect((await zone.run(['report'])).stdout).toContain(`Zone: ${zone.name} (${zone.id})`);
});

test('without Zone Read the zone id is used in place of the name, with a note', async () => {
	const zone = await migratingZone({plan: 'enterprise'});
	zone.withoutZoneRead();
	expect((await zone.run(['plan', 'c.json'])).code).toBe(0);
	const words = ['deploy', 'c.json', '--fingerprint', digits, '--json'];
	const refused = errorIn(await zone.run([...words, '--confirm', zone.name]));
	expect(refused).toMatchObject({
		code: 'unconfirmed',
		what: expect.stringContaining("the zone's id (its name cannot be read with this credential)"),
		why: expect.stringContaining(zone.id),
	});
	expect(zone.writes()).toEqual([]);
	const ended = await zone.run([...words, '--confirm', zone.id]);
	expect(ended.code, ended.stderr).toBe(0);
	expect(zone.writes()).toEqual(['PUT pending']);
});
