import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {computeFingerprint} from '../../../source/migration/configuration/configuration.ts';
import type {EndedRun} from '../../support/ledge.ts';
import {
	buildOverride,
	createMigratingZone,
	editedConfiguration,
	isPut,
	proposedConfiguration,
	type ZoneParts,
} from '../../support/migration.ts';

const parseError = ({stderr}: EndedRun) => JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error;
const ids = ['de677e5818985db1285d0e80225f06e5', 'ff677e5818985db1285d0e80225f06e5'];
const proposedFingerprint = computeFingerprint(proposedConfiguration);

type IneligibleCase = readonly [what: string, parts: ZoneParts, says: RegExp];
const ineligibleCases: readonly IneligibleCase[] = [
	['has URI-based overrides', {plan: 'enterprise', overrides: ids.map(buildOverride)}, /de677e58/],
	['the service calls incompatible', {compatible: false}, /not eligible/],
	['is on the Free plan', {plan: 'free'}, /Free/],
	['has more than 200 firewall rules to migrate', {bypasses: 201}, /201/],
	[
		'has an expression of more than 4,096 bytes',
		{expression: `http.host eq "${'a'.repeat(4090)}"`},
		/4,?096/,
	],
];

describe.each(ineligibleCases)('a zone that %s', (_what, parts, expectedText) => {
	test('is sent nothing, whatever the command, and the check gives the reason', async () => {
		const zone = await createMigratingZone(parts);
		const checked = await zone.run(['check']);
		expect(checked.code, checked.stderr).toBe(5);
		expect(checked.stdout).toMatch(expectedText);
		const sendOptions = [
			'--fingerprint',
			proposedFingerprint,
			'--confirm',
			zone.name,
			'--yes',
			'--without-rulesets',
		];
		const moreOptions = ['--incomplete-backup', '--no-watch', '--json'];
		const commands = [
			['deploy', 'c.json', ...sendOptions, ...moreOptions],
			['validate', 'c.json', ...sendOptions, ...moreOptions],
			['deploy', ...sendOptions, ...moreOptions],
			['validate', ...sendOptions],
			['resume', '--confirm', zone.name, '--yes', '--take-over'],
		];
		for (const words of commands) {
			const ended = await zone.run(words);
			expect(ended.code, `${words.join(' ')}: ${ended.stderr}`).not.toBe(0);
		}
		expect(zone.writes()).toEqual([]);
	});
});

test.each([
	['deploy', 'pro', {}, ['c.json'], 'unreviewed', 2],
	['deploy', 'pro', {}, [], 'unreviewed', 2],
	['deploy', 'pro', {}, ['c.json', '--fingerprint', 'b64f'], 'unreviewed', 2],
	['deploy', 'pro', {}, ['edited.json', '--fingerprint', proposedFingerprint], 'unreviewed', 2],
	['deploy', 'pro', {}, ['c.json', '--fingerprint', proposedFingerprint, '--yes'], 'unconfirmed', 2],
	[
		'deploy',
		'pro',
		{},
		['c.json', '--fingerprint', proposedFingerprint, '--confirm', 'example.com'],
		'unconfirmed',
		2,
	],
	[
		'deploy',
		'pro',
		{},
		['none.json', '--fingerprint', proposedFingerprint, '--confirm', 'shop.example'],
		'unconfirmed',
		2,
	],
	[
		'deploy',
		'pro',
		{},
		['c.json', '--fingerprint', proposedFingerprint, '--confirm', 'shop.example', '--read-only'],
		'read_only',
		2,
	],
	[
		'validate',
		'pro',
		{},
		['c.json', '--fingerprint', proposedFingerprint, '--confirm', 'shop.example'],
		'plan_lacks',
		5,
	],
	[
		'validate',
		'business',
		{},
		['c.json', '--fingerprint', proposedFingerprint, '--confirm', 'shop.example'],
		'plan_lacks',
		5,
	],
	['resume', 'pro', {}, ['--confirm', 'shop.example'], 'not_found', 3],
	['report', 'pro', {}, [], 'not_found', 3],
] as const)('%s on a %s zone with %j %j is refused: %s', async (word, plan, parts, words, code, exit) => {
	const zone = await createMigratingZone({...parts, plan});
	const inactiveConfiguration = {
		...proposedConfiguration,
		rules: proposedConfiguration.rules.map(rule => ({...rule, enabled: rule.action === 'skip'})),
	};
	writeFileSync(join(zone.cwd, 'none.json'), JSON.stringify(inactiveConfiguration));
	const givenWords = words.map(one =>
		words[0] === 'none.json' && one === proposedFingerprint ? computeFingerprint(inactiveConfiguration) : one,
	);
	if (code === 'unconfirmed') await zone.run(['plan', words[0]]);
	const ended = await zone.run([word, ...givenWords, '--json']);
	expect(ended.code, ended.stderr).toBe(exit);
	expect(parseError(ended).code).toBe(code);
	expect(parseError(ended).next).not.toBeNull();
	expect(zone.writes()).toEqual([]);
});

