import {describe, expect, test} from 'vitest';
import {fingerprint} from '../../source/migration/configuration.ts';
import type {Ended} from '../support/ledge.ts';
import {commandsIn, migratingZone, override, proposed, type ZoneParts} from '../support/migration.ts';

const errorIn = ({stderr}: Ended) => JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error;
const ids = ['de677e5818985db1285d0e80225f06e5', 'ff677e5818985db1285d0e80225f06e5'];
const sending = ['--fingerprint', fingerprint(proposed), '--confirm', 'shop.example'];

describe('a zone of the Free plan', () => {
	test('is told from all others in the table of all zones', async () => {
		const zone = await migratingZone({plan: 'free'});
		const ended = await zone.run(['check', '--all-zones']);
		expect(ended.code, ended.stderr).toBe(5);
		expect(ended.stdout).toMatch(/shop\.example +Free +\S+ +no +Free plan/);
		const json = await zone.run(['check', '--all-zones', '--json']);
		expect(JSON.parse(json.stdout)).toMatchObject([
			{zone: {plan: 'free'}, eligible: false, blockers: [{kind: 'plan', hinders: true}], failed: null},
		]);
	});

	test('has nothing to migrate, in plain words', async () => {
		const zone = await migratingZone({plan: 'free'});
		const ended = await zone.run(['check']);
		expect(ended.stdout).toContain('not eligible: Free plan\n');
		expect(ended.stdout).toContain('there is nothing to migrate');
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
	])('ends %s %s with exit code 5, whatever of its refusals comes first', async (...words) => {
		const zone = await migratingZone({plan: 'free'});
		// The check answers last: what the others were refused with must not win.
		zone.at({
			when: 'before',
			is: ({path}) => path.endsWith('/waf_migration/check'),
			does: () => new Promise(done => setTimeout(done, 200)),
		});
		const ended = await zone.run([...words, '--json']);
		expect(ended.code, `${ended.stdout}${ended.stderr}`).toBe(5);
		if (ended.stdout === '') expect(errorIn(ended).code).toBe('not_eligible');
		else expect(JSON.parse(ended.stdout)).toMatchObject({eligible: false});
		expect(zone.writes()).toEqual([]);
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
	test('says what hinders it, and advises to send nothing', async () => {
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

test('the command that deletes what hinders stands in the check once, and works', async () => {
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

test('a check says all that it says in the same fields, read or not', async () => {
	const zone = await migratingZone({stage: 'complete'});
	const {counts} = JSON.parse((await zone.run(['check', '--json'])).stdout);
	expect(counts).toEqual({overrides: null, firewallRules: null, longestExpression: null});
});
