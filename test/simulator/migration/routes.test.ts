import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createSimulator} from '../../../source/simulator/simulator.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {ask, json} from '../asking.ts';
import {
	createSampleExecuteRule,
	createSampleZone,
	getResultObject,
	platformRulesetId,
	wafPackageIds,
	zones,
} from './migrating.ts';

describe('the PUT', () => {
	test.each([
		'pending',
		'1',
	])('with waf_migration=%s leaves the zone pending for a while, then complete', async mode => {
		const {migrate, readState, status, clock} = createSampleZone('pro', {migrationSeconds: 60});
		const response = await migrate(mode);
		expect([response.status, getResultObject(response).version]).toEqual([200, '1']);
		expect(await readState()).toBe('pending');
		clock.now += 59_999;
		expect(await readState()).toBe('pending');
		clock.now += 1;
		expect((await status()).result).toEqual({
			created: '2030-03-17T17:46:40.000Z',
			migration_state: 'complete',
			new_waf_status: 'enabled',
			old_waf_status: 'disabled',
			source: 'zone',
		});
	});

	test.each([
		'validation',
		'2',
	])('with waf_migration=%s runs both versions until another PUT with pending', async mode => {
		const {migrate, status, readState, clock} = createSampleZone('enterprise');
		expect((await migrate(mode)).status).toBe(200);
		expect((await status()).result).toMatchObject({
			migration_state: 'validation',
			new_waf_status: 'enabled',
			old_waf_status: 'enabled',
		});
		clock.now += 86_400_000;
		expect(await readState()).toBe('validation');
		expect(getResultObject(await migrate('pending')).version).toBe('2');
		clock.now += 3000;
		expect(await readState()).toBe('complete');
	});

	test('for validation below Enterprise gives 403 and saves nothing', async () => {
		const {migrate, readEntryPoint, readState} = createSampleZone('business');
		expect((await migrate('validation')).status).toBe(403);
		expect((await readEntryPoint()).status).toBe(404);
		expect(await readState()).toBe('start');
	});

	test('to a zone with overrides gives 400 and names each value', async () => {
		const {migrate, call} = createSampleZone('withOverrides');
		const overrides = (await call('GET', '/firewall/waf/overrides')).result as readonly JsonObject[];
		expect(overrides).toHaveLength(3);
		const response = await migrate('pending');
		expect(response.status).toBe(400);
		for (const {id} of overrides) expect(response.errors[0]?.message).toContain(String(id));
		for (const {id} of overrides) await call('DELETE', `/firewall/waf/overrides/${id}`);
		expect((await migrate('pending')).status).toBe(200);
	});

	test('without phase_two only works for a zone eligible in the first phase', async () => {
		expect(
			(await createSampleZone('pro').put([createSampleExecuteRule()], '?waf_migration=pending')).status,
		).toBe(400);
		expect(
			(await createSampleZone('plain').put([createSampleExecuteRule()], '?waf_migration=pending')).status,
		).toBe(200);
	});

	test.each(['pending', 'complete'] as const)('to a zone that is %s gives 400', async which => {
		const {migrate, readEntryPoint} = createSampleZone(which);
		const before = await readEntryPoint();
		expect((await migrate('pending')).status).toBe(400);
		expect((await readEntryPoint()).result).toEqual(before.result);
	});

	test.each(['', 'complete', '3'])('with waf_migration=%j gives 400', async mode => {
		const {migrate, readState} = createSampleZone('enterprise');
		expect((await migrate(mode)).status).toBe(400);
		expect(await readState()).toBe('start');
	});

	test('to another phase gives 400', async () => {
		const {call} = createSampleZone('enterprise');
		const path = '/rulesets/phases/http_request_firewall_custom/entrypoint?waf_migration=pending&phase_two=1';
		expect((await call('PUT', path, {rules: []})).status).toBe(400);
	});

	test('with an invalid rule gives 400 and leaves the zone unchanged', async () => {
		const {migrate, readState, readEntryPoint} = createSampleZone('enterprise');
		expect(
			(await migrate('pending', [createSampleExecuteRule('0123456789abcdef0123456789abcdef')])).status,
		).toBe(400);
		expect(await readState()).toBe('start');
		expect((await readEntryPoint()).status).toBe(404);
	});

	test('with dry_run=true has no effect', async () => {
		const {put, readState} = createSampleZone('enterprise');
		const response = await put(
			[createSampleExecuteRule()],
			'?waf_migration=pending&phase_two=1&dry_run=true',
		);
		expect([response.status, response.result]).toEqual([200, null]);
		expect(await readState()).toBe('start');
	});

	test('without waf_migration below Enterprise only accepts disabled rules', async () => {
		const {put, readState} = createSampleZone('pro');
		const refused = await put([createSampleExecuteRule()]);
		expect([refused.status, refused.errors[0]?.source]).toEqual([403, {pointer: '/rules/0/enabled'}]);
		expect((await put([createSampleExecuteRule(platformRulesetId, {enabled: false})])).status).toBe(200);
		expect(await readState()).toBe('start');
	});

	test('without waf_migration accepts any rules on Enterprise, and on every plan after the migration', async () => {
		const {put, status} = createSampleZone('enterprise');
		expect((await put([createSampleExecuteRule()])).status).toBe(200);
		expect(getResultObject(await status())).toMatchObject({
			migration_state: 'start',
			new_waf_status: 'disabled',
		});
		expect((await createSampleZone('complete').put([createSampleExecuteRule()])).status).toBe(200);
	});
});

