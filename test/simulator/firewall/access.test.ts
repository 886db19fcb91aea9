import {describe, expect, test} from 'vitest';
import type {Grant} from '../../../source/simulator/http/authentication.ts';
import {ask, createClockedSimulator, json} from '../asking.ts';
import {createFirewall, createZoneCalls, toRefusal, unknownId, zones} from './firewall.ts';

const createTokenOptions = (...grants: Grant[]) => ({tokens: [{value: 'simulated', grants}]});

describe('a token with limited grants', () => {
	test.each([
		['GET', '/filters', ['firewall:write']],
		['POST', '/filters', ['firewall:read', 'waf:write']],
		['GET', '/firewall/rules', ['firewall:write']],
		['POST', '/firewall/rules', ['firewall:read']],
		['PATCH', `/firewall/rules/${unknownId}`, ['firewall:read']],
		['GET', '/rulesets', ['firewall:read']],
		['POST', '/rulesets', ['waf:read']],
		['PUT', '/rulesets/phases/http_request_firewall_custom/entrypoint', ['waf:read']],
	] as const)('gets 403 and 10000 for %s %s with %j', async (method, path, grants) => {
		const {simulator} = createClockedSimulator(createTokenOptions(...grants));
		const response = await ask(simulator, `/zones/${zones.pro}${path}`, {method});
		expect([response.status, response.errors]).toEqual([
			403,
			[{code: 10000, message: 'Authentication error'}],
		]);
	});

	test('gets 403 for GET /filters/validate-expr', async () => {
		const {simulator} = createClockedSimulator(createTokenOptions('zone:read'));
		expect((await ask(simulator, '/filters/validate-expr?expression=ssl')).status).toBe(403);
	});

	test('reads with the read grant and writes with the write grant', async () => {
		const {filters: callFilters} = createFirewall(
			'pro',
			createTokenOptions('firewall:read', 'firewall:write'),
		);
		expect((await callFilters('POST', '', [{expression: 'ssl'}])).status).toBe(200);
		expect((await callFilters('GET')).status).toBe(200);
	});
});

test.each([
	'/filters',
	'/firewall/rules',
	'/rulesets',
])('%s of an inaccessible zone gives 403 and 9109', async path => {
	const {simulator} = createClockedSimulator();
	const response = await ask(simulator, `/zones/${unknownId}${path}`);
	expect([response.status, response.errors[0]?.code]).toEqual([403, 9109]);
});

test('old endpoints retired by faults give 410 in an envelope, while rulesets keep working', async () => {
	const {simulator, filters: callFilters, rules: callRules, rulesets: callRulesets} = createFirewall();
	simulator.faults.add('status=410 path=/filters; status=410 path=/firewall/rules');
	for (const response of [
		await callFilters('GET'),
		await callRules('POST', '', [{filter: {expression: 'ssl'}, action: 'block'}]),
		await ask(simulator, '/filters/validate-expr?expression=ssl'),
	]) {
		expect(toRefusal(response)).toEqual({
			status: 410,
			success: false,
			message: 'This endpoint has been removed.',
		});
		expect(response.result).toBeNull();
	}
	expect((await callRulesets('GET')).status).toBe(200);
});

test('a read-only firewall refuses every change with code 10020, and can be read', async () => {
	const firewall = createFirewall();
	const {simulator, filters: callFilters, rules: callRules, rulesets: callRulesets} = firewall;
	const filterId = await firewall.makeFilter('ssl');
	const ruleId = await firewall.makeRule(filterId);
	simulator.setFirewallStates({'read-only': [zones.pro]});
	for (const response of [
		await callFilters('POST', '', [{expression: 'not ssl'}]),
		await callFilters('PUT', `/${filterId}`, {id: filterId, expression: 'not ssl'}),
		await callFilters('DELETE', `/${filterId}`),
		await callRules('POST', '', [{filter: {id: filterId}, action: 'block'}]),
		await callRules('PATCH', `/${ruleId}`, {paused: true}),
		await callRules('DELETE', `/${ruleId}`),
	])
		expect([response.success, response.errors]).toEqual([
			false,
			[{code: 10_020, message: 'firewallrules.api.maintenance_mode'}],
		]);
	expect((await callFilters('GET')).result).toMatchObject([{expression: 'ssl'}]);
	expect((await callRules('GET')).result).toMatchObject([{action: 'block', paused: false}]);
	expect((await callRulesets('GET')).status).toBe(200);
});

describe('the log of calls', () => {
	test('has the bodies of calls to zones and of expression checks', async () => {
		const {simulator, filters: callFilters, rules: callRules} = createFirewall();
		await callFilters('POST', '', [{expression: 'ssl'}]);
		await callRules('GET');
		await callRules('POST', '', [{filter: {id: unknownId}, action: 'block'}]);
		await ask(simulator, '/filters/validate-expr', json('POST', {expression: 'ssl'}));
		const zone = `/zones/${zones.pro}`;
		expect(
			simulator.calls.list().map(({method, path, body, status}) => ({method, path, body, status})),
		).toEqual([
			{method: 'POST', path: `${zone}/filters`, body: [{expression: 'ssl'}], status: 200},
			{method: 'GET', path: `${zone}/firewall/rules`, body: undefined, status: 200},
			{
				method: 'POST',
				path: `${zone}/firewall/rules`,
				body: [{filter: {id: unknownId}, action: 'block'}],
				status: 400,
			},
			{method: 'POST', path: '/filters/validate-expr', body: {expression: 'ssl'}, status: 200},
		]);
	});

	test('has the body of a call whose response was lost', async () => {
		const {simulator, filters: callFilters} = createFirewall();
		simulator.faults.add('lost-answer method=POST');
		await expect(callFilters('POST', '', [{expression: 'ssl'}])).rejects.toThrow();
		expect(simulator.calls.list()).toMatchObject([{status: 'lost', body: [{expression: 'ssl'}]}]);
	});

	test('never has a key-value value, JSON or not', async () => {
		const {simulator} = createClockedSimulator();
		const path = `/accounts/910896fde4470afb4fab0b3c5e3aaff8/storage/kv/namespaces`;
		await ask(simulator, path, json('POST', {title: '/zones/'}));
		expect(simulator.calls.list()).toHaveLength(1);
		expect(simulator.calls.list()[0]).not.toHaveProperty('body');
	});
});

test('zones are independent', async () => {
	const {simulator, makeFilter, makeRule} = createFirewall('pro');
	await makeRule(await makeFilter('ssl'));
	const other = createZoneCalls(simulator, 'free');
	expect([await other.readExpressions(), await other.countRules()]).toEqual([[], 0]);
});
