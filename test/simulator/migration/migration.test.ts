import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {JsonObject} from '../../../source/json.ts';
import {createSimulator} from '../../../source/simulator/simulator.ts';
import {ask, json} from '../asking.ts';
import {
	execute,
	objectIn,
	owaspRuleset,
	packages,
	platformRuleset,
	rulesIn,
	thresholdRule,
	zoneOf,
	zones,
} from './migrating.ts';

describe('the check', () => {
	test.each([
		['pro', 'start'],
		['business', 'start'],
		['enterprise', 'start'],
		['validating', 'validation'],
		['pending', 'pending'],
		['complete', 'complete'],
	] as const)('of the zone %s: compatible, %s', async (which, state) => {
		expect((await zoneOf(which).check()).result).toEqual({compatible: true, migration_state: state});
	});

	test('of a zone with URI-based overrides: not compatible, without a state', async () => {
		expect((await zoneOf('withOverrides').check()).result).toEqual({compatible: false});
	});

	test('of the first phase: compatible only with hardly anything to migrate', async () => {
		expect((await zoneOf('pro').check('')).result).toEqual({compatible: false});
		expect((await zoneOf('plain').check('')).result).toEqual({
			compatible: true,
			migration_state: 'start',
		});
	});

	test('of the first phase: a zone whose managed rules are off, without anything that goes around them', async () => {
		const {call, check} = zoneOf('plain');
		await call('PATCH', `/firewall/waf/packages/${packages.owasp}`, {sensitivity: 'high'});
		expect((await check('')).result).toEqual({compatible: false});
		await call('PATCH', '/settings/waf', {value: 'off'});
		expect(objectIn(await check('')).compatible).toBe(true);
		const targets = [{target: 'url', constraint: {operator: 'matches', value: 'a/*'}}];
		await call('POST', '/pagerules', {targets, actions: [{id: 'waf', value: 'on'}]});
		expect((await check('')).result).toEqual({compatible: false});
	});

	test.each(['check', 'config', 'status'] as const)('%s on the Free plan: 403', async what => {
		expect((await zoneOf('free')[what]()).status).toBe(403);
	});
});