test('a migration continues in another process', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'ledge-'));
	try {
		const state = join(folder, 'world.sqlite');
		const zone = `/zones/${zones.pro}`;
		const clock = {now: 1_900_000_000_000};
		const openWorld = () => createSimulator({state, now: () => clock.now, migrationSeconds: 10});
		{
			using simulator = openWorld();
			await ask(
				simulator,
				`${zone}/rulesets/phases/http_request_firewall_managed/entrypoint?waf_migration=pending&phase_two=1`,
				json('PUT', {rules: [createSampleExecuteRule()]}),
			);
		}
		for (const [elapsedMs, expectedState] of [
			[9999, 'pending'],
			[1, 'complete'],
		] as const) {
			clock.now += elapsedMs;
			using simulator = openWorld();
			const response = await ask(simulator, `${zone}/waf_migration/status`);
			expect(getResultObject(response).migration_state).toBe(expectedState);
		}
	} finally {
		rmSync(folder, {recursive: true});
	}
});

describe('faults', () => {
	test('stale-stage reports the stage before the PUT, as often as requested', async () => {
		const {simulator, migrate, readState, check} = createSampleZone('enterprise');
		simulator.faults.add('stale-stage path=/waf_migration/ times=2');
		await migrate('validation');
		expect([await readState(), getResultObject(await check()).migration_state, await readState()]).toEqual([
			'start',
			'start',
			'validation',
		]);
	});

	test('stage reports any given word', async () => {
		const {simulator, readState} = createSampleZone('pro');
		simulator.faults.add('stage=rolling_back');
		expect(await readState()).toBe('rolling_back');
	});

	test.each([
		['status=502 method=PUT', 'start'],
		['late-status=502 method=PUT', 'pending'],
		['late-status=524 method=PUT', 'pending'],
	])('%s leaves the zone in %s', async (fault, expectedState) => {
		const {simulator, readState} = createSampleZone('pro');
		simulator.faults.add(fault);
		const path = `/client/v4/zones/${zones.pro}/rulesets/phases/http_request_firewall_managed/entrypoint`;
		const response = await simulator.fetch(
			new Request(`http://simulated.invalid${path}?waf_migration=pending&phase_two=1`, {
				...json('PUT', {rules: [createSampleExecuteRule()]}),
				headers: {authorization: 'Bearer simulated'},
			}),
		);
		expect(response.status).toBeGreaterThanOrEqual(500);
		expect(await readState()).toBe(expectedState);
	});

	test('lost-answer lets the PUT take effect', async () => {
		const {simulator, migrate, readState} = createSampleZone('pro');
		simulator.faults.add('lost-answer method=PUT');
		await expect(migrate('pending')).rejects.toThrow('fetch failed');
		expect(await readState()).toBe('pending');
	});
});

describe('a token without the grant', () => {
	test.each([
		['GET', '/waf_migration/check', 'waf:write'],
		['GET', '/waf_migration/config', 'firewall:read'],
		['PUT', '/rulesets/phases/http_request_firewall_managed/entrypoint', 'waf:read'],
		['GET', '/firewall/waf/packages', 'waf:read'],
		['PATCH', `/firewall/waf/packages/${wafPackageIds.owasp}`, 'firewall:read'],
		['DELETE', `/firewall/waf/overrides/${wafPackageIds.owasp}`, 'firewall:read'],
		['GET', '/settings/waf', 'firewall:read'],
		['GET', '/pagerules', 'firewall:read'],
	] as const)('gets 403 for %s %s', async (method, path, grant) => {
		const {call} = createSampleZone('enterprise', {tokens: [{value: 'simulated', grants: [grant]}]});
		expect((await call(method, path)).status).toBe(403);
	});
});
