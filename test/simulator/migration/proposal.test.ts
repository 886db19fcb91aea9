import {describe, expect, test} from 'vitest';
import type {JsonObject} from '../../../source/text/json.ts';
import {
	anomalyScoreRuleId,
	createSampleZone,
	getResultObject,
	getResultRules,
	owaspRulesetId,
	platformRulesetId,
	wafPackageIds,
} from './migrating.ts';

describe('the check', () => {
	test.each([
		['pro', 'start'],
		['business', 'start'],
		['enterprise', 'start'],
		['validating', 'validation'],
		['pending', 'pending'],
		['complete', 'complete'],
	] as const)('finds the zone %s compatible in the state %s', async (which, state) => {
		expect((await createSampleZone(which).check()).result).toEqual({
			compatible: true,
			migration_state: state,
		});
	});

	test('finds a zone with URI-based overrides incompatible, without a state', async () => {
		expect((await createSampleZone('withOverrides').check()).result).toEqual({compatible: false});
	});

	test('of the first phase accepts only zones with hardly anything to migrate', async () => {
		expect((await createSampleZone('pro').check('')).result).toEqual({compatible: false});
		expect((await createSampleZone('plain').check('')).result).toEqual({
			compatible: true,
			migration_state: 'start',
		});
	});

	test('of the first phase accepts a zone with managed rules off, unless something bypasses that', async () => {
		const {call, check} = createSampleZone('plain');
		await call('PATCH', `/firewall/waf/packages/${wafPackageIds.owasp}`, {sensitivity: 'high'});
		expect((await check('')).result).toEqual({compatible: false});
		await call('PATCH', '/settings/waf', {value: 'off'});
		expect(getResultObject(await check('')).compatible).toBe(true);
		const targets = [{target: 'url', constraint: {operator: 'matches', value: 'a/*'}}];
		await call('POST', '/pagerules', {targets, actions: [{id: 'waf', value: 'on'}]});
		expect((await check('')).result).toEqual({compatible: false});
	});

	test.each(['check', 'config', 'status'] as const)('gives 403 for %s on the Free plan', async what => {
		expect((await createSampleZone('free')[what]()).status).toBe(403);
	});
});

describe('the proposed configuration', () => {
	test('turns the old settings of acme.example into new rules, exceptions first', async () => {
		const response = await createSampleZone('enterprise').config();
		expect(getResultObject(response).name).toBe('default');
		const rules = getResultRules(response);
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
			id: owaspRulesetId,
			overrides: {
				categories: [2, 3, 4].map(level => ({category: `paranoia-level-${level}`, enabled: false})),
				rules: [{id: anomalyScoreRuleId, score_threshold: 25, action: 'log'}],
			},
		});
	});

	test.each([
		['high', 'challenge', [3, 4], 40, 'managed_challenge'],
		['medium', 'block', [2, 3, 4], 25, 'block'],
		['low', 'simulate', [2, 3, 4], 40, 'log'],
		['default', 'block', [3, 4], 40, 'block'],
	] as const)('translates sensitivity %s with %s', async (sensitivity, action_mode, disabledLevels, threshold, action) => {
		const {call, config} = createSampleZone('pro');
		await call('PATCH', `/firewall/waf/packages/${wafPackageIds.owasp}`, {sensitivity, action_mode});
		expect(getResultRules(await config()).at(-1)?.action_parameters).toEqual({
			id: owaspRulesetId,
			overrides: {
				categories: disabledLevels.map(level => ({category: `paranoia-level-${level}`, enabled: false})),
				rules: [{id: anomalyScoreRuleId, score_threshold: threshold, action}],
			},
		});
	});

	test('has no OWASP ruleset if the package was off', async () => {
		const rules = getResultRules(await createSampleZone('plain').config());
		expect(rules.map(({action_parameters: given}) => (given as JsonObject).id)).toEqual([platformRulesetId]);
	});

	test('is computed from the current settings of the zone', async () => {
		const {call, config} = createSampleZone('plain');
		const rules = `/firewall/waf/packages/${wafPackageIds.platform}/rules`;
		const [blockingRule] = (await call('GET', `${rules}?mode=BLK&per_page=5`))
			.result as readonly JsonObject[];
		const readRuleOverride = async () => {
			const {overrides} = getResultRules(await config()).at(-1)?.action_parameters as JsonObject;
			return ((overrides as JsonObject).rules as readonly JsonObject[]).find(
				({id}) => id === blockingRule?.id,
			);
		};
		expect(await readRuleOverride()).toBeUndefined();
		await call('PATCH', `${rules}/${blockingRule?.id}`, {mode: 'simulate'});
		expect(await readRuleOverride()).toEqual({id: blockingRule?.id, action: 'log', enabled: true});
		await call('PATCH', `${rules}/${blockingRule?.id}`, {mode: 'disable'});
		expect(await readRuleOverride()).toEqual({id: blockingRule?.id, enabled: false});
		await call('PATCH', `${rules}/${blockingRule?.id}`, {mode: 'default'});
		expect(await readRuleOverride()).toBeUndefined();
	});

	test('has everything disabled if the managed rules are switched off', async () => {
		const {call, config} = createSampleZone('plain');
		await call('PATCH', '/settings/waf', {value: 'off'});
		expect(getResultRules(await config()).map(({enabled}) => enabled)).toEqual([false]);
	});

	test('can be sent back unchanged, and then has IDs', async () => {
		const {config, migrate, readEntryPoint} = createSampleZone('enterprise');
		const proposed = getResultRules(await config());
		expect((await migrate('pending', proposed)).status).toBe(200);
		const saved = getResultRules(await readEntryPoint());
		expect(saved.map(({expression}) => expression)).toEqual(proposed.map(({expression}) => expression));
		expect(saved[4]?.action_parameters).toMatchObject({id: platformRulesetId, version: 'latest'});
	});

	test.each([
		['withManyBypasses', '230 firewall rules would have to be migrated, 200 can be: contact support'],
		['withLongExpression', 'has 4271 bytes, 4096 can be migrated: contact support'],
	] as const)('gives 400 for the zone %s, and so does a PUT', async (which, message) => {
		const {config, migrate, readEntryPoint} = createSampleZone(which);
		for (const response of [await config(), await migrate('pending')]) {
			expect(response.status).toBe(400);
			expect(response.errors[0]?.message).toContain(message);
		}
		expect((await readEntryPoint()).status).toBe(404);
	});

	test.each(['pending', 'complete'] as const)('gives 400 for a zone that is %s', async which => {
		expect((await createSampleZone(which).config()).status).toBe(400);
	});
});
