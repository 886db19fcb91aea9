import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {
	computeFingerprint,
	type ManagedConfiguration,
} from '../../../source/migration/configuration/configuration.ts';
import type {EndedRun} from '../../support/ledge.ts';
import {
	createMigratingZone,
	editedConfiguration,
	isPut,
	proposedConfiguration,
} from '../../support/migration.ts';

const parseError = ({stderr}: EndedRun) => JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error;
const configurationWithRulesetsOff: ManagedConfiguration = {
	...proposedConfiguration,
	rules: proposedConfiguration.rules.map(rule => ({...rule, enabled: rule.action === 'skip'})),
};

describe.each(['validate', 'deploy'] as const)('%s when the service stores other rules', word => {
	test('fails and reports the differences, as does resume', async () => {
		const zone = await createMigratingZone({plan: 'enterprise', stores: editedConfiguration});
		const ended = await zone.send(word, {words: ['--json']});
		expect(ended.code, ended.stderr).toBe(1);
		const {code, why, next} = parseError(ended);
		expect(code).toBe('not_as_reviewed');
		expect(why).toContain('partners, edited');
		expect(next).toContain('export --output configuration.json');
		expect(JSON.parse(ended.stdout)).toMatchObject({verification: {sameAsReviewed: false}});
		const resumed = await zone.run(['resume', '--json']);
		expect(resumed.code, resumed.stderr).toBe(1);
		expect(parseError(resumed).code).toBe('not_as_reviewed');
		expect(zone.writes()).toHaveLength(1);
	});
});

test('a zone left without protection is an unexpected failure', async () => {
	const zone = await createMigratingZone({stores: configurationWithRulesetsOff});
	const ended = await zone.send('deploy', {words: ['--json']});
	expect(ended.code, ended.stderr).toBe(1);
	expect(parseError(ended)).toMatchObject({
		code: 'not_as_reviewed',
		why: expect.stringContaining('No managed ruleset is on'),
	});
	const found = await zone.run(['report']);
	expect(found.code, found.stderr).toBe(0);
	expect(found.stdout).toContain('No managed ruleset is on');
});

test('a zone meant to have no rulesets is not a failure', async () => {
	const zone = await createMigratingZone();
	writeFileSync(join(zone.cwd, 'bare.json'), JSON.stringify(configurationWithRulesetsOff));
	expect((await zone.run(['plan', 'bare.json'])).code).toBe(0);
	const ended = await zone.run([
		...['deploy', 'bare.json', '--fingerprint', computeFingerprint(configurationWithRulesetsOff)],
		...['--confirm', zone.name, '--without-rulesets'],
	]);
	expect(ended.code, ended.stderr).toBe(0);
	expect((await zone.run(['resume'])).code).toBe(0);
});

test('a report that cannot be written does not change the result', async () => {
	const zone = await createMigratingZone();
	zone.onCall({is: isPut, when: 'after', does: async () => void mkdirSync(join(zone.folder(), 'report.md'))});
	const ended = await zone.send('deploy', {words: ['--json']});
	expect(ended.code, ended.stderr).toBe(1);
	expect(JSON.parse(ended.stdout)).toMatchObject({
		state: 'complete',
		verification: {sameAsReviewed: true},
		report: null,
	});
	expect(parseError(ended)).toMatchObject({
		code: 'file_failed',
		next: expect.stringContaining('migration report'),
	});
});

test('a zone finished by someone else is not compared with the configuration reviewed here', async () => {
	const zone = await createMigratingZone();
	await zone.run(['backup']);
	await zone.run(['plan', 'c.json']);
	await zone.run(['deploy', 'c.json', '--fingerprint', computeFingerprint(proposedConfiguration)]);
	await zone.putElsewhere('pending', editedConfiguration);
	const ended = await zone.run(['resume', '--take-over', '--json']);
	expect(ended.code, ended.stderr).toBe(0);
	const {state, verification, report} = JSON.parse(ended.stdout);
	expect([state, verification.differences]).toEqual(['complete', []]);
	expect(readFileSync(report, 'utf8')).not.toContain('The configuration that was reviewed');
});
