import {beforeEach, describe, expect, test} from 'vitest';
import {errorOf, noRule, setUpFirewallService, zoneIds} from '../../support/firewall.ts';

const service = setUpFirewallService();
let {rule, filter} = noRule;

beforeEach(async () => {
	({rule, filter} = await service.createOwnRule());
});

const readRule = (id = rule) => service.rule(id);
const readFilter = (id = filter) => service.filter(id);
const zonePath = `/zones/${zoneIds.enterprise}`;

describe('firewall rule delete', () => {
	const remove = (...words: string[]) => service.run(['rule', 'delete', ...words, '--yes']);

	test('deletes the rule first, then its filter', async () => {
		const {code, stderr} = await remove(rule);
		expect(code).toBe(0);
		expect(stderr).toContain(`Its filter ${filter} was deleted.`);
		expect((await service.takeWrites()).map(call => `${call.method} ${call.path}`)).toEqual([
			`DELETE ${zonePath}/firewall/rules/${rule}`,
			`DELETE ${zonePath}/filters/${filter}`,
		]);
		expect(await readRule()).toBeUndefined();
		expect(await readFilter()).toBeUndefined();
	});

	test('keeps a filter that another rule uses, and names that rule', async () => {
		const other = await service.addRule(filter);
		const {code, stderr} = await remove(rule);
		expect(code).toBe(0);
		expect(stderr).toContain(other);
		expect(await readFilter()).toBeDefined();
		expect(await readRule(other)).toBeDefined();
	});

	test('of all rules using a filter deletes the filter after the last one', async () => {
		const other = await service.addRule(filter);
		const {code, stdout} = await remove(rule, other, '--json');
		expect(code).toBe(0);
		expect(JSON.parse(stdout)).toEqual([
			{id: rule, deleted: true, filter: {id: filter, state: 'kept, shared', usedBy: [other]}},
			{id: other, deleted: true, filter: {id: filter, state: 'deleted'}},
		]);
		expect(await readFilter()).toBeUndefined();
	});

	test('--keep-filter keeps the filter', async () => {
		expect((await remove(rule, '--keep-filter')).code).toBe(0);
		expect(await readFilter()).toBeDefined();
	});

	test('of a missing rule succeeds', async () => {
		const {code, stderr} = await remove('f'.repeat(32));
		expect(code).toBe(0);
		expect(stderr).toContain('There is no rule');
		expect(await service.takeWrites()).toEqual([]);
	});

	test('asks for confirmation and names the rule and filter to be deleted', async () => {
		const refused = await service.run(['rule', 'delete', rule]);
		expect(refused.code).toBe(2);
		expect(refused.stderr).toMatch(new RegExp(`rule \\S.* \\(block, ${rule}\\) and its filter ${filter}`));
		expect(await service.takeWrites()).toEqual([]);
	});

	test('reports a deleted rule with its remaining filter if the second call fails, and how to continue', async () => {
		const ended = await service.withFaults('status=429 path=/filters/ method=DELETE', () =>
			remove(rule, '--json'),
		);
		expect(ended).toMatchObject({code: 1, stdout: ''});
		expect(errorOf(ended).left).toMatch(new RegExp(`^Rule ${rule} was deleted\\. .*${filter} `));
		expect(errorOf(ended).next).toContain(`ledge firewall filter delete ${filter}`);
		expect(await readRule()).toBeUndefined();
		expect(await readFilter()).toBeDefined();
	});

	test('continues with the filter after a lost first response', async () => {
		const ended = await service.withFaults('lost-answer times=1 path=/firewall/rules/ method=DELETE', () =>
			remove(rule),
		);
		expect(ended.code).toBe(0);
		expect(await readFilter()).toBeUndefined();
	});

	test('--dry-run shows both requests in order', async () => {
		const {code, stdout} = await service.run(['rule', 'delete', rule, '--dry-run']);
		expect(code).toBe(0);
		expect(stdout).toMatch(/# 1 {2}DELETE .*\/firewall\/rules\/[\s\S]*# 2 {2}DELETE .*\/filters\//);
		expect(await service.takeWrites()).toEqual([]);
	});
});
