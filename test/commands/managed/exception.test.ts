import {describe, expect, test} from 'vitest';
import {managedRulesets, thresholdRuleId} from '../../../source/migration/configuration/mapping.ts';
import {
	migratedOwaspRuleId,
	migratedPlatformRuleId,
	openManagedZone,
	type ShownConfiguration,
	searchExceptionOptions,
	zoneConfirmation,
} from './support.ts';

const {owasp} = managedRulesets;

describe('managed exception', () => {
	test('for one OWASP rule goes before OWASP, and can be changed and removed', async () => {
		const {run, takeWrites, json} = await openManagedZone();
		const {code, stderr} = await run([
			'exception',
			'add',
			...searchExceptionOptions,
			'--skip',
			`owasp:${thresholdRuleId}`,
		]);
		expect(code, stderr).toBe(0);
		expect(takeWrites()).toMatchObject([
			{
				method: 'POST',
				body: {
					action: 'skip',
					action_parameters: {rules: {[owasp.id]: [thresholdRuleId]}},
					expression: 'http.host eq "search.example"',
					description: 'search',
					position: {after: migratedPlatformRuleId},
				},
			},
		]);
		const again = await run([
			'exception',
			'add',
			...searchExceptionOptions,
			'--skip',
			`owasp:${thresholdRuleId}`,
		]);
		expect(again.code).toBe(2);
		expect(again.stderr).toContain('This exception already exists.');
		expect(takeWrites()).toEqual([]);
		const [created] = await json<{rule: string; affects: string[]}[]>(['exception', 'list']);
		const id = created?.rule ?? '';
		expect(created?.affects).toEqual(['OWASP Core Ruleset']);
		expect((await run(['exception', 'list'])).stdout).toContain('949110');
		await run(['exception', 'change', id, '--description', 'all of the search', '--no-log']);
		expect(takeWrites()).toMatchObject([
			{
				method: 'PATCH',
				path: expect.stringContaining(id),
				body: {
					id,
					action_parameters: {rules: {[owasp.id]: [thresholdRuleId]}},
					expression: 'http.host eq "search.example"',
					description: 'all of the search',
					logging: {enabled: false},
				},
			},
		]);
		expect((await run(['exception', 'remove', id])).code).toBe(2);
		expect(takeWrites()).toEqual([]);
		expect((await run(['exception', 'remove', id, '--yes'])).code).toBe(0);
		expect(takeWrites()).toMatchObject([{method: 'DELETE', path: expect.stringContaining(id)}]);
	});

	test('is moved before an earlier ruleset if it is changed to skip that', async () => {
		const {run, takeWrites, json} = await openManagedZone();
		await run(['exception', 'add', ...searchExceptionOptions, '--skip', 'owasp']);
		const [created] = await json<{rule: string}[]>(['exception', 'list']);
		takeWrites();
		const {code, stderr} = await run(['exception', 'change', created?.rule ?? '', '--skip', 'platform']);
		expect(code, stderr).toBe(0);
		expect(takeWrites()).toMatchObject([{method: 'PUT'}]);
		const {rules} = await json<ShownConfiguration>(['show']);
		expect(rules.map(({action}) => action)).toEqual(['skip', 'execute', 'execute']);
		expect(rules[0]?.id).toBe(created?.rule);
	});

	test.each<[string, readonly string[]]>([
		['all managed rules', [...searchExceptionOptions, '--skip', 'all']],
		['nearly all requests', ['--expression', 'http.host ne "a.example"', '--skip', 'owasp']],
	])('for %s asks for the zone name', async (_what, words) => {
		const {run, takeWrites} = await openManagedZone();
		expect((await run(['exception', 'add', ...words, '--yes'])).code).toBe(2);
		expect(takeWrites()).toEqual([]);
		expect((await run(['exception', 'add', ...words, ...zoneConfirmation])).code).toBe(0);
	});

	test.each<[string, readonly string[], number]>([
		['no expression', ['add', '--skip', 'all'], 2],
		['nothing to skip', ['add', ...searchExceptionOptions], 2],
		['a broken expression', ['add', '--expression', 'http.host =', '--skip', 'owasp'], 2],
		[
			'an id that is not in the ruleset',
			['add', ...searchExceptionOptions, '--skip', `platform:${thresholdRuleId}`],
			2,
		],
		['no id that exists', ['change', 'f'.repeat(32), '--description', 'b'], 3],
		['an id that is not an exception', ['remove', migratedOwaspRuleId, '--yes'], 3],
		['nothing to change', ['change', migratedOwaspRuleId], 2],
	])('with %s sends nothing', async (_what, words, exit) => {
		const {run, takeWrites} = await openManagedZone();
		const {code, stderr} = await run(['exception', ...words]);
		expect(code, stderr).toBe(exit);
		expect(takeWrites()).toEqual([]);
	});

	test('with a field that ledge does not know is refused with the option that sends it', async () => {
		const {run} = await openManagedZone();
		const words = ['exception', 'add', '--expression', 'cf.brand_new eq "a"', '--skip', 'owasp'];
		expect(await run(words)).toMatchObject({code: 2, stderr: expect.stringContaining('add --allow-unknown')});
	});
});
