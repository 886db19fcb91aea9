import {describe, expect, test} from 'vitest';
import {managedRulesets, thresholdRuleId} from '../../../source/migration/configuration/mapping.ts';
import {confirmed, opened, owaspRule, platformRule, type Shown, search} from './support.ts';

const {owasp} = managedRulesets;

describe('managed exception', () => {
	test('for one OWASP rule goes before OWASP, and can be changed and removed', async () => {
		const {run, writes, json} = await opened();
		const {code, stderr} = await run(['exception', 'add', ...search, '--skip', `owasp:${thresholdRuleId}`]);
		expect(code, stderr).toBe(0);
		expect(writes()).toMatchObject([
			{
				method: 'POST',
				body: {
					action: 'skip',
					action_parameters: {rules: {[owasp.id]: [thresholdRuleId]}},
					expression: 'http.host eq "search.example"',
					description: 'search',
					position: {after: platformRule},
				},
			},
		]);
		const [made] = await json<{rule: string; affects: string[]}[]>(['exception', 'list']);
		const id = made?.rule ?? '';
		expect(made?.affects).toEqual(['OWASP Core Ruleset']);
		expect((await run(['exception', 'list'])).stdout).toContain('949110');
		await run(['exception', 'change', id, '--description', 'all of the search', '--no-log']);
		expect(writes()).toMatchObject([
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
		expect(writes()).toEqual([]);
		expect((await run(['exception', 'remove', id, '--yes'])).code).toBe(0);
		expect(writes()).toMatchObject([{method: 'DELETE', path: expect.stringContaining(id)}]);
	});

	test('is moved before an earlier ruleset if it is changed to skip that', async () => {
		const {run, writes, json} = await opened();
		await run(['exception', 'add', ...search, '--skip', 'owasp']);
		const [made] = await json<{rule: string}[]>(['exception', 'list']);
		writes();
		const {code, stderr} = await run(['exception', 'change', made?.rule ?? '', '--skip', 'platform']);
		expect(code, stderr).toBe(0);
		expect(writes()).toMatchObject([{method: 'PUT'}]);
		const {rules} = await json<Shown>(['show']);
		expect(rules.map(({action}) => action)).toEqual(['skip', 'execute', 'execute']);
		expect(rules[0]?.id).toBe(made?.rule);
	});

	test.each<[string, readonly string[]]>([
		['all managed rules', [...search, '--skip', 'all']],
		['nearly all requests', ['--expression', 'http.host ne "a.example"', '--skip', 'owasp']],
	])('for %s asks for the zone name', async (_what, words) => {
		const {run, writes} = await opened();
		expect((await run(['exception', 'add', ...words, '--yes'])).code).toBe(2);
		expect(writes()).toEqual([]);
		expect((await run(['exception', 'add', ...words, ...confirmed])).code).toBe(0);
	});

	test.each<[string, readonly string[], number]>([
		['no expression', ['add', '--skip', 'all'], 2],
		['nothing to skip', ['add', ...search], 2],
		['a broken expression', ['add', '--expression', 'http.host =', '--skip', 'owasp'], 2],
		['an id that is not in the ruleset', ['add', ...search, '--skip', `platform:${thresholdRuleId}`], 2],
		['no id that exists', ['change', 'f'.repeat(32), '--description', 'b'], 3],
		['an id that is not an exception', ['remove', owaspRule, '--yes'], 3],
		['nothing to change', ['change', owaspRule], 2],
	])('with %s sends nothing', async (_what, words, exit) => {
		const {run, writes} = await opened();
		const {code, stderr} = await run(['exception', ...words]);
		expect(code, stderr).toBe(exit);
		expect(writes()).toEqual([]);
	});
});
