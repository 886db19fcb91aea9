import {describe, expect, test} from 'vitest';
import {computeFingerprint} from '../../../source/migration/configuration/configuration.ts';
import type {Ended} from '../../support/ledge.ts';
import {
	commandsIn,
	isPut,
	migratingZone,
	override,
	proposed,
	type ZoneParts,
} from '../../support/migration.ts';

const errorIn = ({stderr}: Ended) => JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error;
const ids = ['de677e5818985db1285d0e80225f06e5', 'ff677e5818985db1285d0e80225f06e5'];
const sending = ['--fingerprint', computeFingerprint(proposed), '--confirm', 'shop.example'];

describe('a zone on the Free plan', () => {
	test('is marked in the table of all zones', async () => {
		const zone = await migratingZone({plan: 'free'});
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
		const zone = await migratingZone({plan: 'free'});
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
		['deploy', 'c.json', ...sending],
		['validate', 'c.json', ...sending],
		['deploy', '--confirm', 'shop.example'],
		['overrides', 'delete', 'de677e5818985db1285d0e80225f06e5', '--yes'],
	])('makes %s %s exit with 5, whichever error arrives first', async (...words) => {
		const zone = await migratingZone({plan: 'free'});
		// The check answers behind the first of the others: what that was refused with must not win.
		const isCheck = ({path}: {readonly path: string}) => path.endsWith('/waf_migration/check');
		const other = Promise.withResolvers<void>();
		zone.at({
			when: 'after',
			is: call => call.path.includes(`/${zone.id}/`) && !isCheck(call),
			does: async () => other.resolve(),
		});
		zone.at({when: 'before', is: isCheck, does: () => other.promise});
		const ended = await zone.run([...words, '--json']);
		expect(ended.code, `${ended.stdout}${ended.stderr}`).toBe(5);
		if (ended.stdout === '') expect(errorIn(ended).code).toBe('not_eligible');
		else expect(JSON.parse(ended.stdout)).toMatchObject({eligible: false});
		expect(zone.writes()).toEqual([]);
	});
});

test('export --steps prints nothing for a zone that cannot migrate', async () => {
	const zone = await migratingZone({plan: 'free'});
	const ended = await zone.run(['export', '--steps']);
	expect(ended).toMatchObject({code: 5, stdout: ''});
});

describe('the table of all zones', () => {
	test.each([
		['hindered', {compatible: false}, 5, / blocked: 1 +0\/20 +abcdef\w+ +incompatible/],
		['running', {stage: 'pending', migrationSeconds: 60}, 0, / pending +0\/20 +abcdef/],
		['migrated', {stage: 'complete'}, 0, / complete +0\/20 +abcdef/],
		['eligible', {}, 0, /shop\.example +Pro +enabled +disabled +eligible +0\/20 +abcdef/],
	] as const)('sets the exit code by whether there is work to do for a zone that is %s', async (_what, parts, code, says) => {
		const zone = await migratingZone(parts);
		const ended = await zone.run(['check', '--all-zones']);
		expect(ended.stdout).toMatch(says);
		expect(ended.code, ended.stderr).toBe(code);
	});

	test('shows a migration in doubt on this machine before the state from the service', async () => {
		const zone = await migratingZone();
		zone.at({is: isPut, when: 'after', does: () => 'cut'});
		// Nothing answers after the PUT: what became of it stays unknown.
		zone.at({
			is: ({method}) => method === 'GET' && zone.writes().length > 0,
			when: 'before',
			does: () => {
				zone.faults('status=503');
				return 'cut';
			},
		});
		expect((await zone.send('deploy')).code).not.toBe(0);
		zone.faults('');
		const [row] = JSON.parse((await zone.run(['check', '--all-zones', '--json'])).stdout);
		expect(row).toMatchObject({stage: 'complete', failed: null, attention: 'in doubt'});
		expect(row.journal).toMatchObject({record: {state: 'deploy in doubt'}, failed: null});
		const table = (await zone.run(['check', '--all-zones'])).stdout;
		expect(table).toMatch(/ disabled +enabled +in doubt .*the response to the last PUT was lost$/m);
	});

	test('contains the custom rules of each zone, even if another part is unreadable', async () => {
		const zone = await migratingZone();
		const [read] = JSON.parse((await zone.run(['check', '--all-zones', '--json'])).stdout);
		expect(read).toMatchObject({
			attention: 'eligible',
			managedRules: {old: 'enabled', new: 'disabled'},
			customRules: {used: 0, allowed: 20, failed: null},
			journal: null,
		});
		zone.faults('path=http_request_firewall_custom status=403 code=10000');
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
		const zone = await migratingZone({stage: 'pending', migrationSeconds: 60});
		const [row] = JSON.parse((await zone.run(['check', '--all-zones', '--json'])).stdout);
		expect(commandsIn(row.blockers[0].next)).toEqual([expect.arrayContaining(['--zone-id', zone.id])]);
	});
});

test('a migrated zone gets no proposal', async () => {
	const zone = await migratingZone({stage: 'complete'});
	const ended = await zone.run(['config', '--json']);
	expect(ended.code, ended.stderr).toBe(5);
	expect(errorIn(ended)).toMatchObject({
		code: 'already_migrated',
		next: expect.stringContaining('migration export'),
	});
});

type Hindered = readonly [what: string, parts: ZoneParts, says: RegExp, next: RegExp | undefined];
const hindered: readonly Hindered[] = [
	[
		'has URI-based overrides',
		{plan: 'enterprise', overrides: ids.map(override)},
		/2 URI-based overrides/,
		new RegExp(`^ledge migration overrides delete ${ids.join(' ')} --zone-id`),
	],
	['is called incompatible', {compatible: false}, /not eligible/, undefined],
	['has too many firewall rules', {bypasses: 201}, /201 firewall rules/, undefined],
	['is migrated', {stage: 'complete'}, /complete/, /^ledge migration status/],
];

describe.each(hindered)('the plan of a zone that %s', (_what, parts, says, next) => {
	test('lists the blockers and does not suggest sending', async () => {
		const zone = await migratingZone(parts);
		const ended = await zone.run(['plan', 'c.json']);
		expect(ended.code, ended.stderr).toBe(5);
		expect(ended.stdout).toMatch(says);
		expect(ended.stdout).not.toMatch(/migration (deploy|validate|rehearse)/);
		const json = JSON.parse((await zone.run(['plan', 'c.json', '--json'])).stdout);
		expect(json.eligible).toBe(false);
		expect(json.blockers).not.toEqual([]);
		expect(json.commands).toEqual(next ? [expect.stringMatching(next)] : []);
	});
});

test('the command that deletes the blockers is printed once in the check, and works', async () => {
	const zone = await migratingZone({plan: 'enterprise', overrides: ids.map(override)});
	const checked = await zone.run(['check']);
	expect(checked.stdout.match(/overrides delete/g)).toHaveLength(1);
	expect(commandsIn(checked.stdout)).toEqual([]);
	const {next} = JSON.parse((await zone.run(['check', '--json'])).stdout);
	expect(checked.stdout).toContain(next[0]);
	const words = next[0].split(' ').slice(2);
	const deleted = await zone.run([...words.slice(0, words.indexOf('--zone-id')), '--yes']);
	expect(deleted.code, deleted.stderr).toBe(0);
	expect((await zone.run(['check'])).code).toBe(0);
});

test('a check uses the same fields whether or not they could be read', async () => {
	const zone = await migratingZone({stage: 'complete'});
	const {counts} = JSON.parse((await zone.run(['check', '--json'])).stdout);
	expect(counts).toEqual({overrides: null, firewallRules: null, longestExpression: null});
});
