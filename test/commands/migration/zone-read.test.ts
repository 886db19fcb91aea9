import {expect, test} from 'vitest';
import {computeFingerprint} from '../../../source/migration/configuration/configuration.ts';
import type {EndedRun} from '../../support/ledge.ts';
import {createMigratingZone, proposedConfiguration} from '../../support/migration.ts';

const parseError = ({stderr}: EndedRun) => JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error;
const proposedFingerprint = computeFingerprint(proposedConfiguration);

test('a migration begun with Zone Read continues if the zone name can no longer be read', async () => {
	const zone = await createMigratingZone({migrationSeconds: 1});
	expect((await zone.send('deploy', {words: ['--no-watch']})).code).toBe(0);
	zone.revokeZoneRead();
	const ended = await zone.run(['resume', '--json']);
	expect(ended.code, ended.stderr).toBe(0);
	expect(JSON.parse(ended.stdout)).toMatchObject({state: 'complete', fingerprint: proposedFingerprint});
	expect(zone.writes()).toEqual(['PUT pending']);
	// The name comes from the backup.
	expect((await zone.run(['report'])).stdout).toContain(`Zone: ${zone.name} (${zone.id})`);
});

test('without Zone Read the zone id is used in place of the name, with a note', async () => {
	const zone = await createMigratingZone({plan: 'enterprise'});
	zone.revokeZoneRead();
	expect((await zone.run(['plan', 'c.json'])).code).toBe(0);
	const words = ['deploy', 'c.json', '--fingerprint', proposedFingerprint, '--json'];
	const refused = parseError(await zone.run([...words, '--confirm', zone.name]));
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
