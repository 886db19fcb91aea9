import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {managedRulesets, thresholdRuleId} from '../../../source/migration/configuration/mapping.ts';
import {errorOf} from '../../support/firewall.ts';
import {
	changeDuringWrite,
	migratedOwaspRuleId,
	migratedPlatformRuleId,
	openManagedZone,
	type ShownConfiguration,
	searchExceptionOptions,
	zone,
	zoneConfirmation,
} from './support.ts';

const {platform, owasp, credentials} = managedRulesets;

describe('managed show', () => {
	test('lists rulesets, settings, overrides with catalog names, and rulesets not deployed', async () => {
		const {run} = await openManagedZone();
		const {code, stdout} = await run(['show']);
		expect(code).toBe(0);
		for (const part of [
			'new version only',
			'PL2, score threshold Medium, 40 or higher, action managed challenge',
			'949110: Inbound Anomaly Score Exceeded',
			'category paranoia-level-4',
			'not deployed  Exposed Credentials Check',
		])
			expect(stdout).toContain(part);
	});

	test('prints a configuration as JSON, with ids', async () => {
		const {json} = await openManagedZone();
		expect(await json(['show'])).toMatchObject({
			zone: {name: zone},
			stage: 'complete',
			readOnly: null,
			version: '1',
			fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
			rulesets: [{ruleset: platform.id}, {ruleset: owasp.id, owasp: {level: 2, threshold: 40}}],
			exceptions: [],
			notDeployed: [{id: credentials.id}],
			name: 'default',
			rules: [{id: migratedPlatformRuleId}, {id: migratedOwaspRuleId}],
		});
	});

	test.each([
		['acme.example', 'previous managed rules only'],
		['check.acme.example', 'validation mode'],
		['turning.acme.example', 'being turned off'],
	])('reports the stage of %s, which has not migrated', async (zoneName, stage) => {
		const {run} = await openManagedZone();
		const {code, stdout, stderr} = await run(['show'], {zone: zoneName});
		expect(code).toBe(0);
		expect(stdout).toContain(stage);
		expect(stderr).toContain('Read-only');
	});
});

