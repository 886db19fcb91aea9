import {describe, expect, test} from 'vitest';
import type {JsonObject, JsonValue} from '../../../source/text/json.ts';
import {createFirewall, getFirstId, getListedObjects} from './firewall.ts';

const createBlockRule = (expression: string, more: JsonObject = {}): JsonObject => ({
	filter: {expression},
	action: 'block',
	...more,
});

describe('a filter and a rule in one call', () => {
	test('are both created', async () => {
		const {rules: callRules, filters: callFilters} = createFirewall();
		const response = await callRules('POST', '', [
			{filter: {expression: 'ssl', description: 'TLS', ref: 'tls', paused: true}, action: 'block'},
		]);
		expect(response.status).toBe(200);
		const [filter] = getListedObjects(await callFilters('GET'));
		expect(filter).toMatchObject({expression: 'ssl', description: 'TLS', ref: 'tls', paused: true});
		expect(response.result).toMatchObject([{action: 'block', paused: false, priority: null, filter}]);
		expect(getListedObjects(await callRules('GET'))).toEqual(response.result);
	});

	test('can be combined with a rule on an existing filter', async () => {
		const {rules: callRules, makeFilter, readExpressions} = createFirewall();
		const id = await makeFilter('ssl');
		const response = await callRules('POST', '', [
			{filter: {id}, action: 'block'},
			createBlockRule('not ssl'),
		]);
		expect(response.result).toMatchObject([{filter: {id}}, {filter: {expression: 'not ssl'}}]);
		expect(await readExpressions()).toEqual(['ssl', 'not ssl']);
	});

	test('with an ID next to the expression use the existing filter unchanged', async () => {
		const {rules: callRules, makeFilter, readExpressions} = createFirewall();
		const id = await makeFilter('ssl');
		const response = await callRules('POST', '', [{filter: {id, expression: 'not ssl'}, action: 'block'}]);
		expect(response.result).toMatchObject([{filter: {id, expression: 'ssl'}}]);
		expect(await readExpressions()).toEqual(['ssl']);
	});
});

describe('neither the filter nor the rule is created', () => {
	test.each<[string, number, JsonValue]>([
		['an expression that does not parse', 400, [createBlockRule('ip.src==34')]],
		['an unknown action', 400, [createBlockRule('ssl', {action: 'blok'})]],
		['bypass without products', 400, [createBlockRule('ssl', {action: 'bypass'})]],
		[
			'a filter with a description too long',
			400,
			[{filter: {expression: 'ssl', description: 'd'.repeat(501)}, action: 'block'}],
		],
		['an operator that the plan lacks', 403, [createBlockRule('http.host matches "a"')]],
		['one bad expression of several', 400, [createBlockRule('ssl'), createBlockRule('ip.src==34')]],
	])('with %s (%i)', async (_, status, body) => {
		const {rules: callRules, readExpressions, countRules} = createFirewall('free');
		const response = await callRules('POST', '', body);
		expect([response.status, response.messages]).toEqual([status, []]);
		expect([await readExpressions(), await countRules()]).toEqual([[], 0]);
	});

	test('with an invalid expression, reported with the engine message and no code', async () => {
		const {rules: callRules} = createFirewall();
		const {errors} = await callRules('POST', '', [createBlockRule('ip.src==34')]);
		expect(errors).toEqual([{message: expect.stringMatching(/^Filter parsing error:\n`ip\.src==34`\n +\^/)}]);
	});

	test('with an expression that the zone already has: 400, 10202 and the ID of its filter', async () => {
		const {rules: callRules, makeFilter, readExpressions, countRules} = createFirewall();
		const id = await makeFilter('ssl');
		const response = await callRules('POST', '', [createBlockRule('not ssl'), createBlockRule('ssl')]);
		expect(response.status).toBe(400);
		expect(response.errors).toEqual([
			{
				code: 10202,
				message: 'config duplicates an already existing config: filter at index 1',
				meta: {id},
			},
		]);
		expect([await readExpressions(), await countRules()]).toEqual([['ssl'], 0]);
	});
});

describe('only the filter is created, and the messages name it', () => {
	async function postRefusedRules(calls: ReturnType<typeof createFirewall>, body: readonly JsonObject[]) {
		const before = await calls.countRules();
		const response = await calls.rules('POST', '', body);
		expect([response.status, response.result, await calls.countRules()]).toEqual([403, null, before]);
		const filterExpressions = await Promise.all(
			(response.messages ?? []).map(async ({meta}) => {
				const filter = await calls.filters('GET', `/${(meta as JsonObject).id}`);
				return (filter.result as JsonObject).expression;
			}),
		);
		return {found: filterExpressions, error: response.errors[0]?.message};
	}

	async function createFullZone() {
		const calls = createFirewall('free');
		const filter = await calls.makeFilter('not ssl');
		for (let number = 0; number < 5; number++) await calls.makeRule(filter);
		return calls;
	}

	test('above the quota', async () => {
		const {found: filterExpressions, error} = await postRefusedRules(await createFullZone(), [
			createBlockRule('ssl'),
		]);
		expect(filterExpressions).toEqual(['ssl']);
		expect(error).toMatch(/^The Free plan allows 5 firewall rules in a zone/);
	});

	test('with an action the plan lacks', async () => {
		const {found: filterExpressions, error} = await postRefusedRules(createFirewall('business'), [
			createBlockRule('ssl', {action: 'log'}),
		]);
		expect(filterExpressions).toEqual(['ssl']);
		expect(error).toMatch(/^The Business plan does not have the action log/);
	});

	test('with a product the plan lacks', async () => {
		const more = {action: 'bypass', products: ['waf']};
		expect((await postRefusedRules(createFirewall('free'), [createBlockRule('ssl', more)])).found).toEqual([
			'ssl',
		]);
	});

	test('for every filter of an array', async () => {
		const body = [createBlockRule('ssl'), createBlockRule('http.host eq "a"')];
		expect((await postRefusedRules(await createFullZone(), body)).found).toEqual(['ssl', 'http.host eq "a"']);
	});

	test('so that a second call can create the rule', async () => {
		const {rules: callRules, countRules, filters: callFilters} = createFirewall('pro');
		const response = await callRules('POST', '', [createBlockRule('ssl', {action: 'log'})]);
		const {id} = response.messages?.[0]?.meta as JsonObject;
		expect(getFirstId(await callFilters('GET'))).toBe(id);
		const next = await callRules('POST', '', [{filter: {id: String(id)}, action: 'block'}]);
		expect([next.status, await countRules()]).toEqual([200, 1]);
	});
});
