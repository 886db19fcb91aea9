import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createSimulator} from '../../../source/simulator/simulator.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {ask, json} from '../asking.ts';
import {execute, objectIn, packages, platformRuleset, zoneOf, zones} from './migrating.ts';

describe('the PUT', () => {
	test.each([
		'pending',
		'1',
	])('with waf_migration=%s leaves the zone pending for a while, then complete', async mode => {
		const {migrate, state, status, clock} = zoneOf('pro', {migrationSeconds: 60});
		const seen = await migrate(mode);
		expect([seen.status, objectIn(seen).version]).toEqual([200, '1']);
		expect(await state()).toBe('pending');
		clock.now += 59_999;
		expect(await state()).toBe('pending');
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
		const {migrate, status, state, clock} = zoneOf('enterprise');
		expect((await migrate(mode)).status).toBe(200);
		expect((await status()).result).toMatchObject({
			migration_state: 'validation',
			new_waf_status: 'enabled',
			old_waf_status: 'enabled',
		});
		clock.now += 86_400_000;
		expect(await state()).toBe('validation');
		expect(objectIn(await migrate('pending')).version).toBe('2');
		clock.now += 3000;
		expect(await state()).toBe('complete');
	});

	test('for validation below Enterprise gives 403 and saves nothing', async () => {
		const {migrate, entryPoint, state} = zoneOf('business');
		expect((await migrate('validation')).status).toBe(403);
		expect((await entryPoint()).status).toBe(404);
		expect(await state()).toBe('start');
	});

	test('to a zone with overrides gives 400 and names each value', async () => {
		const {migrate, call} = zoneOf('withOverrides');
		const overrides = (await call('GET', '/firewall/waf/overrides')).result as readonly JsonObject[];
		expect(overrides).toHaveLength(3);
		const seen = await migrate('pending');
		expect(seen.status).toBe(400);
		for (const {id} of overrides) expect(seen.errors[0]?.message).toContain(String(id));
		for (const {id} of overrides) await call('DELETE', `/firewall/waf/overrides/${id}`);
		expect((await migrate('pending')).status).toBe(200);
	});

	test('without phase_two only works for a zone eligible in the first phase', async () => {
		expect((await zoneOf('pro').put([execute()], '?waf_migration=pending')).status).toBe(400);
		expect((await zoneOf('plain').put([execute()], '?waf_migration=pending')).status).toBe(200);
	});

	test.each(['pending', 'complete'] as const)('to a zone that is %s gives 400', async which => {
		const {migrate, entryPoint} = zoneOf(which);
		const before = await entryPoint();
		expect((await migrate('pending')).status).toBe(400);
		expect((await entryPoint()).result).toEqual(before.result);
	});

	test.each(['', 'complete', '3'])('with waf_migration=%j gives 400', async mode => {
		const {migrate, state} = zoneOf('enterprise');
		expect((await migrate(mode)).status).toBe(400);
		expect(await state()).toBe('start');
	});

	test('to another phase gives 400', async () => {
		const {call} = zoneOf('enterprise');
		const path = '/rulesets/phases/http_request_firewall_custom/entrypoint?waf_migration=pending&phase_two=1';
		expect((await call('PUT', path, {rules: []})).status).toBe(400);
	});

	test('with an invalid rule gives 400 and leaves the zone unchanged', async () => {
		const {migrate, state, entryPoint} = zoneOf('enterprise');
		expect((await migrate('pending', [execute('0123456789abcdef0123456789abcdef')])).status).toBe(400);
		expect(await state()).toBe('start');
		expect((await entryPoint()).status).toBe(404);
	});

	test('with dry_run=true has no effect', async () => {
		const {put, state} = zoneOf('enterprise');
		const seen = await put([execute()], '?waf_migration=pending&phase_two=1&dry_run=true');
		expect([seen.status, seen.result]).toEqual([200, null]);
		expect(await state()).toBe('start');
	});

	test('without waf_migration below Enterprise only accepts disabled rules', async () => {
		const {put, state} = zoneOf('pro');
		const refused = await put([execute()]);
		expect([refused.status, refused.errors[0]?.source]).toEqual([403, {pointer: '/rules/0/enabled'}]);
		expect((await put([execute(platformRuleset, {enabled: false})])).status).toBe(200);
		expect(await state()).toBe('start');
	});

	test('without waf_migration accepts any rules on Enterprise, and on every plan after the migration', async () => {
		const {put, status} = zoneOf('enterprise');
		expect((await put([execute()])).status).toBe(200);
		expect(objectIn(await status())).toMatchObject({migration_state: 'start', new_waf_status: 'disabled'});
		expect((await zoneOf('complete').put([execute()])).status).toBe(200);
	});
});

