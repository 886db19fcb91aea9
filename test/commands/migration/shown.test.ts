import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {computeFingerprint} from '../../../source/migration/configuration/configuration.ts';
import type {EndedRun} from '../../support/ledge.ts';
import {
	createMigratingZone,
	isPrivate,
	type MigratingZone,
	parseCommands,
	proposedConfiguration,
} from '../../support/migration.ts';

const proposedFingerprint = computeFingerprint(proposedConfiguration);
const parseError = ({stderr}: EndedRun) => JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error;
const getPlanPath = (zone: MigratingZone) => join(zone.folder(), `planned-${proposedFingerprint}.json`);

/** Deploys without showing a plan first. */
const deploy = (zone: MigratingZone, env = {}) =>
	zone.run(['deploy', 'c.json', '--fingerprint', proposedFingerprint, '--confirm', zone.name, '--json'], {
		env,
	});

test('a file without a shown plan is not sent, and the suggested command shows the plan', async () => {
	const zone = await createMigratingZone();
	const refused = parseError(await deploy(zone));
	expect(refused.code).toBe('unreviewed');
	expect(zone.writes()).toEqual([]);
	const [words = []] = parseCommands(refused.next);
	expect(words.slice(0, 3)).toEqual(['migration', 'plan', 'c.json']);
	expect((await zone.run(words.slice(1, words.indexOf('--zone-id')))).code).toBe(0);
	expect(isPrivate(getPlanPath(zone))).toBe(true);
	expect((await deploy(zone)).code).toBe(0);
	expect(zone.writes()).toEqual(['PUT pending']);
});

describe('a shown plan', () => {
	test.each([
		['of another proposal', {proposed: 'f'.repeat(16)}],
		['beside another entry point', {entryPoint: {version: '1', fingerprint: 'f'.repeat(16)}}],
	])('%s does not count as a review of the current state', async (_what, change) => {
		const zone = await createMigratingZone();
		await zone.run(['plan', 'c.json']);
		const file = getPlanPath(zone);
		writeFileSync(file, JSON.stringify({...JSON.parse(readFileSync(file, 'utf8')), ...change}));
		expect(parseError(await deploy(zone)).code).toBe('changed_meanwhile');
		expect(zone.writes()).toEqual([]);
		// Shown again, the plan matches the zone.
		await zone.run(['plan', 'c.json']);
		expect((await deploy(zone)).code).toBe(0);
	});

	test.each([
		'',
		'{"fingerprint":',
		'{"fingerprint":"f"}',
	])('counts as missing if damaged: %j', async text => {
		const zone = await createMigratingZone();
		await zone.run(['plan', 'c.json']);
		writeFileSync(getPlanPath(zone), text);
		expect(parseError(await deploy(zone)).code).toBe('unreviewed');
		expect(zone.writes()).toEqual([]);
	});

	test('is printed with a warning if it cannot be saved', async () => {
		const zone = await createMigratingZone();
		const ended = await zone.run(['plan', 'c.json'], {env: {LEDGE_STATE_DIR: join(zone.cwd, 'c.json')}});
		expect(ended.code, ended.stderr).toBe(0);
		expect(ended.stdout).toContain('shop.example: 3 rules');
		expect(ended.stderr).toContain("this plan can't be sent");
	});

	test('is not saved if it cannot be sent', async () => {
		const zone = await createMigratingZone({compatible: false});
		expect((await zone.run(['plan', 'c.json'])).code).toBe(5);
		expect(zone.files()).toEqual([]);
	});

	test('of `plan` without a file counts as a review of c.json, which equals the proposal', async () => {
		const zone = await createMigratingZone();
		expect((await zone.run(['plan'])).code).toBe(0);
		expect((await deploy(zone)).code).toBe(0);
	});
});
