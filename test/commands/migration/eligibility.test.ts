import {describe, expect, test} from 'vitest';
import {computeFingerprint} from '../../../source/migration/configuration/configuration.ts';
import type {EndedRun} from '../../support/ledge.ts';
import {
	buildOverride,
	createMigratingZone,
	isPut,
	parseCommands,
	proposedConfiguration,
	type ZoneParts,
} from '../../support/migration.ts';

const parseError = ({stderr}: EndedRun) => JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error;
const ids = ['de677e5818985db1285d0e80225f06e5', 'ff677e5818985db1285d0e80225f06e5'];
const sendOptions = ['--fingerprint', computeFingerprint(proposedConfiguration), '--confirm', 'shop.example'];

describe('a zone on the Free plan', () => {
	test('is marked in the table of all zones', async () => {
		const zone = await createMigratingZone({plan: 'free'});
		const ended = await zone.run(['check', '--all-zones']);
		expect(ended.code, ended.stderr).toBe(0);
		expect(ended.stdout).toMatch(/shop\.example +Free +– +– +– +0\/5 +abcdef\w+ +Free plan/);
		const json = await zone.run(['check', '--all-zones', '--json']);
		expect(JSON.parse(json.stdout)).toMatchObject([
			{
				zone: {plan: 'free'},
				eligible: false,
				stage: null,
				blockers: [{kind: 'plan', hinders: true}],
				failed: null,
			},
		]);
	});

	test('is reported as having nothing to migrate', async () => {
		const zone = await createMigratingZone({plan: 'free'});
		const ended = await zone.run(['check']);
		expect(ended.stdout).toContain('not eligible: Free plan\n');
		expect(ended.stdout).toContain('there is nothing to migrate');
		const planned = await zone.run(['plan', 'c.json', '--json']);
		expect(JSON.parse(planned.stdout).blockers).toMatchObject([{kind: 'plan'}]);
	});

	test.each([
		['check'],
		['status'],
		['plan'],
		['rehearse'],
		['config'],
		['plan', 'c.json'],
		['rehearse', 'c.json'],
		['deploy', 'c.json', ...sendOptions],
		['validate', 'c.json', ...sendOptions],
		['deploy', '--confirm', 'shop.example'],
		['overrides', 'delete', 'de677e5818985db1285d0e80225f06e5', '--yes'],
	])('makes %s %s exit with 5, whichever error arrives first', async (...words) => {
		const zone = await createMigratingZone({plan: 'free'});
		// The check is answered only after another call, whose error must not win.
		const isCheck = ({path}: {readonly path: string}) => path.endsWith('/waf_migration/check');
		const otherCallDone = Promise.withResolvers<void>();
		zone.onCall({
			when: 'after',
			is: call => call.path.includes(`/${zone.id}/`) && !isCheck(call),
			does: async () => otherCallDone.resolve(),
		});
		zone.onCall({when: 'before', is: isCheck, does: () => otherCallDone.promise});
		const ended = await zone.run([...words, '--json']);
		expect(ended.code, `${ended.stdout}${ended.stderr}`).toBe(5);
		if (ended.stdout === '') expect(parseError(ended).code).toBe('not_eligible');
		else expect(JSON.parse(ended.stdout)).toMatchObject({eligible: false});
		expect(zone.writes()).toEqual([]);
	});
});

test('export --steps prints nothing for a zone that cannot migrate', async () => {
	const zone = await createMigratingZone({plan: 'free'});
	const ended = await zone.run(['export', '--steps']);
	expect(ended).toMatchObject({code: 5, stdout: ''});
});

test('export --steps refuses a configuration file, which it does not use', async () => {
	const zone = await createMigratingZone({plan: 'pro'});
	const ended = await zone.run(['export', 'plan.json', '--steps']);
	expect(ended).toMatchObject({code: 2, stdout: ''});
	expect(ended.stderr).toContain('--steps reads no configuration file.');
});