describe('the proposed configuration', () => {
	test('says the old settings of acme.example in new rules, exceptions first', async () => {
		const seen = await zoneOf('enterprise').config();
		expect(objectIn(seen).name).toBe('default');
		const rules = rulesIn(seen);
		expect(rules.map(({action, enabled}) => [action, enabled])).toEqual([
			['skip', true],
			['skip', true],
			['skip', true],
			['skip', false],
			['execute', true],
			['execute', true],
		]);
		expect(rules[0]).toEqual({
			id: '',
			version: '',
			ref: '',
			action: 'skip',
			action_parameters: {ruleset: 'current'},
			expression: 'ip.src eq 198.51.100.7 and http.user_agent contains "acme-monitor"',
			description: 'Monitoring goes around the rate limit',
			enabled: true,
			logging: {enabled: true},
		});
		expect(rules[1]?.expression).toBe('http.request.full_uri wildcard "*://acme.example/internal/*"');
		expect(rules[5]?.action_parameters).toEqual({
			id: owaspRuleset,
			overrides: {
				categories: [2, 3, 4].map(level => ({category: `paranoia-level-${level}`, enabled: false})),
				rules: [{id: thresholdRule, score_threshold: 25, action: 'log'}],
			},
		});
	});

	test.each([
		['high', 'challenge', [3, 4], 40, 'managed_challenge'],
		['medium', 'block', [2, 3, 4], 25, 'block'],
		['low', 'simulate', [2, 3, 4], 40, 'log'],
		['default', 'block', [3, 4], 40, 'block'],
	] as const)('sensitivity %s with %s', async (sensitivity, action_mode, without, threshold, action) => {
		const {call, config} = zoneOf('pro');
		await call('PATCH', `/firewall/waf/packages/${packages.owasp}`, {sensitivity, action_mode});
		expect(rulesIn(await config()).at(-1)?.action_parameters).toEqual({
			id: owaspRuleset,
			overrides: {
				categories: without.map(level => ({category: `paranoia-level-${level}`, enabled: false})),
				rules: [{id: thresholdRule, score_threshold: threshold, action}],
			},
		});
	});

	test('holds no OWASP ruleset where the package was off', async () => {
		const rules = rulesIn(await zoneOf('plain').config());
		expect(rules.map(({action_parameters: given}) => (given as JsonObject).id)).toEqual([platformRuleset]);
	});

	test('is worked out from what the zone has when it is asked for', async () => {
		const {call, config} = zoneOf('plain');
		const rules = `/firewall/waf/packages/${packages.platform}/rules`;
		const [one] = (await call('GET', `${rules}?mode=BLK&per_page=5`)).result as readonly JsonObject[];
		const ofRule = async () => {
			const {overrides} = rulesIn(await config()).at(-1)?.action_parameters as JsonObject;
			return ((overrides as JsonObject).rules as readonly JsonObject[]).find(({id}) => id === one?.id);
		};
		expect(await ofRule()).toBeUndefined();
		await call('PATCH', `${rules}/${one?.id}`, {mode: 'simulate'});
		expect(await ofRule()).toEqual({id: one?.id, action: 'log', enabled: true});
		await call('PATCH', `${rules}/${one?.id}`, {mode: 'disable'});
		expect(await ofRule()).toEqual({id: one?.id, enabled: false});
		await call('PATCH', `${rules}/${one?.id}`, {mode: 'default'});
		expect(await ofRule()).toBeUndefined();
	});

	test('has everything disabled where the managed rules are switched off', async () => {
		const {call, config} = zoneOf('plain');
		await call('PATCH', '/settings/waf', {value: 'off'});
		expect(rulesIn(await config()).map(({enabled}) => enabled)).toEqual([false]);
	});

	test('can be put as it is, and is then there with ids', async () => {
		const {config, migrate, entryPoint} = zoneOf('enterprise');
		const proposed = rulesIn(await config());
		expect((await migrate('pending', proposed)).status).toBe(200);
		const saved = rulesIn(await entryPoint());
		expect(saved.map(({expression}) => expression)).toEqual(proposed.map(({expression}) => expression));
		expect(saved[4]?.action_parameters).toMatchObject({id: platformRuleset, version: 'latest'});
	});

	test.each([
		['withManyBypasses', '230 firewall rules would have to be migrated, 200 can be: contact support'],
		['withLongExpression', 'has 4271 bytes, 4096 can be migrated: contact support'],
	] as const)('of the zone %s: 400, and so is a PUT', async (which, words) => {
		const {config, migrate, entryPoint} = zoneOf(which);
		for (const seen of [await config(), await migrate('pending')]) {
			expect(seen.status).toBe(400);
			expect(seen.errors[0]?.message).toContain(words);
		}
		expect((await entryPoint()).status).toBe(404);
	});

	test.each(['pending', 'complete'] as const)('of a zone that is %s: 400', async which => {
		expect((await zoneOf(which).config()).status).toBe(400);
	});
});