test.each([
	['takes the zone to validation', 'validation'],
	['completes the migration', 'pending'],
] as const)('nothing is sent if another session %s between two calls', async (_what, mode) => {
	const zone = await createMigratingZone({plan: 'enterprise'});
	zone.onCall({
		when: 'before',
		is: ({path}) => path.endsWith('/pagerules'),
		does: () => zone.putElsewhere(mode, editedConfiguration),
	});
	const ended = await zone.send('deploy', {words: ['--json']});
	expect(ended.code, ended.stderr).not.toBe(0);
	expect(zone.writes()).toEqual([`PUT ${mode}`]);
	expect(await zone.readFinalState()).toMatchObject({fingerprint: computeFingerprint(editedConfiguration)});
	const status = await zone.run(['status', '--json']);
	expect(JSON.parse(status.stdout)).toMatchObject({state: 'moved on'});
});

test('a file other than the reviewed one is refused', async () => {
	const zone = await createMigratingZone();
	expect((await zone.send('deploy', {words: ['--json', '--confirm', 'x']})).code).toBe(2);
	const ended = await zone.run([
		'deploy',
		'edited.json',
		'--fingerprint',
		proposedFingerprint,
		'--confirm',
		zone.name,
		'--json',
	]);
	expect(parseError(ended).code).toBe('unreviewed');
	expect(zone.writes()).toEqual([]);
});

test.each([
	'{"v":1',
	'no journal at all\n',
])('a damaged journal is refused with a way out: %j', async damage => {
	const zone = await createMigratingZone();
	await zone.run(['deploy', 'c.json', '--fingerprint', proposedFingerprint]);
	const journal = join(zone.folder(), 'journal.ndjson');
	writeFileSync(journal, damage);
	const ended = await zone.send('deploy', {words: ['--json']});
	expect(parseError(ended)).toMatchObject({code: 'journal_invalid', next: expect.stringContaining(journal)});
	expect(zone.writes()).toEqual([]);
	expect(readFileSync(journal, 'utf8')).toBe(damage);
});

test('the journal of another zone is refused', async () => {
	const zone = await createMigratingZone();
	const other = await createMigratingZone();
	await zone.run(['deploy', 'c.json', '--fingerprint', proposedFingerprint]);
	await other.run(['deploy', 'c.json', '--fingerprint', proposedFingerprint]);
	mkdirSync(other.folder(), {recursive: true});
	writeFileSync(
		join(other.folder(), 'journal.ndjson'),
		readFileSync(join(zone.folder(), 'journal.ndjson'), 'utf8'),
	);
	const ended = await other.send('deploy', {words: ['--json']});
	expect(parseError(ended).code).toBe('journal_invalid');
	expect(other.writes()).toEqual([]);
});

test('an unknown state is shown, and nothing is written', async () => {
	const zone = await createMigratingZone();
	zone.setFaults('stage=paused path=waf_migration');
	const ended = await zone.send('deploy', {words: ['--json']});
	expect(ended.code).toBe(5);
	expect((await zone.run(['status'])).stdout).toContain('paused');
	expect(zone.writes()).toEqual([]);
});

test('a rejection of the PUT is quoted, and the zone is unchanged', async () => {
	const zone = await createMigratingZone();
	zone.setFaults('status=400 message=none-of-that method=PUT');
	const ended = await zone.send('deploy', {words: ['--json']});
	expect(ended.code).toBe(1);
	expect(ended.stderr).toContain('none-of-that');
	expect(zone.calls().filter(isPut)).toHaveLength(1);
	zone.setFaults('');
	expect((await zone.send('deploy')).code).toBe(0);
});

test.each([
	[
		'the previous version is being turned off',
		{stage: 'pending', migrationSeconds: 3600},
		'already_migrated',
	],
	['the migration is complete', {stage: 'complete'}, 'already_migrated'],
] as const)('if %s, both commands report the same code', async (_what, parts, code) => {
	const zone = await createMigratingZone({plan: 'enterprise', ...parts});
	for (const word of ['validate', 'deploy'] as const) {
		const ended = await zone.send(word, {words: ['--json']});
		expect(ended.code, ended.stderr).toBe(5);
		expect(parseError(ended).code).toBe(code);
	}
	expect(zone.writes()).toEqual([]);
});