test('a migration continues in another process', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'ledge-'));
	try {
		const state = join(folder, 'world.sqlite');
		const zone = `/zones/${zones.pro}`;
		const clock = {now: 1_900_000_000_000};
		const open = () => createSimulator({state, now: () => clock.now, migrationSeconds: 10});
		{
			using simulator = open();
			await ask(
				simulator,
				`${zone}/rulesets/phases/http_request_firewall_managed/entrypoint?waf_migration=pending&phase_two=1`,
				json('PUT', {rules: [execute()]}),
			);
		}
		for (const [later, wanted] of [
			[9999, 'pending'],
			[1, 'complete'],
		] as const) {
			clock.now += later;
			using simulator = open();
			const seen = await ask(simulator, `${zone}/waf_migration/status`);
			expect(objectIn(seen).migration_state).toBe(wanted);
		}
	} finally {
		rmSync(folder, {recursive: true});
	}
});

describe('faults', () => {
	test('stale-stage reports the stage before the PUT, as often as requested', async () => {
		const {simulator, migrate, state, check} = zoneOf('enterprise');
		simulator.faults.add('stale-stage path=/waf_migration/ times=2');
		await migrate('validation');
		expect([await state(), objectIn(await check()).migration_state, await state()]).toEqual([
			'start',
			'start',
			'validation',
		]);
	});

	test('stage reports any given word', async () => {
		const {simulator, state} = zoneOf('pro');
		simulator.faults.add('stage=rolling_back');
		expect(await state()).toBe('rolling_back');
	});

	test.each([
		['status=502 method=PUT', 'start'],
		['late-status=502 method=PUT', 'pending'],
		['late-status=524 method=PUT', 'pending'],
	])('%s leaves the zone in %s', async (fault, wanted) => {
		const {simulator, state} = zoneOf('pro');
		simulator.faults.add(fault);
		const path = `/client/v4/zones/${zones.pro}/rulesets/phases/http_request_firewall_managed/entrypoint`;
		const response = await simulator.fetch(
			new Request(`http://simulated.invalid${path}?waf_migration=pending&phase_two=1`, {
				...json('PUT', {rules: [execute()]}),
				headers: {authorization: 'Bearer simulated'},
			}),
		);
		expect(response.status).toBeGreaterThanOrEqual(500);
		expect(await state()).toBe(wanted);
	});

	test('lost-answer lets the PUT take effect', async () => {
		const {simulator, migrate, state} = zoneOf('pro');
		simulator.faults.add('lost-answer method=PUT');
		await expect(migrate('pending')).rejects.toThrow('fetch failed');
		expect(await state()).toBe('pending');
	});
});

describe('a token without the grant', () => {
	test.each([
		['GET', '/waf_migration/check', 'waf:write'],
		['GET', '/waf_migration/config', 'firewall:read'],
		['PUT', '/rulesets/phases/http_request_firewall_managed/entrypoint', 'waf:read'],
		['GET', '/firewall/waf/packages', 'waf:read'],
		['PATCH', `/firewall/waf/packages/${packages.owasp}`, 'firewall:read'],
		['DELETE', `/firewall/waf/overrides/${packages.owasp}`, 'firewall:read'],
		['GET', '/settings/waf', 'firewall:read'],
		['GET', '/pagerules', 'firewall:read'],
	] as const)('gets 403 for %s %s', async (method, path, grant) => {
		const {call} = zoneOf('enterprise', {tokens: [{value: 'simulated', grants: [grant]}]});
		expect((await call(method, path)).status).toBe(403);
	});
});