describe('the table of all zones', () => {
	test.each([
		['blocked', {compatible: false}, 5, / blocked: 1 +0\/20 +abcdef\w+ +incompatible/],
		['running', {stage: 'pending', migrationSeconds: 60}, 0, / pending +0\/20 +abcdef/],
		['migrated', {stage: 'complete'}, 0, / complete +0\/20 +abcdef/],
		['eligible', {}, 0, /shop\.example +Pro +enabled +disabled +eligible +0\/20 +abcdef/],
	] as const)('sets the exit code for a zone that is %s', async (_what, parts, code, expectedText) => {
		const zone = await createMigratingZone(parts);
		const ended = await zone.run(['check', '--all-zones']);
		expect(ended.stdout).toMatch(expectedText);
		expect(ended.code, ended.stderr).toBe(code);
	});

	test('shows a migration in doubt on this machine before the state from the service', async () => {
		const zone = await createMigratingZone();
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
		const [row] = JSON.parse((await zone.run(['check', '--all-zones', '--json'])).stdout);
		expect(row).toMatchObject({stage: 'complete', failed: null, attention: 'in doubt'});
		expect(row.journal).toMatchObject({record: {state: 'deploy in doubt'}, failed: null});
		const table = (await zone.run(['check', '--all-zones'])).stdout;
		expect(table).toMatch(/ disabled +enabled +in doubt .*the response to the last PUT was lost$/m);
	});

	test('contains the custom rules of each zone, even if another part is unreadable', async () => {
		const zone = await createMigratingZone();
		const [read] = JSON.parse((await zone.run(['check', '--all-zones', '--json'])).stdout);
		expect(read).toMatchObject({
			attention: 'eligible',
			managedRules: {old: 'enabled', new: 'disabled'},
			customRules: {used: 0, allowed: 20, failed: null},
			journal: null,
		});
		zone.setFaults('path=http_request_firewall_custom status=403 code=10000');
		const ended = await zone.run(['check', '--all-zones', '--json']);
		expect(ended.code, ended.stderr).toBe(0);
		expect(JSON.parse(ended.stdout)).toMatchObject([
			{
				eligible: true,
				stage: 'previous',
				customRules: {used: null, allowed: 20, failed: {code: 'credential_refused'}},
			},
		]);
	});

	test('includes the zone in each command in JSON', async () => {
		const zone = await createMigratingZone({stage: 'pending', migrationSeconds: 60});
		const [row] = JSON.parse((await zone.run(['check', '--all-zones', '--json'])).stdout);
		expect(parseCommands(row.blockers[0].next)).toEqual([expect.arrayContaining(['--zone-id', zone.id])]);
	});
});

test('a migrated zone gets no proposal', async () => {
	const zone = await createMigratingZone({stage: 'complete'});
	const ended = await zone.run(['config', '--json']);
	expect(ended.code, ended.stderr).toBe(5);
	expect(parseError(ended)).toMatchObject({
		code: 'already_migrated',
		next: expect.stringContaining('migration export'),
	});
});

type BlockedCase = readonly [what: string, parts: ZoneParts, says: RegExp, next: RegExp | undefined];
const blockedCases: readonly BlockedCase[] = [
	[
		'has URI-based overrides',
		{plan: 'enterprise', overrides: ids.map(buildOverride)},
		/2 URI-based overrides/,
		new RegExp(`^ledge migration overrides delete ${ids.join(' ')} --zone-id`),
	],
	['is called incompatible', {compatible: false}, /not eligible/, undefined],
	['has too many firewall rules', {bypasses: 201}, /201 firewall rules/, undefined],
	['is migrated', {stage: 'complete'}, /complete/, /^ledge migration status/],
];

describe.each(blockedCases)('the plan of a zone that %s', (_what, parts, expectedText, next) => {
	test('lists the blockers and does not suggest sending', async () => {
		const zone = await createMigratingZone(parts);
		const ended = await zone.run(['plan', 'c.json']);
		expect(ended.code, ended.stderr).toBe(5);
		expect(ended.stdout).toMatch(expectedText);
		expect(ended.stdout).not.toMatch(/migration (deploy|validate|rehearse)/);
		const json = JSON.parse((await zone.run(['plan', 'c.json', '--json'])).stdout);
		expect(json.eligible).toBe(false);
		expect(json.blockers).not.toEqual([]);
		expect(json.commands).toEqual(next ? [expect.stringMatching(next)] : []);
	});
});

test('the command that deletes the blockers is printed once in the check, and works', async () => {
	const zone = await createMigratingZone({plan: 'enterprise', overrides: ids.map(buildOverride)});
	const checked = await zone.run(['check']);
	expect(checked.stdout.match(/overrides delete/g)).toHaveLength(1);
	expect(parseCommands(checked.stdout)).toEqual([]);
	const {next} = JSON.parse((await zone.run(['check', '--json'])).stdout);
	expect(checked.stdout).toContain(next[0]);
	const words = next[0].split(' ').slice(2);
	const deleted = await zone.run([...words.slice(0, words.indexOf('--zone-id')), '--yes']);
	expect(deleted.code, deleted.stderr).toBe(0);
	expect((await zone.run(['check'])).code).toBe(0);
});

test('a check uses the same fields whether or not they could be read', async () => {
	const zone = await createMigratingZone({stage: 'complete'});
	const {counts} = JSON.parse((await zone.run(['check', '--json'])).stdout);
	expect(counts).toEqual({overrides: null, firewallRules: null, longestExpression: null});
});