describe('managed edit', () => {
	test('changes a threshold with one call for the rule, and prints the active configuration', async () => {
		const {run, takeWrites} = await openManagedZone();
		const {code, stderr} = await run(['edit', '--threshold', '25']);
		expect(code, stderr).toBe(0);
		expect(stderr).toContain('40 or higher');
		expect(stderr).toContain('25 or higher');
		expect(stderr).toContain(`will send  PATCH /zones/`);
		expect(stderr).toMatch(/Active in .*version 2, fingerprint/);
		expect(stderr).toMatch(/To undo: ledge managed restore 1 --zone-id \S+ --confirm done\.acme\.example$/m);
		expect(takeWrites()).toMatchObject([
			{
				method: 'PATCH',
				path: expect.stringContaining(`/rules/${migratedOwaspRuleId}`),
				body: {
					id: migratedOwaspRuleId,
					action_parameters: {
						overrides: {rules: [{id: thresholdRuleId, score_threshold: 25, action: 'managed_challenge'}]},
					},
				},
			},
		]);
	});

	test('sends several changes as one PUT', async () => {
		const {run, takeWrites, json} = await openManagedZone();
		const words = ['--threshold', '25', '--deploy', 'credentials', '--paranoia', '3'];
		const {code, stderr} = await run(['edit', ...words, '--category', 'paranoia-level-4=off']);
		expect(code, stderr).toBe(0);
		const [sent, ...more] = takeWrites();
		expect(more).toEqual([]);
		expect(sent).toMatchObject({
			method: 'PUT',
			body: {
				rules: [
					{id: migratedPlatformRuleId},
					{
						id: migratedOwaspRuleId,
						action_parameters: {
							overrides: {
								categories: [{category: 'paranoia-level-4', enabled: false}],
								rules: [{id: thresholdRuleId, score_threshold: 25}],
							},
						},
					},
					{action: 'execute', action_parameters: {id: credentials.id}},
				],
			},
		});
		expect(sent?.path).not.toContain('waf_migration');
		const {rules} = await json<ShownConfiguration>(['show']);
		expect(rules.slice(0, 2).map(({id}) => id)).toEqual([migratedPlatformRuleId, migratedOwaspRuleId]);
	});

	test('overrides a rule and removes the override', async () => {
		const {run, takeWrites, json} = await openManagedZone();
		const [found] = await json<{id: string}[]>(['catalogue', 'wordpress', '--ruleset', 'platform']);
		const id = found?.id ?? '';
		await run(['edit', '--rule', `${id}=on,log`]);
		expect(takeWrites()).toMatchObject([
			{
				body: {
					action_parameters: {overrides: {rules: [expect.anything(), {id, enabled: true, action: 'log'}]}},
				},
			},
		]);
		await run(['edit', '--rule', `platform:${id}=default`]);
		expect(JSON.stringify(takeWrites())).not.toContain(id);
	});

	test('sends nothing if nothing changes', async () => {
		const {run, takeWrites} = await openManagedZone();
		const {code, stderr} = await run(['edit', '--threshold', '40']);
		expect(code).toBe(0);
		expect(stderr).toContain('No difference');
		expect(takeWrites()).toEqual([]);
	});

	test('prints the request in a dry run and sends nothing', async () => {
		const {run, takeWrites} = await openManagedZone();
		const {code, stdout} = await run(['edit', '--off', 'owasp', '--dry-run']);
		expect(code).toBe(0);
		expect(stdout).toMatch(/^# 1 {2}PATCH /m);
		expect(takeWrites()).toEqual([]);
	});

	test.each([
		['--remove', 'owasp', /OWASP: on → removed, blocks nothing/],
		['--off', 'platform', /Managed Ruleset: on → off, blocks nothing/],
		['--ruleset', 'owasp=off', /OWASP: on → off, blocks nothing/],
		['--ruleset', 'platform=log', /Managed Ruleset: on → log, blocks nothing/],
		['--ruleset', 'owasp=log', /OWASP: all rules → log/],
		[
			'--category',
			'platform:platform-wordpress=log',
			/Managed Ruleset: category platform-wordpress → log, blocks less/,
		],
		['--paranoia', '1', /OWASP: paranoia level 2 → 1, blocks less/],
		['--threshold', '60', /OWASP: score threshold 40 → 60, blocks less/],
		['--threshold', 'low', /OWASP: score threshold 40 → 60, blocks less/],
		['--threshold-action', 'log', /OWASP: on → log, blocks nothing/],
	])('%s %s asks for the zone name', async (option, value, why) => {
		const {run, takeWrites} = await openManagedZone();
		const refused = await run(['edit', option, value, '--yes']);
		expect(refused.code).toBe(2);
		expect(refused.stderr).toMatch(why);
		expect(refused.stderr).toContain(`--confirm ${zone}`);
		expect((await run(['edit', option, value, '--confirm', 'acme.example'])).code).toBe(2);
		expect((await run(['edit', option, value], {tty: true, input: 'acme.example\n'})).code).toBe(1);
		expect(takeWrites()).toEqual([]);
		const typed = await run(['edit', option, value], {tty: true, input: `${zone}\n`});
		expect(typed.code, typed.stderr).toBe(0);
		expect(takeWrites()).toHaveLength(1);
	});

	test('asks first on a terminal', async () => {
		const {run, takeWrites} = await openManagedZone();
		expect((await run(['edit', '--threshold', '25'], {tty: true, input: 'n\n'})).code).toBe(1);
		expect(takeWrites()).toEqual([]);
		expect((await run(['edit', '--threshold', '25'], {tty: true, input: 'y\n'})).code).toBe(0);
		expect(takeWrites()).toHaveLength(1);
	});

	test.each<[string, readonly string[], number, string]>([
		['nothing named', [], 2, '--threshold'],
		['an id that no ruleset has', ['--rule', `${'f'.repeat(32)}=log`], 3, 'managed catalogue'],
		['an id of another ruleset', ['--rule', `platform:${thresholdRuleId}=log`], 2, 'has no rule'],
		['a category that none has', ['--category', 'owasp:nothing=off'], 2, 'has no category'],
		['a ruleset that is none', ['--deploy', 'owsp'], 2, 'Did you mean "owasp"?'],
		['a ruleset that the zone lacks', ['--deploy', 'f'.repeat(32)], 2, 'no managed ruleset'],
		['one that is deployed', ['--deploy', 'owasp'], 2, 'already'],
		['an action that is none', ['--rule', `${thresholdRuleId}=allow`], 2, 'managed_challenge'],
	])('with %s sends nothing', async (_what, words, exit, expectedText) => {
		const {run, takeWrites} = await openManagedZone();
		const {code, stderr} = await run(['edit', ...words]);
		expect(code, stderr).toBe(exit);
		expect(stderr).toContain(expectedText);
		expect(takeWrites()).toEqual([]);
	});
});

test.each([
	'acme.example',
	'check.acme.example',
	'turning.acme.example',
])('nothing is sent to %s, which has not migrated', async zoneName => {
	const {run, takeWrites, cwd} = await openManagedZone();
	writeFileSync(join(cwd, 'managed.json'), '{"rules": []}');
	for (const words of [
		['edit', '--threshold', '25'],
		['exception', 'add', ...searchExceptionOptions, '--skip', 'owasp'],
		['apply', 'managed.json', '--fingerprint', '4f53cda18c2baa0c', '--confirm', zoneName],
		['restore', '1', '--yes'],
	]) {
		const ended = await run([...words, '--json'], {zone: zoneName});
		expect(ended.code, ended.stderr).toBe(5);
		expect(errorOf(ended)).toMatchObject({code: 'not_eligible'});
	}
	expect(takeWrites()).toEqual([]);
});

describe('managed versions and restore', () => {
	test('restore an earlier version, completely or for one rule', async () => {
		const {run, takeWrites, json} = await openManagedZone();
		await run(['edit', '--threshold', '25']);
		await run(['exception', 'add', ...searchExceptionOptions, '--skip', 'owasp']);
		expect(await json(['versions'])).toMatchObject([
			{version: '3', inForce: true},
			{version: '2'},
			{version: '1'},
		]);
		expect((await run(['versions', '3'])).stdout).toContain('exception "search"');
		expect((await run(['versions', '9'])).code).toBe(3);
		takeWrites();
		expect((await run(['restore', '1'])).code).toBe(2);
		expect((await run(['restore', '1', '--rule', migratedOwaspRuleId, '--yes'])).code).toBe(2);
		const restored = await run(['restore', '1', '--rule', migratedOwaspRuleId, '--yes', ...zoneConfirmation]);
		expect(restored.code, restored.stderr).toBe(0);
		expect(restored.stderr).toContain('ledge managed restore 3 --zone-id');
		expect(takeWrites()).toMatchObject([
			{method: 'PATCH', path: expect.stringContaining(migratedOwaspRuleId)},
		]);
		expect((await run(['restore', '1', '--yes'])).code).toBe(0);
		expect(takeWrites()).toMatchObject([{method: 'DELETE'}]);
		const same = await run(['restore', '1', '--yes']);
		expect(same.stderr).toContain('No difference');
		expect(same.stderr).not.toContain('To undo');
	});

	test.each([
		['a stricter change', ['edit', '--threshold', '25'], true],
		['a looser one', ['edit', '--threshold', '60', ...zoneConfirmation], false],
		['a deployed ruleset', ['edit', '--deploy', 'credentials'], true],
		['an exception', ['exception', 'add', ...searchExceptionOptions, '--skip', 'owasp'], false],
	])('print an undo command for %s that runs as printed', async (_what, words, needsName) => {
		const {run, takeWrites} = await openManagedZone();
		const {stderr} = await run(words);
		const printed = /To undo: ledge managed (.*)$/m.exec(stderr)?.[1]?.split(' ') ?? [];
		expect(printed.includes('--confirm')).toBe(needsName);
		takeWrites();
		const undone = await run(printed.toSpliced(printed.indexOf('--zone-id'), 2), {tty: true, input: 'y\n'});
		expect(undone.code, undone.stderr).toBe(0);
		expect(takeWrites()).toHaveLength(1);
	});

	test('ask for the zone name to restore a version with less protection', async () => {
		const {run, takeWrites} = await openManagedZone();
		await run(['edit', '--deploy', 'credentials']);
		takeWrites();
		expect((await run(['restore', '1', '--yes'])).code).toBe(2);
		expect(takeWrites()).toEqual([]);
		expect((await run(['restore', '1', ...zoneConfirmation])).code).toBe(0);
	});
});

describe('managed catalogue', () => {
	test('finds rules by words within one ruleset, with their current state', async () => {
		const {json, run} = await openManagedZone();
		const found = await json<{id: string; ruleset: {id: string}; now: object}[]>([
			'catalogue',
			'sqli',
			'php',
			'--ruleset',
			'platform',
		]);
		expect(found.length).toBeGreaterThan(0);
		expect(new Set(found.map(({ruleset}) => ruleset.id))).toEqual(new Set([platform.id]));
		expect(await json(['catalogue', thresholdRuleId])).toEqual([
			{
				id: thresholdRuleId,
				name: '949110: Inbound Anomaly Score Exceeded',
				ruleset: {id: owasp.id, name: owasp.name},
				categories: [],
				byDefault: {action: 'block', enabled: true, score_threshold: 40},
				now: {action: 'managed_challenge', enabled: true, by: 'rule'},
			},
		]);
		const missing = await run(['catalogue', 'f'.repeat(32), '--ruleset', 'platform']);
		expect(missing.stdout).toMatch(/ does not contain rule f{32}\.\n$/);
		const nothing = await run(['catalogue', 'zzzzqqqq']);
		expect(nothing).toMatchObject({code: 0, stdout: 'No matching managed rules.\n'});
		expect(nothing.stderr).toContain('The search covers names and tags');
		expect((await run(['catalogue', 'wordpress'], {zone: 'acme.example'})).stdout).toContain('not deployed');
	});
});

describe('concurrent changes to the rules', () => {
	test('just before a write are reported, with what was overwritten', async () => {
		const {run, service} = await openManagedZone();
		await changeDuringWrite(service, 'PUT', {expression: 'ssl'});
		const {code, stderr} = await run(['edit', '--threshold', '25', '--deploy', 'credentials']);
		expect(code, stderr).toBe(0);
		expect(stderr).toContain('Someone else changed these rules at the same time');
		expect(stderr).toContain('expression: true → ssl');
		expect(stderr).toMatch(/To restore it: ledge managed restore \d+ --zone-id/);
	});
});

test.each([
	'lost-answer',
	'status=500',
	'status=429',
	'late-status=502',
])('an edit with %s is sent once, and its outcome is reported correctly', async fault => {
	const {run, takeWrites, service, json} = await openManagedZone();
	await service.setFaults(`${fault} method=PATCH`);
	const {code, stderr} = await run(['edit', '--threshold', '25', '--yes']);
	await service.setFaults('');
	expect(takeWrites()).toHaveLength(1);
	const {version} = await json<ShownConfiguration>(['show']);
	if (code === 0) expect(version).toBe('2');
	else expect(version === '1' || /not known|may/i.test(stderr), stderr).toBe(true);
});

test('--read-only refuses every write before any read', async () => {
	const {run, service} = await openManagedZone();
	const before = service.simulator.calls.list().length;
	for (const words of [
		['edit', '--threshold', '25'],
		['exception', 'add', ...searchExceptionOptions, '--skip', 'owasp'],
		['exception', 'change', migratedOwaspRuleId, '--description', 'b'],
		['exception', 'remove', migratedOwaspRuleId],
		['apply', 'managed.json'],
		['restore', '1'],
	])
		expect((await run([...words, '--read-only'])).code).toBe(2);
	expect(service.simulator.calls.list().length).toBe(before);
});