describe('the PUT', () => {
	test.each(['pending', '1'])('with waf_migration=%s: pending for a while, then complete', async mode => {
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
	])('with waf_migration=%s: both versions, until another one with pending', async mode => {
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

	test('validation on a plan below Enterprise: 403, and nothing is saved', async () => {
		const {migrate, entryPoint, state} = zoneOf('business');
		expect((await migrate('validation')).status).toBe(403);
		expect((await entryPoint()).status).toBe(404);
		expect(await state()).toBe('start');
	});

	test('to a zone with overrides: 400, naming each of them', async () => {
		const {migrate, call} = zoneOf('withOverrides');
		const overrides = (await call('GET', '/firewall/waf/overrides')).result as readonly JsonObject[];
		expect(overrides).toHaveLength(3);
		const seen = await migrate('pending');
		expect(seen.status).toBe(400);
		for (const {id} of overrides) expect(seen.errors[0]?.message).toContain(String(id));
		for (const {id} of overrides) await call('DELETE', `/firewall/waf/overrides/${id}`);
		expect((await migrate('pending')).status).toBe(200);
	});

	test('without phase_two: only to a zone that is eligible in the first phase', async () => {
		expect((await zoneOf('pro').put([execute()], '?waf_migration=pending')).status).toBe(400);
		expect((await zoneOf('plain').put([execute()], '?waf_migration=pending')).status).toBe(200);
	});

	test.each(['pending', 'complete'] as const)('to a zone that is %s: 400', async which => {
		const {migrate, entryPoint} = zoneOf(which);
		const before = await entryPoint();
		expect((await migrate('pending')).status).toBe(400);
		expect((await entryPoint()).result).toEqual(before.result);
	});

	test.each(['', 'complete', '3'])('with waf_migration=%j: 400', async mode => {
		const {migrate, state} = zoneOf('enterprise');
		expect((await migrate(mode)).status).toBe(400);
		expect(await state()).toBe('start');
	});

	test('to another phase: 400', async () => {
		const {call} = zoneOf('enterprise');
		const path = '/rulesets/phases/http_request_firewall_custom/entrypoint?waf_migration=pending&phase_two=1';
		expect((await call('PUT', path, {rules: []})).status).toBe(400);
	});

	test('with a rule that is wrong: 400, and the zone is where it was', async () => {
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

	test('without waf_migration below Enterprise: only rules that are disabled', async () => {
		const {put, state} = zoneOf('pro');
		const refused = await put([execute()]);
		expect([refused.status, refused.errors[0]?.source]).toEqual([403, {pointer: '/rules/0/enabled'}]);
		expect((await put([execute(platformRuleset, {enabled: false})])).status).toBe(200);
		expect(await state()).toBe('start');
	});

	test('without waf_migration: on Enterprise any rules, and after the migration on every plan', async () => {
		const {put, status} = zoneOf('enterprise');
		expect((await put([execute()])).status).toBe(200);
		expect(objectIn(await status())).toMatchObject({migration_state: 'start', new_waf_status: 'disabled'});
		expect((await zoneOf('complete').put([execute()])).status).toBe(200);
	});
});

test('a migration goes on in another process', async () => {
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
	test('stale-stage: the stage before the PUT is said, so often as wanted', async () => {
		const {simulator, migrate, state, check} = zoneOf('enterprise');
		simulator.faults.add('stale-stage path=/waf_migration/ times=2');
		await migrate('validation');
		expect([await state(), objectIn(await check()).migration_state, await state()]).toEqual([
			'start',
			'start',
			'validation',
		]);
	});

	test('stage: any word is said', async () => {
		const {simulator, state} = zoneOf('pro');
		simulator.faults.add('stage=rolling_back');
		expect(await state()).toBe('rolling_back');
	});

	test.each([
		['status=502 method=PUT', 'start'],
		['late-status=502 method=PUT', 'pending'],
		['late-status=524 method=PUT', 'pending'],
	])('%s: afterwards the zone is in %s', async (fault, wanted) => {
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

	test('lost-answer: the PUT has taken effect', async () => {
		const {simulator, migrate, state} = zoneOf('pro');
		simulator.faults.add('lost-answer method=PUT');
		await expect(migrate('pending')).rejects.toThrow('fetch failed');
		expect(await state()).toBe('pending');
	});
});

describe('a token that may not', () => {
	test.each([
		['GET', '/waf_migration/check', 'waf:write'],
		['GET', '/waf_migration/config', 'firewall:read'],
		['PUT', '/rulesets/phases/http_request_firewall_managed/entrypoint', 'waf:read'],
		['GET', '/firewall/waf/packages', 'waf:read'],
		['PATCH', `/firewall/waf/packages/${packages.owasp}`, 'firewall:read'],
		['DELETE', `/firewall/waf/overrides/${packages.owasp}`, 'firewall:read'],
		['GET', '/settings/waf', 'firewall:read'],
		['GET', '/pagerules', 'firewall:read'],
	] as const)('%s %s: 403', async (method, path, grant) => {
		const {call} = zoneOf('enterprise', {tokens: [{value: 'simulated', grants: [grant]}]});
		expect((await call(method, path)).status).toBe(403);
	});
});
