import {describe, expect, test} from 'vitest';
import type {EndedRun} from '../../support/ledge.ts';
import {createMigratingZone} from '../../support/migration.ts';

const parseError = ({stderr}: EndedRun) => JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error;

/** Faults of the service whose responses say nothing about a zone. */
const uninformativeFaults = {
	'a page of the edge': 'html=403',
	'403 without errors': 'status=403 empty-errors',
	'a credential that lacks the permission': 'status=403',
} as const;

describe.each(Object.entries(uninformativeFaults))('%s', (_name, fault) => {
	test.each([
		['check', 'waf_migration'],
		['status', 'waf_migration'],
		['plan', 'waf_migration/check'],
	])('is never taken as a fact about a Business zone: %s', async (word, path) => {
		const zone = await createMigratingZone({plan: 'business'});
		zone.setFaults(`${fault} path=${path}`);
		const ended = await zone.run([word, '--json']);
		expect(ended.stdout + ended.stderr).not.toContain('there is nothing to migrate');
		expect(ended.stdout + ended.stderr).not.toContain('never had');
		expect([1, 4, 5], ended.stderr).toContain(ended.code);
		if (word !== 'plan') expect(ended.code).not.toBe(5);
		zone.setFaults('');
		expect((await zone.run([word])).code).toBe(0);
	});
});

describe('an incomplete backup', () => {
	test.each([
		['the edge blocks it', 'html=403 path=waf/packages', 'the previous managed rules'],
		['the credential may not read it', 'status=403 path=waf/packages', 'the previous managed rules'],
		[
			'it is refused without a reason',
			'status=403 empty-errors path=waf/packages',
			'the previous managed rules',
		],
	])('exits with 1 and names the missing part because %s', async (_why, fault, what) => {
		const zone = await createMigratingZone();
		zone.setFaults(fault);
		const ended = await zone.run(['backup', '--json']);
		expect(ended.code, ended.stderr).toBe(1);
		const {why = '', left = ''} = parseError(ended);
		expect(`${why}${left}`).toContain(what);
		expect((await zone.send('deploy')).code).not.toBe(0);
		expect(zone.writes()).toEqual([]);
	});

	test('counts as complete after the migration, as the service has retired the rest', async () => {
		const zone = await createMigratingZone();
		await zone.putElsewhere('pending');
		const ended = await zone.run(['backup', '--json']);
		expect(ended.code, ended.stderr).toBe(0);
	});
});

test('a blocked response does not stop the watch', async () => {
	const zone = await createMigratingZone({migrationSeconds: 2});
	expect((await zone.send('deploy', {words: ['--no-watch']})).code).toBe(0);
	let responseCount = 0;
	zone.onCall({
		is: ({path}) => path.endsWith('/waf_migration/status') && ++responseCount === 2,
		when: 'before',
		does: async () => zone.setFaults('html=403 times=2 path=waf_migration'),
	});
	const ended = await zone.run(['status', '--watch']);
	expect(ended.code, ended.stderr).toBe(0);
	expect(ended.stdout).toContain('new version only');
	expect(ended.stderr).toContain('still trying');
});
