import {expect, test} from 'vitest';

import {createMigratingZone, isPut, type MigratingZone} from '../../support/migration.ts';
import {ledge} from '../../support/run.ts';

const token = 'token-of-the-migration-tests';

/** Runs `ledge` with the folder and service of the zone, without naming the zone. */
const run = ({cwd, url, state}: MigratingZone, ...words: readonly string[]) =>
	ledge(words, {
		cwd,
		env: {
			CLOUDFLARE_API_BASE_URL: url,
			CLOUDFLARE_API_TOKEN: token,
			LEDGE_STATE_DIR: state,
			LEDGE_TIME_SCALE: '0.01',
		},
	});

test('a PUT with a lost response is listed as a job and can be resumed as one', async () => {
	const zone = await createMigratingZone();
	expect((await run(zone, 'jobs')).stdout).toBe('No jobs.\n');
	zone.onCall({is: isPut, when: 'after', does: () => 'cut'});
	// Nothing answers after the PUT, so its outcome stays unknown.
	zone.onCall({
		is: ({method}) => method === 'GET' && zone.writes().length > 0,
		when: 'before',
		does: () => {
			zone.setFaults('status=503');
			return 'cut';
		},
	});
	expect((await zone.send('deploy')).code).not.toBe(0);
	zone.setFaults('');
	const [job] = JSON.parse((await run(zone, 'jobs', '--json')).stdout);
	expect(job).toMatchObject({
		state: 'unfinished',
		kind: 'migration',
		title: `migration of ${zone.name}`,
		target: {zone: zone.id},
	});
	const table = (await run(zone, 'jobs')).stdout;
	expect(table).toContain(`migration of ${zone.name}`);
	const overview = await run(zone);
	expect(overview.stdout).toContain(`ledge jobs resume ${job.job}`);
	expect(JSON.parse((await run(zone, '--json')).stdout).unfinished).toMatchObject([{job: job.job}]);
	const forgotten = await run(zone, 'jobs', 'forget', job.job, '--yes');
	expect(forgotten).toMatchObject({code: 2});
	expect(forgotten.stderr).toContain(`ledge migration status --zone-id ${zone.id}`);
	const resumed = await run(zone, 'jobs', 'resume', job.job);
	expect(resumed.code, resumed.stderr).toBe(0);
	expect(zone.writes()).toEqual(['PUT pending']);
	expect((await run(zone, 'jobs')).stdout).toBe('No jobs.\n');
});

test('the job of a zone in validation resumes it and asks to confirm the remaining step', async () => {
	const zone = await createMigratingZone({plan: 'enterprise'});
	expect((await zone.send('validate')).code).toBe(0);
	const [job] = JSON.parse((await run(zone, 'jobs', '--json')).stdout);
	expect(job).toMatchObject({state: 'unfinished', why: expect.stringContaining('both versions are on')});
	const resumed = await run(zone, 'jobs', 'resume', job.job);
	expect(`${resumed.stdout}${resumed.stderr}`).toContain(zone.id);
	expect(zone.writes()).toEqual(['PUT validation']);
});
