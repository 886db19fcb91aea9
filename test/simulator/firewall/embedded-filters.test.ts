import {describe, expect, test} from 'vitest';
import type {JsonObject, JsonValue} from '../../../source/text/json.ts';
import {firewall, firstId, listed} from './firewall.ts';

const block = (expression: string, more: JsonObject = {}): JsonObject => ({
	filter: {expression},
	action: 'block',
	...more,
});

describe('a filter and a rule in one call', () => {
	test('are both created', async () => {
		const {rules, filters} = firewall();
		const seen = await rules('POST', '', [
			{filter: {expression: 'ssl', description: 'TLS', ref: 'tls', paused: true}, action: 'block'},
		]);
		expect(seen.status).toBe(200);
		const [filter] = listed(await filters('GET'));
		expect(filter).toMatchObject({expression: 'ssl', description: 'TLS', ref: 'tls', paused: true});
		expect(seen.result).toMatchObject([{action: 'block', paused: false, priority: null, filter}]);
		expect(listed(await rules('GET'))).toEqual(seen.result);
	});

	test('can be combined with a rule on an existing filter', async () => {
		const {rules, makeFilter, expressions} = firewall();
		const id = await makeFilter('ssl');
		const seen = await rules('POST', '', [{filter: {id}, action: 'block'}, block('not ssl')]);
		expect(seen.result).toMatchObject([{filter: {id}}, {filter: {expression: 'not ssl'}}]);
		expect(await expressions()).toEqual(['ssl', 'not ssl']);
	});

	test('with an ID next to the expression use the existing filter unchanged', async () => {
		const {rules, makeFilter, expressions} = firewall();
		const id = await makeFilter('ssl');
		const seen = await rules('POST', '', [{filter: {id, expression: 'not ssl'}, action: 'block'}]);
		expect(seen.result).toMatchObject([{filter: {id, expression: 'ssl'}}]);
		expect(await expressions()).toEqual(['ssl']);
	});
});

describe('neither the filter nor the rule is created', () => {
	test.each<[string, number, JsonValue]>([
		['an expression that does not parse', 400, [block('ip.src==34')]],
		['an action that there is not', 400, [block('ssl', {action: 'blok'})]],
		['bypass without products', 400, [block('ssl', {action: 'bypass'})]],
		[
			'a filter with a description too long',
			400,
			[{filter: {expression: 'ssl', description: 'd'.repeat(501)}, action: 'block'}],
		],
		['an operator that the plan lacks', 403, [block('http.host matches "a"')]],
		['one bad expression of several', 400, [block('ssl'), block('ip.src==34')]],
	])('with %s (%i)', async (_, status, body) => {
		const {rules, expressions, ruleCount} = firewall('free');
		const seen = await rules('POST', '', body);
		expect([seen.status, seen.messages]).toEqual([status, []]);
		expect([await expressions(), await ruleCount()]).toEqual([[], 0]);
	});

	test('with an invalid expression, reported with the engine message and no code', async () => {
		const {rules} = firewall();
		const {errors} = await rules('POST', '', [block('ip.src==34')]);
		expect(errors).toEqual([{message: expect.stringMatching(/^Filter parsing error:\n`ip\.src==34`\n +\^/)}]);
	});

	test('with an expression that the zone already has: 400, 10202 and the ID of its filter', async () => {
		const {rules, makeFilter, expressions, ruleCount} = firewall();
		const id = await makeFilter('ssl');
		const seen = await rules('POST', '', [block('not ssl'), block('ssl')]);
		expect(seen.status).toBe(400);
		expect(seen.errors).toEqual([
			{
				code: 10202,
				message: 'config duplicates an already existing config: filter at index 1',
				meta: {id},
			},
		]);
		expect([await expressions(), await ruleCount()]).toEqual([['ssl'], 0]);
	});
});

describe('only the filter is created, and the messages name it', () => {
	async function left(calls: ReturnType<typeof firewall>, body: readonly JsonObject[]) {
		const before = await calls.ruleCount();
		const seen = await calls.rules('POST', '', body);
		expect([seen.status, seen.result, await calls.ruleCount()]).toEqual([403, null, before]);
		const found = await Promise.all(
			(seen.messages ?? []).map(async ({meta}) => {
				const filter = await calls.filters('GET', `/${(meta as JsonObject).id}`);
				return (filter.result as JsonObject).expression;
			}),
		);
		return {found, error: seen.errors[0]?.message};
	}

	async function full() {
		const calls = firewall('free');
		const filter = await calls.makeFilter('not ssl');
		for (let number = 0; number < 5; number++) await calls.makeRule(filter);
		return calls;
	}

	test('above the quota', async () => {
		const {found, error} = await left(await full(), [block('ssl')]);
		expect(found).toEqual(['ssl']);
		expect(error).toMatch(/^The Free plan allows 5 firewall rules in a zone/);
	});

	test('with an action the plan lacks', async () => {
		const {found, error} = await left(firewall('business'), [block('ssl', {action: 'log'})]);
		expect(found).toEqual(['ssl']);
		expect(error).toMatch(/^The Business plan does not have the action log/);
	});

	test('with a product the plan lacks', async () => {
		const more = {action: 'bypass', products: ['waf']};
		expect((await left(firewall('free'), [block('ssl', more)])).found).toEqual(['ssl']);
	});

	test('for every filter of an array', async () => {
		const body = [block('ssl'), block('http.host eq "a"')];
		expect((await left(await full(), body)).found).toEqual(['ssl', 'http.host eq "a"']);
	});

	test('so that a second call can create the rule', async () => {
		const {rules, ruleCount, filters} = firewall('pro');
		const seen = await rules('POST', '', [block('ssl', {action: 'log'})]);
		const {id} = seen.messages?.[0]?.meta as JsonObject;
		expect(firstId(await filters('GET'))).toBe(id);
		const next = await rules('POST', '', [{filter: {id: String(id)}, action: 'block'}]);
		expect([next.status, await ruleCount()]).toEqual([200, 1]);
	});
});
